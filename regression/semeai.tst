# Capturing races without common liberties.

# 3 liberties each and Black to move: every liberty counts at once; J1 and J3 look forcing and lose the race.
loadsgf sgf/semeai-must-3.sgf
10 reg_genmove black
#? [F9|F8|F7]

# 4 liberties each and Black to move: every liberty counts at once; J1 and J3 look forcing and lose the race.
loadsgf sgf/semeai-must-4.sgf
20 reg_genmove black
#? [F9|F8|F7|F6]

# 5 liberties each and Black to move: every liberty counts at once; J1 and J3 look forcing and lose the race.
loadsgf sgf/semeai-must-5.sgf
30 reg_genmove black
#? [F9|F8|F7|F6|F5]

# 6 liberties each and Black to move: every liberty counts at once; J1 and J3 look forcing and lose the race.
loadsgf sgf/semeai-must-6.sgf
40 reg_genmove black
#? [F9|F8|F7|F6|F5|F4]

# 7 liberties each and Black to move: every liberty counts at once; J1 and J3 look forcing and lose the race.
loadsgf sgf/semeai-must-7.sgf
50 reg_genmove black
#? [F9|F8|F7|F6|F5|F4|F3]

# 8 liberties each and Black to move: every liberty counts at once; J1 and J3 look forcing and lose the race.
loadsgf sgf/semeai-must-8.sgf
60 reg_genmove black
#? [F9|F8|F7|F6|F5|F4|F3|F2]

# 4 liberties each and White to move: the race comes first.
loadsgf sgf/semeai-must-4-white.sgf
70 reg_genmove white
#? [J4|H4|G4|F4]

# 5 liberties each and White to move: the race comes first.
loadsgf sgf/semeai-must-5-white.sgf
80 reg_genmove white
#? [J4|H4|G4|F4|E4]

# 6 liberties each and White to move: the race comes first.
loadsgf sgf/semeai-must-6-white.sgf
90 reg_genmove white
#? [J4|H4|G4|F4|E4|D4]

# 7 liberties each and White to move: the race comes first.
loadsgf sgf/semeai-must-7-white.sgf
100 reg_genmove white
#? [J4|H4|G4|F4|E4|D4|C4]

# 8 liberties each and White to move: the race comes first.
loadsgf sgf/semeai-must-8-white.sgf
110 reg_genmove white
#? [J4|H4|G4|F4|E4|D4|C4|B4]

# 6 liberties each on a board of 13: the race comes first.
loadsgf sgf/semeai-must-6-large.sgf
120 reg_genmove black
#? [H13|H12|H11|H10|H9|H8]

# 8 liberties each on a board of 13: the race comes first.
loadsgf sgf/semeai-must-8-large.sgf
130 reg_genmove black
#? [H13|H12|H11|H10|H9|H8|H7|H6]

# 10 liberties each on a board of 13: the race comes first.
loadsgf sgf/semeai-must-10-large.sgf
140 reg_genmove black
#? [H13|H12|H11|H10|H9|H8|H7|H6|H5|H4]

# 12 liberties each on a board of 13: the race comes first.
loadsgf sgf/semeai-must-12-large.sgf
150 reg_genmove black
#? [H13|H12|H11|H10|H9|H8|H7|H6|H5|H4|H3|H2]

# 4 against 2 liberties: the race is won by two and must not be played; J2 decides the corner.
loadsgf sgf/semeai-must-not-4-2.sgf
160 reg_genmove black
#? [J2]

# 5 against 3 liberties: the race is won by two and must not be played; A8 decides the corner.
loadsgf sgf/semeai-must-not-5-3.sgf
170 reg_genmove white
#? [A8]

# 6 against 4 liberties: the race is won by two and must not be played; J2 decides the corner.
loadsgf sgf/semeai-must-not-6-4.sgf
180 reg_genmove black
#? [J2]

# 7 against 5 liberties: the race is won by two and must not be played; A8 decides the corner.
loadsgf sgf/semeai-must-not-7-5.sgf
190 reg_genmove white
#? [A8]

# 8 against 6 liberties: the race is won by two and must not be played; J2 decides the corner.
loadsgf sgf/semeai-must-not-8-6.sgf
200 reg_genmove black
#? [J2]

# 9 against 7 liberties: the race is won by two and must not be played; A8 decides the corner.
loadsgf sgf/semeai-must-not-9-7.sgf
210 reg_genmove white
#? [A8]
