"""Files that are made from the source: ``python -m tests.generated`` writes them anew.

`FILES` says which there are, and what makes each.  `tests.test_generated` fails when one is stale.
"""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.conftest import ROOT
from tesuji.search.catalogue import PARTS
from tesuji.search.config import SETTINGS, allowed
from tesuji.search.part import Setting

SOURCE = ROOT / "src" / "tesuji"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
BEGIN = "<!-- generated: the files -->\n"
END = "\n<!-- end of what is generated -->"

STUB = '''\
"""Types of the settings, for editors and type checkers.  Made by `tests.generated`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

from tesuji.search.part import Setting

SETTINGS: dict[str, Setting]
NAMES: dict[str, Iterable[str]]
RENAMED: dict[str, str]

class Settings(TypedDict, total=False):
    """What may be given by keyword: `Unpack[Settings]`."""

{keys}

@dataclass(frozen=True)
class SearchConfig:
    """How to search.  Values and constants are on the scale of rewards, [0, 1]."""

{fields}

    @property
    def needs(self) -> frozenset[str]: ...
    @property
    def sharing(self) -> bool: ...
    @property
    def batched(self) -> bool: ...
    @property
    def led(self) -> bool: ...
    @property
    def uses_knowledge(self) -> bool: ...
    @property
    def all_children(self) -> bool: ...
    @property
    def ranking(self) -> str: ...
    @property
    def plays_out(self) -> bool: ...
    def changed(self, settings: Mapping[str, Any]) -> SearchConfig: ...
    def parsed(self, settings: Iterable[str]) -> SearchConfig: ...

def allowed(setting: Setting) -> str: ...
def read_settings(settings: Iterable[str], kinds: Mapping[str, type]) -> dict[str, Any]: ...
def read_toml(path: str | Path, what: str) -> dict[str, Any]: ...
'''

REFERENCE = """\
# Settings

Every setting of a search, by the part that declares it, in the order of the parts. The pages of the
[methods](README.md#methods) say more; `tesuji methods` lists whole sets of settings by name. Values
and constants are on the scale of rewards, [0, 1]. This page is made from the source by
`python -m tests.generated`.
"""


def stub() -> str:
    """The types of `SearchConfig`."""
    keys = [f"    {s.name}: {_type(s)}" for s in SETTINGS.values()]
    fields = [f"    {s.name}: {_type(s)} = ..." for s in SETTINGS.values()]
    return STUB.format(keys="\n".join(keys), fields="\n".join(fields))


def _type(setting: Setting) -> str:
    """One of a few names, or the type of the default; a file may stand for some names."""
    if setting.names and not setting.own:
        return f"Literal[{', '.join(json.dumps(name) for name in setting.names)}]"
    return type(setting.default).__name__


def reference() -> str:
    """The page of all settings."""
    return "\n".join([REFERENCE, *_tables()])


def _tables() -> Iterator[str]:
    for part in PARTS:
        if part.settings:
            yield f"## {part.name}\n"
            yield "| setting | default | may be | what it means |\n|---|---|---|---|"
            for setting in part.settings:
                default = str(setting.default).lower() if setting.default is not None else ""
                shown = f"`{default}`" if default else "none"
                yield f"| `{setting.name}` | {shown} | {allowed(setting)} | {setting.help} |"
            yield ""


def layout() -> str:
    """The page of the source, file by file, in the order that the linter checks."""
    page = (ROOT / "docs" / "layout.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = ["| file | what it is |", "|---|---|", *_rows("tesuji", SOURCE)]
    return "\n".join([before + BEGIN, *rows, END + after])


def _rows(package: str, folder: Path) -> Iterator[str]:
    """A folder's files, the lowest layer first; files that are ordered by nothing by their name."""
    for name in _ordered(package, folder):
        path = folder / name
        shown = f"{'&nbsp;' * 4 * (package.count('.'))}`{name}{'/' if path.is_dir() else '.py'}`"
        shown = f"**{shown}**" if package == "tesuji" else shown
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        yield f"| {shown} | {_summary(source)} |"
        if path.is_dir():
            yield from _rows(f"{package}.{name}", path)


def _ordered(package: str, folder: Path) -> list[str]:
    there = sorted(
        path.name if path.is_dir() else path.stem
        for path in folder.iterdir()
        if (path.suffix == ".py" and path.stem not in ("__init__", "__main__"))
        or (path / "__init__.py").exists()
    )
    for contract in CONTRACTS:
        layers = [layer.removeprefix("tesuji.") for layer in reversed(contract.get("layers", []))]
        if package in contract.get("containers", ["tesuji"]) and layers:
            return [*layers, *(name for name in there if name not in layers)]
    return there


def _summary(source: Path) -> str:
    """The first sentence of a docstring."""
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    sentence = " ".join(text.split("\n\n")[0].split()).removesuffix(".")
    return re.split(r"(?<!al)\. ", sentence)[0].replace("``", "`").replace("|", "\\|")


FILES: dict[str, Callable[[], str]] = {
    "src/tesuji/search/config.pyi": stub,
    "docs/settings.md": reference,
    "docs/layout.md": layout,
}


def stale(root: Path = ROOT) -> list[str]:
    """The files that are not as they would be made now."""
    return [
        name
        for name, make in FILES.items()
        if not (root / name).exists() or (root / name).read_text(encoding="utf-8") != make()
    ]


def main() -> int:
    """The command: write what is stale."""
    for name in stale():
        (ROOT / name).write_text(FILES[name](), encoding="utf-8")
        print(f"written: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
