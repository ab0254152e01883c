"""Programs that speak GTP, well or badly; each is run as a process of its own."""
