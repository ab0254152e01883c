# When to pass and when not.

# White has passed, but stones count as they stand: they have to be captured before the game ends.
loadsgf sgf/passing-dead-stones-stay-1.sgf
10 reg_genmove black
#? [A1|C1]

# Black has passed, but stones count as they stand: they have to be captured before the game ends.
loadsgf sgf/passing-dead-stones-stay-2.sgf
20 reg_genmove white
#? [A9]

# Taking the other common liberty gives the stones away; White cannot attack them either.
loadsgf sgf/passing-seki-1.sgf
30 reg_genmove black
#? [PASS|C1]

# A common liberty that Black must not take.
loadsgf sgf/passing-seki-2.sgf
40 reg_genmove black
#? [PASS|A8]

# A common liberty that must not be taken.
loadsgf sgf/passing-seki-3.sgf
50 reg_genmove white
#? [PASS|H3]
