"""The match lab: strength measured with error bars.

A `Match` says who plays whom, at what, how often and from which seed.  `run` plays the games that a
`Store` does not hold yet, on as many cores as asked for, and `summary` turns the scores into
figures.  A tournament and an experiment are lists of matches.
"""
