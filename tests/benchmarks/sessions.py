"""
Two hundred people sit a study while answers of models are graded: what saves and readings take.

    python3 dev.py test tests/benchmarks/sessions.py -s

The processes are those of `dev.py run`, with two web workers. Everybody saves and asks "read as"
every five seconds, as the page of a session does of somebody who types on. Asked for: no save is
lost, the 95th percentile of saves is under 300 ms and that of readings under 1 s. The ratio is to
one person alone, in the same run. SITTING_PEOPLE, SITTING_SECONDS and SITTING_ANSWERS make another
load; those who ask and those who answer share the machine.
"""

import http.client
import json
import os
import random
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import close_old_connections

from curation.problems.benchmarks.models import Benchmark
from development import web
from grading.answers.models import Attempt
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import Save, Session
from phybench.people.models import Role, User
from tests.boards import make_problems
from tests.conftest import make_person
from tests.development.checkout import free_port
from tests.organisations import organisation_of
from tests.processes import Processes
from tests.versions import hand_in, publish_version

PEOPLE = int(os.environ.get("SITTING_PEOPLE", "200"))
SECONDS = float(os.environ.get("SITTING_SECONDS", "300"))
ANSWERS = int(os.environ.get("SITTING_ANSWERS", "5000"))
ALONE_SECONDS = 60.0
EVERY = 5.0
PROBLEMS = 100
ASKED = {"save": 0.3, "read": 1.0}
"""Seconds that the 95th percentile may take."""
TYPED = "sqrt(2*m*g*h/(a+b)) + c^2*sin(theta_1)/(4*pi*r^2) - exp(-t/tau)*ln(x/y)"


@dataclass
class Sitting:
    """Somebody at the page of their session."""

    port: int
    session: int
    items: list[int]
    cookie: str
    generator: random.Random
    saved: int = 0
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: list[str] = field(default_factory=list)

    def work(self, seconds: float) -> None:
        """Save and ask, each every five seconds, from a moment of one's own."""
        over = time.monotonic() + seconds
        turn = time.monotonic() + self.generator.uniform(0, EVERY)
        while turn < over:
            time.sleep(max(0.0, turn - time.monotonic()))
            self.save()
            self.read()
            turn += EVERY

    def save(self) -> None:
        number = self.saved + 1
        place = number % 8 + 1
        moment = int(time.time() * 1000)
        events: list[dict[str, object]] = [
            {"place": place, "kind": "ANSWER", "number": number, "text": self._type(number)},
            {"place": place, "kind": "SHOWN", "number": 5000, "moment": moment},
            {"place": place, "kind": "FOCUS", "number": 5000, "moment": moment},
        ]
        body = json.dumps({"tab": "one", "events": events})
        if self._ask("save", f"/sessions/{self.session}/sync/", body, "application/json"):
            self.saved = number

    def read(self) -> None:
        text = urlencode({"response": self._type(self.saved)})
        self._ask("read", f"/read-as/{self.items[self.saved % 8]}/?of=session", text)

    def _type(self, number: int) -> str:
        """Return what stands in the box now: nobody else has typed the same."""
        text = f"{self.session}*x_{number} + {TYPED}"
        return text[: 20 + 3 * number % len(text)]

    def _ask(
        self, what: str, path: str, body: str, kind: str = "application/x-www-form-urlencoded"
    ) -> bool:
        headers = {
            "Cookie": f"{settings.SESSION_COOKIE_NAME}={self.cookie}; csrftoken={'a' * 32}",
            "X-CSRFToken": "a" * 32,
            "Content-Type": kind,
            "HX-Request": "true",
        }
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                self.failures.append(f"{what}: {answer.status}")
            return answer.status == 200
        except OSError as error:
            self.failures.append(f"{what}: {error}")
            return False
        finally:
            connection.close()
            self.took[what].append(time.monotonic() - began)


