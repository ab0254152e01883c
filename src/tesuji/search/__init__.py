"""Monte-Carlo tree search: the tree, the four steps, and the loop that repeats them.

Read in this order: `tree` (where everything is kept), the steps `select`, `expand`, `simulate` and
`backup`, then `uct`, which calls them.  `decide` reads the answer off the tree.  Users come here
through `tesuji.searcher`.
"""
