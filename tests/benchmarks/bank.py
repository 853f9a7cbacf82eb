"""
How pages grow with the bank: queries and time of each, as each role, on 500 problems and on 5,000.

    python3 dev.py test tests/benchmarks/bank.py -s

Queries have to be equal; the ratio of times tells which pages grow, and how many bare pages of
Django's each takes in the same run what it costs. A file of all rows grows as the rows do.
BANK_PROBLEMS makes another size.
"""

import os
import statistics
import time

import pytest
from django.test import Client, override_settings

from grading.demo import bank
from grading.demo.bank_rows import Size
from phybench.people.models import Role
from tests.bank_pages import Cost, Page, find_world, list_pages, measure
from tests.benchmarks import bare
from tests.conftest import make_person

PROBLEMS = int(os.environ.get("BANK_PROBLEMS", "5000"))
SMALL, LARGE = Size(PROBLEMS // 10, PROBLEMS * 4 // 10), Size(PROBLEMS, PROBLEMS * 4)
TIMES = 3
SLOW_SECONDS = 0.3
"""A page that takes longer on the large bank is listed again at the end."""


def measure_bare() -> float:
    """Return the seconds that the least page takes which Django can serve, through this client."""
    client = Client()
    with override_settings(ROOT_URLCONF=bare.ROOT_URLCONF, MIDDLEWARE=bare.MIDDLEWARE):
        client.get(bare.ADDRESS)
        found = []
        for _ in range(200):
            started = time.perf_counter()
            assert client.get(bare.ADDRESS).status_code == 200
            found.append(time.perf_counter() - started)
    return statistics.median(found)


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
    reference = measure_bare()
    print(f"\na bare page: {1000 * reference:.2f} ms")
    print(f"{'page':<52}{'as':<13}{'queries':>9}{'bare pages':>13}{'ratio':>7}{'ms':>7}{'kB':>7}")
    slow, grown = [], []
    for key, (page, cost) in large.items():
        if key not in small:
            continue
        before = small[key][1]
        line = (
            f"{page.title:<52}{page.person:<13}{before.queries:>4}{cost.queries:>5}"
            f"{before.seconds / reference:>6.0f}{cost.seconds / reference:>7.0f}"
            f"{cost.seconds / before.seconds:>7.1f}{1000 * cost.seconds:>7.0f}"
            f"{cost.size / 1000:>7.0f}"
        )
        print(line)
        if cost.queries != before.queries:
            grown.append(line)
        if cost.seconds > SLOW_SECONDS:
            slow.append(line)
    print(f"\nslower than {SLOW_SECONDS} s:", *slow, sep="\n")
    print("\nother queries:", *grown, sep="\n")
