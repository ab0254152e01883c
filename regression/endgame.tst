# The last points.

# A8 is a point and atari; left alone, White takes it.
loadsgf sgf/endgame-atari-first.sgf
10 reg_genmove black
#? [A8]

# H9 threatens to save the stone inside, so White has to capture it; G9 at once loses two stones.
loadsgf sgf/endgame-threat-to-save.sgf
20 reg_genmove black
#? [H9]

# The jump along the first line is a point larger than the rest.
loadsgf sgf/endgame-first-line-1.sgf
30 reg_genmove black
#? [C1]

# Reaching A6 is a point larger than stopping earlier.
loadsgf sgf/endgame-first-line-2.sgf
40 reg_genmove white
#? [A6]

# H9 reduces most; pushing from elsewhere loses a point.
loadsgf sgf/endgame-reduce-1.sgf
50 reg_genmove black
#? [H9]

# The largest reduction decides by a point.
loadsgf sgf/endgame-reduce-2.sgf
60 reg_genmove white
#? [J2]
