"""
What each page costs at 575 problems × 60 models × 4 samples: processor time here and in PostgreSQL.

    python3 dev.py test tests/benchmarks/pages.py -s

Each page is opened as each role that may have it. "First" is an opening that writes down what is
shown, "again" the least of those after it, which write nothing. The ratio is to the least page that
Django can serve, in the same run. Asked for is no more than 150 ms again; what is above is listed
at the end. PAGES_PROBLEMS, PAGES_MODELS and PAGES_SAMPLES make another size, PAGES_ONLY=home,board
looks at some, and PAGES_TIMES says how often each is opened again.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pgtrigger
import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client, override_settings

from curation.problems.exposures.models import Exposure
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.answers.tallies.keeping import recount
from grading.demo import bank
from grading.demo.bank_rows import Size
from grading.solvers.models import Solver
from phybench.people.models import Role
from tests.bank_pages import BankWorld, Page, find_world, list_pages
from tests.benchmarks import bare
from tests.conftest import make_person
from tests.work import work_out_analyses

PROBLEMS, MODELS, SAMPLES = (
    int(os.environ.get(f"PAGES_{name}", default))
    for name, default in (("PROBLEMS", "575"), ("MODELS", "60"), ("SAMPLES", "4"))
)
ONLY = os.environ.get("PAGES_ONLY", "")
COUNTING = "home,board,grading:submissions,grading:submission"
"""Pages that say how far grading is: they are opened while it goes on, too."""
ACCEPTED = 0.45
"""Share of a bank's problems that can be answered."""
TIMES = int(os.environ.get("PAGES_TIMES", "5"))
ASKED_SECONDS = 0.150


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processors."""

    first: float
    again: float
    in_database: float
    """Of `again`."""


def copy_rows(model: type[Model], source: str, said: Mapping[str, str]) -> None:
    """Make a row of each that `source` lists; what is not `said` is as in `pattern`, a row."""
    columns = [one.column for one in model._meta.concrete_fields if not one.primary_key]
    values = ", ".join(said.get(name, f"pattern.{name}") for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {values} {source}"
        )


def add_models(world: BankWorld) -> None:
    """Hand in what many models answered: their rows are made by the database, without triggers."""
    submission = world.submission
    solvers = Solver.objects.bulk_create(
        Solver(organisation=submission.solver.organisation, name=f"Model {number}", kind="MODEL")
        for number in range(MODELS)
    )
    made = Submission.objects.bulk_create(
        Submission(
            solver=one,
            benchmark=submission.benchmark,
            version=submission.version,
            number=1,
            uploaded_by=submission.uploaded_by,
            published_by=submission.uploaded_by,
            published_at=submission.published_at,
            file_name="answers.json",
            file_sha256="0" * 64,
            expected=submission.expected,
            created_at=submission.created_at - timedelta(days=days),
        )
        for days, one in enumerate(solvers, 1)
    )
    first, run = made[0].pk, GradingRun.objects.get_adopted(world.benchmark.pk)
    chance = "hashtextextended(answer.id::text, 7) & 1023"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        copy_rows(
            Attempt,
            f"""
            FROM (SELECT * FROM grading_attempt WHERE id = {world.attempt.pk}) pattern,
                grading_submission handed, curation_versionitem item,
                generate_series(1, {SAMPLES}) nth
            WHERE handed.id >= {first} AND item.version_id = handed.version_id
                AND NOT item.is_hidden
            ORDER BY handed.id, item.id, nth
            """,
            {
                "solver_id": "handed.solver_id",
                "submission_id": "handed.id",
                "revision_id": "item.revision_id",
                "sample": "nth",
            },
        )
        right, near = f"({chance}) < 400", f"({chance}) BETWEEN 400 AND 699"
        copy_rows(
            Grade,
            f"""
            FROM (SELECT * FROM grading_grade WHERE attempt_id = {world.attempt.pk}) pattern,
                grading_attempt answer
            WHERE answer.submission_id >= {first} AND pattern.run_id = {run.pk}
            ORDER BY answer.id
            """,
            {
                "attempt_id": "answer.id",
                "verdict": f"CASE WHEN {right} THEN 'CORRECT' WHEN {near} THEN 'PARTIAL'"
                " ELSE 'INCORRECT' END",
                "accuracy": f"CASE WHEN {right} THEN 100 ELSE 0 END",
                "eed": f"CASE WHEN {right} THEN 100 WHEN {near} THEN ({chance}) / 10 ELSE 0 END",
            },
        )
    recount()
    world.submission = made[-1]
    world.attempt = made[-1].attempts.all()[0]


def read_server_seconds() -> float:
    """Return the processor time of our connection's process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def measure(work: Callable[[], object]) -> tuple[float, float]:
    """Return the processor seconds here and those in PostgreSQL."""
    server, here = read_server_seconds(), time.process_time()
    work()
    here = time.process_time() - here
    return here, read_server_seconds() - server


