"""
Two hundred slow connections, with no proxy before the server: what people save does not wait.

SLOW_SECONDS (20) is how long each kind goes on.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from curation.problems.benchmarks.models import Benchmark
from development import web
from grading.studies import actions as studying
from grading.studies.models import Study
from phybench.people.models import Role, User
from tests.benchmarks.sessions import find_share, sign_in, sit
from tests.benchmarks.visitors import measure
from tests.boards import make_problems
from tests.conftest import make_person
from tests.development.checkout import free_port
from tests.processes import Processes
from tests.versions import publish_version

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SLOW = str(Path(__file__).with_name("slow_ones.py"))
SECONDS = float(os.environ.get("SLOW_SECONDS", "20"))
SITTERS = 10
ACCOUNTS = 10
"""Of people of whom each keeps twenty of the connections."""
MOST_TIMES_IDLE = 3.0
BEFORE = 2.0
"""Seconds in which the connections come to be there."""
PATH = "/static/admin/js/vendor/xregexp/xregexp.js"
"""Large, and no work: it is how slow they are that counts here."""


def attack(port: int, path: str, kind: str, cookies: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, SLOW, str(port), path, kind, str(SECONDS + BEFORE), *cookies],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def study(benchmark: Benchmark, admin: User) -> Study:
    make_problems(benchmark, 60)
    made = studying.make(
        version=publish_version(benchmark),
        title="Saving",
        by=admin,
        problems=8,
        minutes=60,
        joining=Study.Joining.OPEN,
        consent="Yes.",
        most_people=SITTERS,
    )
    studying.open_study(study=made, by=admin)
    return made


def test_200_slow_connections_make_saves_wait_no_longer_than_three_times_idle(
    processes: Processes, study: Study, contributor: User
) -> None:
    port = free_port()
    processes.start(lambda environment: web.server(environment, port))
    sittings = [sit(study, port, number) for number in range(SITTERS)]
    people = [make_person(Role.CONTRIBUTOR, f"slow{number}") for number in range(ACCOUNTS)]
    cookies = [f"{settings.SESSION_COOKIE_NAME}={sign_in(one)}" for one in people]
    measure(sittings, 8)  # what a process does for the first time is no part of it
    wrong = []
    for who, signed_in in (("visitors", []), ("accounts", cookies)):
        for kind in ("head", "body", "reader", "open", "all"):
            # Each time anew: whatever else runs on the machine comes and goes.
            idle = find_share(measure(sittings, SECONDS), 0.95)
            attacker = attack(port, PATH, kind, signed_in)
            measure(sittings, BEFORE)
            took = measure(sittings, SECONDS)
            opened, answered, closed = json.loads(attacker.communicate()[0])
            slow = find_share(took, 0.95)
            print(
                f"{who + ', ' + kind:<20}{1000 * idle:>8.0f}{1000 * slow:>8.0f} ms"
                f"{slow / idle:>7.1f} × {len(took):>6} saves; "
                f"{opened} opened, {answered} answered, {closed} closed"
            )
            assert opened >= 200
            if slow > MOST_TIMES_IDLE * idle:
                wrong.append((who, kind, slow / idle))
    failures: list[str] = [failure for one in sittings for failure in one.failures]
    print(failures[:5])
    assert not failures
    assert not wrong, wrong
