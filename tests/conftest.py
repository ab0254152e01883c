"""Tests share one cache of compiled code, kept between runs and apart from the user's own."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
os.environ.setdefault("TESUJI_CACHE_DIR", str(ROOT / ".cache" / "tests"))

# A case may include a compilation, and the machine may be busy: time proves nothing here.
settings.register_profile("tesuji", deadline=None)
settings.load_profile("tesuji")

STRESS_SECONDS = 4 * 3600.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long checks may take longer than the ``timeout`` of `pyproject.toml`."""
    for item in items:
        if item.get_closest_marker("stress") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(STRESS_SECONDS))
