# Two groups that leave each other alone.

# B1 leaves two common liberties that nobody can take: a seki saves the stones inside.
loadsgf sgf/seki-make-it.sgf
10 reg_genmove black
#? [B1]

# White has to take A8 himself, or it becomes a seki.
loadsgf sgf/seki-prevent-it.sgf
20 reg_genmove white
#? [A8]

# The central point makes a seki.
loadsgf sgf/seki-make-it-white.sgf
30 reg_genmove white
#? [H9]

# Black takes the central point, or it becomes a seki.
loadsgf sgf/seki-prevent-it-black.sgf
40 reg_genmove black
#? [J2]
