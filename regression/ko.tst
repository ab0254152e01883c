# Kos: take, connect, threaten first.

# The ko is worth the game: take it.
loadsgf sgf/ko-take.sgf
10 reg_genmove black
#? [C8]

# The ko is worth the game: connect.
loadsgf sgf/ko-connect.sgf
20 reg_genmove white
#? [H7]

# The ko is worth the game: White takes it.
loadsgf sgf/ko-take-white.sgf
30 reg_genmove white
#? [G2]

# White has just taken the ko. B1 or C1 threatens the four-point eye; when White answers, Black retakes.
loadsgf sgf/ko-threat.sgf
40 reg_genmove black
#? [B1|C1]

# Black has just taken the ko; White threatens the four-point eye first.
loadsgf sgf/ko-threat-white.sgf
50 reg_genmove white
#? [J2|J3]

# The threat has to come before the ko is retaken; it is larger than the ko.
loadsgf sgf/ko-threat-large.sgf
60 reg_genmove black
#? [A8|A7]

# Two kos after Black C8, White E7, a pass and White C7: C8 is the simple ko, and E8 would bring back the first position.
loadsgf sgf/ko-superko.sgf
70 reg_genmove black
#? [!C8|E8]

# Two kos: one was just taken, and retaking the other would bring back the first position.
loadsgf sgf/ko-superko-white.sgf
80 reg_genmove white
#? [!G2|E2]
