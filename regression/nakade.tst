# The vital point of an eye space, seen by the attacker.

# Straight three: the attacker takes the vital point.
loadsgf sgf/nakade-straight-three.sgf
10 reg_genmove black
#? [B1]

# Bent three: the attacker takes the vital point.
loadsgf sgf/nakade-bent-three.sgf
20 reg_genmove white
#? [A9]

# Pyramid four: the attacker takes the vital point.
loadsgf sgf/nakade-pyramid-four.sgf
30 reg_genmove black
#? [H9]

# Bulky five: the attacker takes the vital point.
loadsgf sgf/nakade-bulky-five.sgf
40 reg_genmove white
#? [J2]

# Rabbity six: the attacker takes the vital point.
loadsgf sgf/nakade-rabbity-six.sgf
50 reg_genmove black
#? [B2]

# Crossed five: the attacker takes the vital point.
loadsgf sgf/nakade-crossed-five.sgf
60 reg_genmove white
#? [B7]

# Six in the corner: the attacker takes the vital point.
loadsgf sgf/nakade-six-in-the-corner.sgf
70 reg_genmove black
#? [H9|H8]

# With a stone inside already, only these keep White from two eyes.
loadsgf sgf/nakade-stone-inside-1.sgf
80 reg_genmove black
#? [A8|B8]

# Only H8 leaves one eye.
loadsgf sgf/nakade-stone-inside-2.sgf
90 reg_genmove black
#? [H8]

# The stones inside must become a shape that leaves one eye when it is captured.
loadsgf sgf/nakade-stones-inside.sgf
100 reg_genmove white
#? [J3|H2]
