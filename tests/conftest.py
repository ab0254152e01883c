"""Tests share one cache of compiled code, kept between runs and apart from the user's own."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
os.environ.setdefault("TESUJI_CACHE_DIR", str(ROOT / ".cache" / "tests"))
