"""All parts of the search.  Their order is the order of their hooks, and of the settings."""

from tesuji.search.part import Part
from tesuji.search.parts import (
    answer,
    backups,
    batch,
    brue,
    criticality,
    decisive,
    evaluation,
    expansion,
    first_play,
    gibbs,
    grave,
    halving,
    implicit,
    knowledge,
    leaf,
    line,
    lookahead,
    mixed,
    ownership,
    pairs,
    playout,
    pool,
    rave,
    repetition,
    root,
    rules,
    shot,
    solver,
    threads,
    transpositions,
    variance,
    virtual_threads,
)

PARTS: tuple[Part, ...] = (
    repetition.PART,
    rules.PART,
    variance.PART,
    lookahead.PART,  # a move that wins is followed, whatever others prefer
    first_play.PART,
    solver.PART,  # proofs are carried up before AMAF values
    implicit.PART,  # before RAVE, which blends what it has left
    rave.PART,
    grave.PART,  # AMAF values of an ancestor, and only then
    criticality.PART,  # what criticality makes of them
    knowledge.PART,
    expansion.PART,
    transpositions.PART,
    playout.PART,
    evaluation.PART,
    mixed.PART,  # before other habits of playouts, which are for their first part
    decisive.PART,
    gibbs.PART,
    pool.PART,
    pairs.PART,  # strikes moves that were repeated: whatever else learns comes before it
    backups.PART,
    brue.PART,
    halving.PART,
    shot.PART,
    threads.PART,
    leaf.PART,
    batch.PART,
    virtual_threads.PART,
    root.PART,
    line.PART,
    ownership.PART,
    answer.PART,
)
