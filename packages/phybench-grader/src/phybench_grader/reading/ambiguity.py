r"""
Notations with more than one honest reading.

The reader asks at each such place which option to take; option 0 is the standard reading. Reading
the text once tells where the places are, and reading it again with other options gives the other
readings. What one writer means is mostly the same throughout a text, so all places of a kind are
changed together first, then each by itself.

Kinds: `reach` (how far `\sin\theta l` reaches), `space` (past the space in `\sin\omega\,t`),
`power` (`\sin x^2`), `braced` (`\sin{x}^2`), `slash` (`1/2\pi`), `over` and `angle` (`\sin x/x`,
`\cos\pi/4`), `e` and `i` (a symbol or the constant), `digits` (`x^10`), `number` (`2e-3`), `index`
(`v0`), `subscript` (`F_max`), `label` (`E^{0}`), `value` (`f(2)`), `application` (`f(x+1)`),
`special` (`J_0(x)`) and `sinc` (with or without a π).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Site = tuple[str, int]
"""A kind and the offset in the text where it occurs."""

GLOBAL_KINDS = frozenset({"e", "i", "sinc"})
"""One name means one thing throughout a text, so these change only all together."""
STRICT_KINDS = frozenset({"power"})
"""What is read in one way in an answer; whoever wrote a key may have meant the other."""


@dataclass(slots=True)
class Choices:
    """The options to take while reading once, and the places met while doing so."""

    taken: Mapping[Site, int] = field(default_factory=dict)
    met: dict[Site, tuple[int, int]] = field(default_factory=dict)
    """For each place, its number of options and the offset where it ends."""

    def pick(self, kind: str, start: int, end: int, options: int = 2) -> int:
        """Note that a place has some options and return the one to take."""
        if options > 1:
            self.met[kind, start] = (options, end)
        return min(self.taken.get((kind, start), 0), options - 1)


def list_other_choices(met: Mapping[Site, tuple[int, int]]) -> Iterator[dict[Site, int]]:
    """
    List what to take instead of the standard options, the likeliest first.

    >>> list(list_other_choices({("slash", 3): (2, 4), ("e", 7): (2, 8)}))
    [{('slash', 3): 1}, {('e', 7): 1}, {('slash', 3): 1, ('e', 7): 1}]
    """
    kinds = list(dict.fromkeys(kind for kind, _ in met))
    seen: list[dict[Site, int]] = []
    candidates: list[dict[Site, int]] = [
        {site: 1 for site in met if site[0] == kind} for kind in kinds
    ]
    candidates.append(dict.fromkeys(met, 1))
    for site, (options, _) in met.items():
        first = 2 if site[0] in GLOBAL_KINDS else 1
        candidates += [{site: option} for option in range(first, options)]
    for candidate in candidates:
        if candidate not in seen:
            seen.append(candidate)
            yield candidate
