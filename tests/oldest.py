"""The oldest versions of other packages that `pyproject.toml` allows, as constraints for pip.

    python -m tests.oldest > constraints.txt

A minimum that nobody tries is a guess: `make oldest` installs them and runs the tests.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OWN = "tesuji"  # extras name other extras of the project itself


def minimums(project: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each package that a project asks for, with its lowest version."""
    for requirement in (
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ):
        if requirement.startswith(f"{OWN}["):
            continue
        found = re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement)
        if found is None:
            raise ValueError(f"the requirement {requirement!r} must be like 'name>=1.2'")
        yield found[1], found[2]


def main() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name, version in minimums(table["project"]):
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
