"""Several threads in one search: how many, and what they share (`tesuji.parallel`)."""

import numpy as np

from tesuji.errors import ConfigError
from tesuji.search.part import Config, Field, Part, Setting


def _refuse(config: Config) -> None:
    """Refuse what has no meaning together with several threads, or without them."""
    if config.threads > 1 and config.in_flight > 1:
        raise ConfigError("in_flight is for one thread: leave it or threads out")
    if config.lock != "free" and (config.parallel != "tree" or config.halving != "off"):
        raise ConfigError(f"lock={config.lock} needs parallel=tree, without halving")
    for what, alone in (("brue", config.brue), ("halving", config.halving != "off")):
        if alone and config.in_flight > 1:
            raise ConfigError(f"in_flight has no meaning with {what}: leave it out")
        leaf = config.parallel == "leaf" or what == "brue"
        if alone and config.threads > 1 and config.parallel != "root" and leaf:
            raise ConfigError(f"parallel={config.parallel} has no meaning with {what}: use root")


PART = Part(
    "threads",
    settings=(
        Setting("threads", 1, "how many search at the same time", (1, 1024)),
        Setting(
            "parallel",
            "tree",
            "they share one tree, have one each (root), or share each leaf (leaf)",
            names=("tree", "root", "leaf"),
        ),
        Setting(
            "lock",
            "free",
            "of a shared tree: none, one a node (local), or one in all (global)",
            names=("free", "local", "global"),
        ),
        Setting(
            "virtual_loss",
            1,
            "visits without a win that a simulation counts as while it is under way",
            (0, 1000),
            kernel=True,
        ),
    ),
    on=lambda config: config.sharing and config.lock == "local",
    node=(Field("lock", np.int32, "of one thread at a time"),),
    refuse=_refuse,
)
