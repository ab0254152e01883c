"""The answer of a search, and its resources (`tesuji.search.decide`)."""

from tesuji.search.decide import FINALS
from tesuji.search.part import LARGE, Part, Setting

PART = Part(
    "answer",
    settings=(
        Setting(
            "final",
            "robust",
            "the move to play: robust, max, robust-max or secure",
            names=tuple(FINALS),
        ),
        Setting(
            "secure",
            2.0,
            "a of the secure child, v - a / sqrt(n); 4 for values in [-1, 1]",
            (0, LARGE),
        ),
        Setting(
            "memory_mb", 500.0, "bound of the tree in megabytes (millions of bytes)", (0.01, 1e5)
        ),
        Setting(
            "reuse", True, "keep the part of the tree below the moves played since the last search"
        ),
    ),
)
