"""
How pages grow with the bank: queries and time of each, as each role, on 50 problems and on 5,000.

    python3 dev.py test tests/benchmarks/bank.py -s

Queries have to be equal; the ratio of times tells which pages grow. A file of all rows grows as
the rows do. BANK_PROBLEMS and BANK_REVIEWS make another size.
"""

import os

import pytest

from grading.demo import bank
from grading.demo.bank_rows import Size
from phybench.models import Role
from tests.bank_pages import Cost, Page, find_world, list_pages, measure
from tests.conftest import make_person

SMALL = Size(50, 200)
LARGE = Size(
    int(os.environ.get("BANK_PROBLEMS", "5000")), int(os.environ.get("BANK_REVIEWS", "20000"))
)
TIMES = 3
SLOW_SECONDS = 0.3
"""A page that takes longer on the large bank is listed again at the end."""


def measure_all(size: bank.Size, admin) -> dict[tuple[str, str], tuple[Page, Cost]]:
    benchmark = bank.make(size)
    bank.tell_planner()
    world = find_world(benchmark, admin)
    return {
        (page.person, page.title): (page, measure(page, world, times=TIMES))
        for page in list_pages(world)
    }


@pytest.mark.django_db
def test_what_each_page_costs_on_a_small_and_on_a_large_bank():
    admin = make_person(Role.ADMIN)
    small, large = measure_all(SMALL, admin), measure_all(LARGE, admin)
    print(f"\n{'page':<52}{'as':<13}{'queries':>9}{'ms':>13}{'ratio':>7}{'kB':>7}")
    slow, grown = [], []
    for key, (page, cost) in large.items():
        if key not in small:
            continue
        before = small[key][1]
        line = (
            f"{page.title:<52}{page.person:<13}{before.queries:>4}{cost.queries:>5}"
            f"{1000 * before.seconds:>6.0f}{1000 * cost.seconds:>7.0f}"
            f"{cost.seconds / before.seconds:>7.1f}{cost.size / 1000:>7.0f}"
        )
        print(line)
        if cost.queries != before.queries:
            grown.append(line)
        if cost.seconds > SLOW_SECONDS:
            slow.append(line)
    print(f"\nslower than {SLOW_SECONDS} s:", *slow, sep="\n")
    print("\nother queries:", *grown, sep="\n")
