"""Knowledge that is learned from games.  Start with `transitions`."""
