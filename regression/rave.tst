# Where all-moves-as-first values mislead.

# B2 is good only as the first move, so AMAF values take it for bad; without it A2 and B1 live in seki. From Fuego's tests of RAVE.
loadsgf sgf/rave-first-move-only.sgf
10 reg_genmove white
#? [B2]*
