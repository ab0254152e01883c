"""Small boards with known winners (Pepels 2014): columns x rows, and whether the first player wins.

In the order of how long a proof takes.
"""

TINY = [
    ("nogo:size=2x1", True),
    ("nogo:size=3x1", True),
    ("nogo:size=4x1", False),
    ("nogo:size=5x1", True),
    ("nogo:size=6x1", True),
    ("nogo:size=2x2", True),
    ("nogo:size=3x2", False),
    ("atarigo:size=2x2", False),
    ("atarigo:size=3x2", False),
    ("ataxx:size=3", True),
]
SMALL = [
    ("nogo:size=4x2", False),
    ("nogo:size=3x3", True),
    ("atarigo:size=3x3", True),
]
LARGER = [
    ("ataxx:size=4", False),
    ("breakthrough:size=2x5", False),
    ("nogo:size=4x3", False),
    ("atarigo:size=4x3", True),
    ("breakthrough:size=2x6", True),
]
