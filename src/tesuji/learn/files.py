"""Writing what was learned: a file appears as a whole or not at all."""

from pathlib import Path

from tesuji.errors import ConfigError


def write_whole(path: Path, text: str) -> None:
    """Write a file under another name first, then rename it: no reader ever sees half of it."""
    spare = path.with_name(f"{path.name}.part")
    try:
        spare.write_text(text, encoding="utf-8")
        spare.replace(path)
    except OSError as error:
        spare.unlink(missing_ok=True)
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
