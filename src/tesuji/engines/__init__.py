"""Programs outside of Python that play games, and the protocols they speak."""
