"""When a leaf gets children, and how many at once (`tesuji.search.expand`)."""

from tesuji.search.part import ALL_CHILDREN, MANY, Part, Setting, need

PART = Part(
    "expansion",
    settings=(
        Setting(
            "expand",
            "one",
            "store one new node a simulation, all children of a node, or the game",
            names=("one", "all", "game"),
        ),
        Setting(
            "expand_visits",
            1,
            "visits that a leaf needs before it gets children",
            (1, MANY),
            kernel=True,
        ),
        Setting(
            "expand_depth",
            1,
            "nodes nearer to the root get children at their first visit",
            (1, MANY),
            kernel=True,
        ),
    ),
    needs=lambda config: need(config.expand != "one", ALL_CHILDREN),
    slots=lambda game, config: {
        "ALL": config.all_children,
        "GAME": config.expand == "game",
        "POLICY": config.policy_visits > 0 or config.expand == "game",
    },
)
