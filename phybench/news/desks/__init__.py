"""Home: what waits for somebody in each role, told by the rooms that it waits in."""
