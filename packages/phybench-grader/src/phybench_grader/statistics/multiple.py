"""
Which of many differences stand out, where some would by chance alone.

Y. Benjamini and Y. Hochberg's step-up (J. R. Stat. Soc. B 57, 289, 1995): of those that it finds
at most a share `rate` are false on average, if the tests are independent or depend positively.

Pure: no Django, no database.
"""

from collections.abc import Sequence

RATE = 0.05


def find_standing_out(probabilities: Sequence[float], *, rate: float = RATE) -> list[bool]:
    """
    Say of each difference whether it stands out among all.

    Args:
        probabilities: of each how probable it is if there is none, 0 to 1.
        rate: the share of false ones among those found that is borne, 0 to 1.

    >>> find_standing_out([0.04, 0.001, 0.03, 0.6])
    [False, True, False, False]
    """
    count = len(probabilities)
    limits = [
        one
        for place, one in enumerate(sorted(probabilities), start=1)
        if one <= rate * place / count
    ]
    return [bool(limits) and one <= limits[-1] for one in probabilities]
