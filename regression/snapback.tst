# Stones that are offered and retaken with more.

# D1 offers B1: when White captures it, Black takes five stones back at B1.
loadsgf sgf/snapback-first-line.sgf
10 reg_genmove black
#? [D1]

# The same for White on another side: the stone that is captured first is retaken with four more.
loadsgf sgf/snapback-first-line-2.sgf
20 reg_genmove white
#? [A6]

# Again from a third side.
loadsgf sgf/snapback-first-line-3.sgf
30 reg_genmove black
#? [F9]