def forget() -> None:
    with pgtrigger.ignore("curation.Exposure:exposure_is_append_only"):
        Exposure.objects.all().delete()


def open_page(client: Client, page: Page) -> int:
    answer = client.get(page.address)
    if answer.streaming:
        for _part in answer:
            pass
    return answer.status_code


def measure_page(page: Page, client: Client) -> Cost:
    open_page(client, page)
    work_out_analyses()
    assert open_page(client, page) == 200, page
    forget()
    first = sum(measure(lambda: open_page(client, page)))
    again = min((measure(lambda: open_page(client, page)) for _ in range(TIMES)), key=sum)
    return Cost(first, sum(again), again[1])


def measure_bare() -> float:
    client = Client()
    with override_settings(ROOT_URLCONF=bare.ROOT_URLCONF, MIDDLEWARE=bare.MIDDLEWARE):
        client.get(bare.ADDRESS)
        times = 200
        here, server = measure(lambda: [client.get(bare.ADDRESS) for _ in range(times)])
    return (here + server) / times


@pytest.mark.django_db(transaction=True)
def test_what_each_page_costs_at_full_size() -> None:
    began = time.monotonic()
    made = bank.make(Size(round(PROBLEMS / ACCEPTED), round(2 * PROBLEMS / ACCEPTED)))
    world = find_world(made, make_person(Role.ADMIN))
    add_models(world)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        # One process, whose processor time is all there is.
        cursor.execute("SET max_parallel_workers_per_gather = 0")
    clients = {name: Client() for name in world.people}
    for name, person in world.people.items():
        if person:
            clients[name].force_login(person)
    reference = measure_bare()
    print(f"\n{Attempt.objects.count()} answers, made in {time.monotonic() - began:.0f} s")
    print(f"the reference, a bare page: {1000 * reference:.2f} ms of processors")
    print(f"{'page':<44}{'as':<12}{'first, ms':>10}{'again':>8}{'in SQL':>8}{'ratio':>8}")
    above = [*measure_all(world, clients, reference)]
    print("\nwhile an answer of each model waits:")
    for one in world.submission.solver.organisation.solvers.all():
        waiting = Attempt.objects.filter(submission__solver=one).order_by("pk").values("pk")[:1]
        Attempt.objects.filter(pk__in=waiting).update(status=Attempt.Status.QUEUED)
    above += measure_all(world, clients, reference, COUNTING)
    print(f"\nabove {1000 * ASKED_SECONDS:.0f} ms:", *above, sep="\n")


def measure_all(
    world: BankWorld, clients: Mapping[str, Client], reference: float, only: str = ONLY
) -> Iterator[str]:
    """Print what each page costs; yield the lines of those above what is asked for."""
    for page in list_pages(world):
        if only and page.name not in only.split(","):
            continue
        cost = measure_page(page, clients[page.person])
        line = (
            f"{page.title:<44}{page.person:<12}{1000 * cost.first:>10.0f}{1000 * cost.again:>8.0f}"
            f"{1000 * cost.in_database:>8.0f}{cost.again / reference:>8.0f}"
        )
        print(line, flush=True)
        if cost.again > ASKED_SECONDS:
            yield line
