# Which stones to capture.

# C3 captures three stones at once.
loadsgf sgf/capture-three-at-once.sgf
10 reg_genmove black
#? [C3]

# G8 captures the cutting stone; from H9 Black connects.
loadsgf sgf/capture-cutting-stone.sgf
20 reg_genmove white
#? [G8]

# G3 captures three stones at once.
loadsgf sgf/capture-three-at-once-white.sgf
30 reg_genmove white
#? [G3]

# B7 captures the cutting stone; from A8 White connects.
loadsgf sgf/capture-cutting-stone-2.sgf
40 reg_genmove black
#? [B7]
