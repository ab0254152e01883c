"""Knowledge that is learned from games.

`transitions` counts categories of moves, for any game that has them.  The weights of Go's 3x3
patterns are learned in three ways: `evaluations`, `balance`, and `strengths` from `records`; start
with `patterns`.
"""
