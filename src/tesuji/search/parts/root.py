"""Root parallelization: a tree for each thread, and what the trees tell each other."""

from tesuji.errors import ConfigError
from tesuji.search.part import LARGE, MANY, Config, Part, Setting


def _refuse(config: Config) -> None:
    if config.parallel != "root":
        for key in ("virtual_wins", "processes", "share_seconds"):
            if getattr(config, key):
                raise ConfigError(f"{key} needs parallel=root: set it, or leave {key} out")


PART = Part(
    "root",
    settings=(
        Setting(
            "virtual_wins",
            0,
            "of root: won visits that each tree begins with at moves of its own",
            (0, MANY),
        ),
        Setting("processes", False, "of root: each tree in a process of its own"),
        Setting(
            "share_seconds",
            0.0,
            "of root: time between averagings of all trees; 0: never",
            (0, LARGE),
        ),
        Setting("share_depth", 3, "down to so many moves from the root", (0, 1000)),
        Setting(
            "share_part", 0.05, "of the root's visits: what a node needs to be averaged", (0, 1)
        ),
    ),
    refuse=_refuse,
)
