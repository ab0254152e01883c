"""Tesuji: Monte-Carlo tree search at native speed for games written in plain Python."""

__version__ = "0.1.0"
