# The vital point of an eye space, seen by the defender, and other moves that decide life.

# Straight three: the defender takes the vital point and has two eyes.
loadsgf sgf/life-straight-three.sgf
10 reg_genmove black
#? [H9]

# Bent three: the defender takes the vital point and has two eyes.
loadsgf sgf/life-bent-three.sgf
20 reg_genmove white
#? [J1]

# Pyramid four: the defender takes the vital point and has two eyes.
loadsgf sgf/life-pyramid-four.sgf
30 reg_genmove black
#? [B1]

# Bulky five: the defender takes the vital point and has two eyes.
loadsgf sgf/life-bulky-five.sgf
40 reg_genmove white
#? [A8]

# Rabbity six: the defender takes the vital point and has two eyes.
loadsgf sgf/life-rabbity-six.sgf
50 reg_genmove black
#? [H8]

# Crossed five: the defender takes the vital point and has two eyes.
loadsgf sgf/life-crossed-five.sgf
60 reg_genmove white
#? [H3]

# Six in the corner: the defender takes the vital point and has two eyes.
loadsgf sgf/life-six-in-the-corner.sgf
70 reg_genmove black
#? [B1|B2]

# Reducing from D1 or the points inside kill; anything else lets White live.
loadsgf sgf/life-hane-kills.sgf
80 reg_genmove black
#? [B1|C1|D1|B2]

# Of all moves only A8 makes two eyes.
loadsgf sgf/life-descend-lives.sgf
90 reg_genmove black
#? [A8]
