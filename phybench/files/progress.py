"""A progress bar for commands, where somebody watches."""

import time
from typing import TextIO

PATIENCE = 1.0
"""Seconds after which people want to know how long it will take."""
WIDTH = 30


class Progress:
    """Draws `[#####.....] 12 of 50` on a terminal's last line; says nothing elsewhere."""

    def __init__(self, terminal: TextIO, total: int) -> None:
        self.terminal = terminal
        self.total = total
        self.started = time.monotonic()
        self.is_watched = terminal.isatty()
        self.is_drawn = False

    def draw(self, done: int) -> None:
        if self.is_watched and time.monotonic() - self.started > PATIENCE:
            filled = WIDTH * done // max(1, self.total)
            bar = "#" * filled + "." * (WIDTH - filled)
            self.terminal.write(f"\r[{bar}] {done} of {self.total}")
            self.terminal.flush()
            self.is_drawn = True

    def clear(self) -> None:
        """Make room for a line of the command's own."""
        if self.is_drawn:
            self.terminal.write("\r\x1b[K")
            self.terminal.flush()
            self.is_drawn = False
