"""A text that is read piece by piece, of which only what is being looked at is kept."""

import re
from collections.abc import Iterable

from phybench.files.answer_files.formats.row import Limits, Stopped, TooLong

_SPACES = re.compile(r"[ \t\r\n]*")
_A_LOOK_AHEAD = 4
"""Signs behind a row that show where it ends."""


class Window:
    """
    A part of a text, from what is looked at on; `grow` makes it longer.

    Raises:
        Stopped: by `grow`, as the pieces do, once all before that has been seen.
    """

    def __init__(self, pieces: Iterable[str], limits: Limits) -> None:
        self._pieces = iter(pieces)
        self._stopped: Stopped | None = None
        self.limits = limits
        self.text = ""
        self.at = 0
        """Where in `text` that begins which is not used up."""
        self.is_ended = False
        """Whether nothing comes after `text`."""

    def grow(self, most: int | None = None) -> None:
        """
        Let go what is used up, and double what is left, or add `most`.

        Doubled, so that whoever begins anew each time has read no more than twice in the end.
        """
        if self._stopped:
            raise self._stopped
        parts = [self.text[self.at :]]
        wanted = max(min(len(parts[0]), most or len(parts[0])), 1)
        while wanted > 0 and not self.is_ended:
            try:
                piece = next(self._pieces, None)
            except Stopped as why:
                self._stopped = why
                break
            self.is_ended = piece is None
            parts.append(piece or "")
            wanted -= len(piece or "")
        self.text, self.at = "".join(parts), 0

    def grow_within(self) -> None:
        """Grow, unless what is left is longer already than a row may be."""
        most = self.limits.row + _A_LOOK_AHEAD - (len(self.text) - self.at)
        if most <= 0:
            raise TooLong(self.limits)
        self.grow(most)

    def use(self, end: int) -> str:
        """Return the text up to a place, used up."""
        if end - self.at > self.limits.row:
            raise TooLong(self.limits)
        used, self.at = self.text[self.at : end], end
        return used

    def skip_space(self) -> int:
        """Use up spaces and line ends; return how many line ends."""
        lines = 0
        while True:
            found = _SPACES.match(self.text, self.at)
            assert found is not None
            lines += self.text.count("\n", self.at, found.end())
            self.at = found.end()
            if self.at < len(self.text) or self.is_ended:
                return lines
            self.grow()

    def peek(self) -> str:
        """Return the next sign that is no space, "" at the end."""
        self.skip_space()
        return self.text[self.at : self.at + 1]

    def find_line_end(self) -> int:
        """Return where the line ends: at its line end, or at the end of the text."""
        seen = 0
        while (end := self.text.find("\n", self.at + seen)) < 0:
            if self.is_ended:
                return len(self.text)
            seen = len(self.text) - self.at
            self.grow_within()
        return end

    def drop_line(self) -> None:
        """Use up the rest of a line, however long."""
        while (end := self.text.find("\n", self.at)) < 0:
            self.at = len(self.text)
            if self.is_ended:
                return
            self.grow()
        self.at = end
