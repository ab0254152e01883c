"""Several threads search one position.  Three ways, after Chaslot (2010, chapter 7):

==========  =======================================================================================
``tree``    all threads walk through one tree (`shared`), which `tesuji.search.threads` keeps whole
``root``    each thread has a tree of its own; their statistics are added (`merge`), and on the way
            averaged from time to time if that is wanted (`slow`).  Threads or processes (`process`)
``leaf``    one thread walks, and all of them play out from the leaf that it found (`crew`)
==========  =======================================================================================

The four steps are the same as in a search with one thread.  `late` has *virtual threads*: one
thread with many simulations under way, to study what parallel search costs in strength on a machine
with few cores.  `team` runs kernels side by side.  `tesuji.searcher` puts it all together.
"""
