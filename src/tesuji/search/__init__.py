"""Monte-Carlo tree search: the tree, the four steps, and the loop that repeats them.

Read in this order: `tree` (where everything is kept), `simulation` (what runs through it), the
steps `select`, `expand`, `simulate` and `backup`, then `descend` and `loop`, which call them.
Methods are `parts`, which join the steps by `hooks`.  `decide` reads the answer off the tree.
Users come here through `tesuji.searcher`.
"""
