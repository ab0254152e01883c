"""Tests share one cache of compiled code, kept between runs and apart from the user's own."""

import os
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).parents[1]
os.environ.setdefault("TESUJI_CACHE_DIR", str(ROOT / ".cache" / "tests"))

# A case may include a compilation, and the machine may be busy: time proves nothing here.
settings.register_profile("tesuji", deadline=None)
settings.load_profile("tesuji")
