# Ladders on the way: only one atari goes on.

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-9-a.sgf
10 reg_genmove black
#? [F5]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-9-b.sgf
20 reg_genmove black
#? [E7]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-a.sgf
30 reg_genmove black
#? [F6]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-b.sgf
40 reg_genmove black
#? [E8|F8]*

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-c.sgf
50 reg_genmove black
#? [F9]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-d.sgf
60 reg_genmove black
#? [F7]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-e.sgf
70 reg_genmove black
#? [G8]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-f.sgf
80 reg_genmove black
#? [E8]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-a.sgf
90 reg_genmove black
#? [J8]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-b.sgf
100 reg_genmove black
#? [K9]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-c.sgf
110 reg_genmove black
#? [F12]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-d.sgf
120 reg_genmove black
#? [G13]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-e.sgf
130 reg_genmove black
#? [H14]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-f.sgf
140 reg_genmove black
#? [G6]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-g.sgf
150 reg_genmove black
#? [G9]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-h.sgf
160 reg_genmove black
#? [G7]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-i.sgf
170 reg_genmove black
#? [L10]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-19-j.sgf
180 reg_genmove black
#? [J9]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-g.sgf
190 reg_genmove black
#? [E9|F9]*

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-h.sgf
200 reg_genmove black
#? [H8]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-13-i.sgf
210 reg_genmove black
#? [F8]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-15-a.sgf
220 reg_genmove black
#? [F9]

# The ladder works only if Black gives atari from this side; the other way White gets out and cuts.
loadsgf sgf/ladder-15-b.sgf
230 reg_genmove black
#? [F10]
