"""How large is the source: lines of folders, lengths of files and functions?

    python -m bench.size                  # this checkout
    python -m bench.size --against PATH   # beside another one
    python -m bench.size --longest 20     # more of the longest files and functions

All lines count, those of docstrings, comments and blank ones too.
"""

import argparse
import ast
import statistics
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("search", "parallel")
LONG_FILE = 400
LONG_FUNCTION = 50


@dataclass(frozen=True)
class Size:
    """Lines of some files, and of the functions in them, by name."""

    files: dict[str, int]
    functions: dict[str, int]

    def figures(self) -> dict[str, float]:
        """What is compared."""
        files, functions = self.files.values(), self.functions.values()
        return {
            **{f"lines of {folder}/": self.lines(folder) for folder in FOLDERS},
            f"lines of {' and '.join(FOLDERS)}": sum(map(self.lines, FOLDERS)),
            "lines of the package": sum(files),
            "files": len(files),
            f"files of more than {LONG_FILE} lines": sum(n > LONG_FILE for n in files),
            "functions": len(functions),
            f"functions of more than {LONG_FUNCTION} lines": sum(
                n > LONG_FUNCTION for n in functions
            ),
            "median lines of a file": statistics.median(files),
            "median lines of a function": statistics.median(functions),
        }

    def lines(self, folder: str) -> int:
        return sum(n for name, n in self.files.items() if name.startswith(f"{folder}/"))


def measure(checkout: Path) -> Size:
    """The size of a checkout."""
    source = checkout / "src" / "tesuji"
    if not source.is_dir():
        raise SystemExit(f"{checkout} is no checkout: it has no src/tesuji")
    files, functions = {}, {}
    for path in sorted(source.rglob("*.py")):
        name, text = path.relative_to(source).as_posix(), path.read_text(encoding="utf-8")
        files[name] = len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                functions[f"{name}:{node.lineno} {node.name}"] = node.end_lineno - node.lineno + 1
    return Size(files, functions)


def longest(lengths: dict[str, int], count: int) -> list[str]:
    """The longest ones, with their lines."""
    found = sorted(lengths.items(), key=lambda item: -item[1])[:count]
    return [f"{lines:6,}  {name}" for name, lines in found]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.size", description="Lines of source.")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout")
    parser.add_argument("--longest", type=int, default=5, metavar="N", help="so many are listed")
    asked = parser.parse_args()
    sizes = {"here": measure(ROOT)}
    if asked.against is not None:
        sizes["there"] = measure(asked.against.resolve())
    print("".join(f"{side:>10}" for side in sizes))
    for what in sizes["here"].figures():
        print("".join(f"{size.figures()[what]:10,.0f}" for size in sizes.values()) + f"  {what}")
    for side, size in sizes.items():
        for what, lengths in (("files", size.files), ("functions", size.functions)):
            print(f"\nlongest {what} {side}")
            print("\n".join(longest(lengths, asked.longest)))


if __name__ == "__main__":
    main()
