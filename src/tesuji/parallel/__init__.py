"""Several threads search one position.  Three ways, after Chaslot (2010, chapter 7):

==========  =======================================================================================
``tree``    tree parallelization: all threads walk through one tree (`tree_parallel`)
``root``    root parallelization: a tree for each thread or process (`root_parallel`); their
            statistics are added (`merge`), and averaged on the way if that is wanted (`slow`)
``leaf``    leaf parallelization: one thread descends, all play out from its leaf (`leaf_parallel`)
==========  =======================================================================================

The four steps are the same as in a search with one thread; `atomic` keeps a shared tree whole.
`virtual_threads` has one thread with many simulations in flight, to study what parallel search
costs in strength on a machine with few cores.  Start with `schemes`, the table of who runs what
where; `tesuji.searcher` puts it all together.
"""
