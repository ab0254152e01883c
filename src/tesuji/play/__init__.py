"""A player of whole games: a search with a clock, early stops, passing, resigning and pondering."""