def sit(study: Study, port: int, number: int) -> Sitting:
    person = make_person(Role.PARTICIPANT, f"sitting{number}")
    participation = actions.join(study=study, person=person, consents=True, answers={})
    actions.practise(participation=participation)
    session = actions.start(participation=participation, seed=number)
    items = list(session.items.order_by("place").values_list("pk", flat=True))
    return Sitting(port, session.pk, items, sign_in(person), random.Random(number))


def sign_in(person: User) -> str:
    store = SessionStore()
    store[SESSION_KEY] = str(person.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.create()
    assert store.session_key
    return store.session_key


def work(sittings: list[Sitting], seconds: float) -> None:
    with ThreadPoolExecutor(len(sittings)) as threads:
        for done in [threads.submit(one.work, seconds) for one in sittings]:
            done.result()
    close_old_connections()


def find_share(took: list[float], share: float) -> float:
    return sorted(took)[min(len(took) - 1, int(share * len(took)))]


def tell(title: str, sittings: list[Sitting], alone: dict[str, float]) -> dict[str, float]:
    """Print a line for saves and one for readings; return the 95th percentiles."""
    found = {}
    for what in ASKED:
        took = [seconds for one in sittings for seconds in one.took[what]]
        found[what] = find_share(took, 0.95)
        half, worst = find_share(took, 0.5), max(took)
        ratio = found[what] / alone[what] if alone else 1.0
        print(
            f"{title:<34}{what:<6}{len(took):>7}{half * 1000:>9.0f}{found[what] * 1000:>9.0f}"
            f"{worst * 1000:>9.0f}{ratio:>8.1f}"
        )
    return found


@pytest.mark.django_db(transaction=True)
def test_what_saves_and_readings_take_while_answers_are_graded(
    processes: Processes, benchmark: Benchmark, admin: User, evaluator: User
) -> None:
    problems = make_problems(benchmark, PROBLEMS)
    version = publish_version(benchmark)
    study = studying.make(
        version=version,
        title="Many at once",
        by=admin,
        problems=8,
        minutes=60,
        joining=Study.Joining.OPEN,
        consent="Yes.",
        most_people=PEOPLE + 1,
    )
    studying.open_study(study=study, by=admin)
    port = free_port()
    sittings = [sit(study, port, number) for number in range(PEOPLE + 1)]
    for make in (web.worker, web.reserved, web.beat):
        processes.start(make)
    processes.start(lambda environment: web.server(environment, port), WEB_CONCURRENCY="2")
    first, *others = sittings
    first.work(4 * EVERY)  # what a process does for the first time is no part of it
    first.took.clear()
    first.work(ALONE_SECONDS)
    print(f"\n{'':<34}{'':<6}{'times':>7}{'median':>9}{'95 %':>9}{'worst':>9}{'ratio':>8}")
    alone = tell("one person, nothing graded", [first], {})
    rows = [
        {
            "id": problems[number % PROBLEMS].identifier,
            "model": "A model",
            "repeat_index": number // PROBLEMS,
            "model_answer": rf"\frac{{a}}{{b}} + {number} m g h",
        }
        for number in range(ANSWERS)
    ]
    hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    began = Attempt.objects.waiting().count()
    work(others, SECONDS)
    left = Attempt.objects.waiting().count()
    found = tell(f"{PEOPLE} people, {began - left} answers graded", others, alone)
    saved = sum(one.saved for one in sittings)
    kept = Save.objects.filter(item__session__in=[one.session for one in sittings]).count()
    failures = [failure for one in others for failure in one.failures]
    print(f"{kept} of {saved} saves kept, {len(failures)} requests failed {failures[:5]}")
    print(f"{left} answers were still to be graded")
    asked = ", ".join(f"{what} {seconds * 1000:.0f} ms" for what, seconds in ASKED.items())
    print(f"asked for, 95 %: {asked}")
    assert kept == saved
    assert not failures
    Attempt.objects.waiting().update(status="FAILED", lease_until=None, failure_reason="over")
    Session.objects.update(next_at=None)
    assert all(found[what] < seconds for what, seconds in ASKED.items()), found
