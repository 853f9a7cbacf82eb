"""Each invariant is broken once by SQL and found; what the app itself makes breaks none."""

import io
from collections.abc import Iterator, Mapping, Sequence

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from grading.answers.models import Attempt, Grade
from grading.demo import bank
from grading.demo import benchmark as demo
from grading.demo.bank_rows import Size
from phybench.news.damage.tasks import check_integrity
from phybench.news.mails.models import News
from phybench.people.models import User
from phybench.work.integrity import Check, Invariant, list_invariants
from phybench.work.kinds import kinds
from tests.addresses import World
from tests.rules import Values, ask, drop_others, insert, list_columns
from tests.work import grade_together, send_mails

AT = "'2000-01-01'::timestamptz"
NO_TIME = "NULL::timestamptz"
ID = "9999"
NO_ID = "NULL::bigint"
Rows = Sequence[tuple[str, Values]]

ROUND = ("curation_reviewround", {"id": ID, "revision_id": ID, "version_id": ID})
ADOPTED = (
    "grading_gradingrun",
    {"id": ID, "benchmark_id": ID, "adopted_at": AT, "set_aside_at": NO_TIME},
)
ITEM = {"item_id": ID, "id": ID}
SITTING: Rows = [
    ("phybench_user", {"id": ID, "email": "'sits'"}),
    ("grading_participation", {"id": ID, "person_id": ID}),
    ("curation_versionitem", {"id": ID, "revision_id": ID}),
    ("grading_studyitem", {"id": ID, "item_id": ID}),
    ("grading_session", {"id": ID, "participation_id": ID, "ended_at": AT}),
    ("grading_sessionitem", {"id": ID, "session_id": ID, "study_item_id": ID, "opened_at": AT}),
]


RUN = ("grading_run", {"id": "0", "state": "'RUNNING'"})
OF_A_RUN: Mapping[str, Rows] = {
    "grading_judgeitem": [RUN, ("grading_judgerun", {"run_id": "0"})],
    "grading_modelrunanswer": [RUN, ("grading_modelrun", {"run_id": "0"})],
}


def answer(pk: str, status: str = "QUEUED") -> tuple[str, Values]:
    own = {"id": pk, "status": f"'{status}'", "response": "'m g h'", "revision_id": ID}
    return "grading_attempt", own


def grade(pk: str, attempt: str, verdict: str = "CORRECT") -> tuple[str, Values]:
    own = {"id": pk, "run_id": ID, "attempt_id": attempt, "verdict": f"'{verdict}'"}
    return "grading_grade", own


def label(name: str) -> Rows:
    return [
        (f"grading_{name}item", {"id": ID, "key_id": ID}),
        (f"grading_{name}label", {**ITEM, "person_id": ID}),
    ]


def adjudication(name: str) -> Rows:
    return [
        (f"grading_{name}item", {"id": ID, "key_id": ID}),
        (f"grading_{name}adjudication", {**ITEM, "person_id": ID}),
    ]


def change(table: str, to: str, where: str = "true") -> str:
    """Change one row, and give it the number that is looked for."""
    first = f"SELECT min(id) FROM {table} WHERE {where}"
    return f"UPDATE {table} SET {to}, id = {ID} WHERE id = ({first})"


BROKEN_BY: Mapping[str, str | Rows] = {
    "grading_attempt is graded": [answer(ID, "GRADED")],
    "grading_attempt is not graded": [ADOPTED, answer(ID, "FAILED"), grade(ID, ID)],
    "grading_submission has a tally": [
        ("grading_submission", {"id": ID}),
        ("grading_submissiontally", {"submission_id": ID, "graded": "3"}),
    ],
    "grading_grade is the second": [grade("9998", ID), grade(ID, ID)],
    "grading_grade says something else": [
        *(answer("9998"), answer(ID)),
        *(grade(ID, "9998"), grade("10000", ID, "INCORRECT")),
    ],
    "grading_gradingrun is the second": [(ADOPTED[0], {**ADOPTED[1], "id": "9998"}), ADOPTED],
    "grading_runkey": change("grading_runkey", "sha256 = 'x'"),
    "grading_sessionitem lacks": [
        ("grading_sessionitem", {"id": ID}),
        ("grading_save", {"item_id": ID, "number": "2"}),
    ],
    "grading_save": [
        ("grading_save", {"item_id": ID, "number": "1", "id": pk}) for pk in ("9998", ID)
    ],
    "phybench_user": [("phybench_user", {"id": ID, "sits_until": AT})],
    "grading_sessionitem was opened": SITTING,
    "curation_versionitem has another hash than what": change(
        "curation_versionitem", "asked_sha256 = 'x'"
    ),
    "curation_versionitem has another hash than its": change(
        "curation_versionitem", "key_sha256 = 'x'", "key_sha256 <> ''"
    ),
    "curation_benchmarkversion": change(
        "curation_benchmarkversion", "sha256 = 'x'", "published_at IS NOT NULL"
    ),
    "curation_download": (
        "INSERT INTO curation_download"
        " (id, person_id, at, format, fields, has_keys, revisions, revisions_with_keys, asked)"
        " SELECT 9999, (SELECT max(id) FROM phybench_user), clock_timestamp(), 'CSV',"
        " '{answer}', true, array[min(id)], array[min(id)], ''"
        " FROM curation_revision WHERE submitted_at IS NOT NULL"
    ),
    "curation_certificate": change("curation_certificate", "reference_sha256 = 'x'"),
    "curation_problem": [
        ("curation_problem", {"id": ID, "status": "'DRAFT'"}),
        ("curation_event", {"problem_id": ID, "to_status": "'ACCEPTED'"}),
    ],
    "curation_blindsolve": [ROUND, ("curation_blindsolve", {"id": ID, "round_id": ID})],
    "curation_review": [
        ROUND,
        ("curation_stageversion", {"id": ID, "shows_key": "true"}),
        ("curation_review", {"id": ID, "round_id": ID}),
    ],
    "grading_endpoint": [
        ("grading_endpoint", {"id": ID}),
        ("grading_modelcall", {"endpoint_id": ID, "tokens": "5"}),
    ],
    "grading_reservation": [
        ("grading_run", {"id": ID, "state": "'PAUSED'"}),
        ("grading_reservation", {"id": ID, "run_id": ID}),
    ],
    "grading_modelrunanswer": [("grading_modelrunanswer", {"id": ID, "calls_made": "1"})],
    "grading_judgeitem": [("grading_judgeitem", {"id": ID, "state": "'SCORED'"})],
    "grading_judgement": [
        ("grading_judgement", {"id": pk, "item_id": ID, "round": "1"}) for pk in ("9998", ID)
    ],
    "grading_judgecall": [
        ("grading_judgeitem", {"id": ID, "run_id": ID}),
        ("grading_judgecall", {**ITEM, "tokens": "5"}),
    ],
    "grading_judgeprompt": change("grading_judgeprompt", "text = text || ' '"),
    "grading_judgeconfiguration": change("grading_judgeconfiguration", "described = '{}'"),
    "grading_judgefile": change("grading_judgefile", "content = 'x'"),
    "grading_preregistration": change("grading_preregistration", "content = '{}'"),
    "grading_ruling": [
        answer(ID),
        (
            "grading_ruling",
            {"id": ID, "attempt_id": ID, "ruled_by_id": ID, "label_file_id": NO_ID},
        ),
    ],
    "grading_auditlabel": label("audit"),
    "grading_auditadjudication": adjudication("audit"),
    "grading_firsterrorlabel": label("firsterror"),
    "grading_firsterroradjudication": adjudication("firsterror"),
}
"""By how a finding begins, without its number: SQL, or rows, of which the one found is 9999."""


def list_breaks() -> Iterator[tuple[str, str | Rows]]:
    """Add those of leases: of each kind of work one is held, or has a lease, and should not."""
    yield from BROKEN_BY.items()
    for kind in kinds:
        table = kind.rows.model._meta.db_table
        for said, lease, begins in (
            (kind.held, NO_TIME, "is being worked on"),
            (kind.waits, AT, "waits for a worker"),
            (kind.waits, AT, "is not being worked on"),
        ):
            state = {name: f"'{value}'" for name, value in said.items()}
            if state:
                own = {"id": ID, "lease_until": lease, **state}
                yield f"{table} {begins}", [*OF_A_RUN.get(table, ()), (table, own)]


def free(table: str) -> None:
    """Leave a table no rule but its key."""
    drop_others(table, f"{table}_pkey")


def find(invariant: Invariant, broken_by: str | Rows) -> list[int]:
    """Break it where the database refuses nothing, and return what is found then."""
    with transaction.atomic():
        ask("SET LOCAL session_replication_role = replica")
        if isinstance(broken_by, str):
            free(broken_by.split()[1 if broken_by.startswith("UPDATE") else 2])
            ask(broken_by)
        else:
            for table, values in broken_by:
                free(table)
                insert(table, list_columns(table), values)
        found = list(invariant.find(invariant.rows))
        transaction.set_rollback(True)
    return found


@pytest.mark.django_db
def test_each_invariant_is_broken_once_and_found(world: World) -> None:
    ask("SET CONSTRAINTS ALL IMMEDIATE")
    failures = []
    for invariant in list_invariants():
        said = f"{invariant.rows.model._meta.db_table} {invariant.says}"
        if before := list(invariant.find(invariant.rows)):
            failures.append(f"{said}: found before in {before}")
        fitting = [broken_by for begins, broken_by in list_breaks() if said.startswith(begins)]
        if not any(int(ID) in find(invariant, one) for one in fitting):
            failures.append(f"{said}: not found after {len(fitting)} tries")
    assert not failures, "\n".join(failures)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_demo_with_a_bank_and_a_study_breaks_nothing() -> None:
    demo.make("secret")
    bank.make(Size(50, 50, models=3))
    call_command("seed_study", people=5, problems=3, pool=6, stdout=io.StringIO())
    grade_together(Attempt.objects.all())
    check = Check()
    assert list(check.list_findings()) == []
    assert check.rows > Grade.objects.count() > 0


@pytest.fixture
def broken(participant: User) -> str:
    """Have one row say what is not so, and return the sentence that is to say it."""
    User.objects.filter(pk=participant.pk).update(sits_until=timezone.now())
    return f"phybench_user {participant.pk} does not say until when the sessions last"


@pytest.mark.django_db
def test_the_command_says_each_finding_with_its_row_and_ends_with_1(broken: str) -> None:
    said = io.StringIO()
    with pytest.raises(CommandError, match="Broken: 1 row"):
        call_command("check_integrity", stdout=said)
    assert said.getvalue().startswith(broken)
    assert said.getvalue().count("\n") == 1


@pytest.mark.django_db
def test_the_command_says_in_a_sentence_how_much_it_looked_at(participant: User) -> None:
    said = io.StringIO()
    call_command("check_integrity", stdout=said)
    rules = len(list_invariants())
    assert said.getvalue() == f"{rules} rules were checked on 1 row: all hold.\n"


@pytest.mark.django_db
def test_tables_of_another_version_are_said_not_to_be_checked() -> None:
    ask("ALTER TABLE grading_grade RENAME COLUMN notes TO remarks")
    with pytest.raises(CommandError, match="could not be checked"):
        call_command("check_integrity")


@pytest.mark.django_db
def test_what_the_nightly_look_finds_is_logged_and_told_to_admins_once_a_day(
    broken: str, admin: User, participant: User, settings, caplog
) -> None:
    settings.INTEGRITY_FROM_HOUR = 24
    assert check_integrity() == 0
    settings.INTEGRITY_FROM_HOUR = settings.DIGEST_FROM_HOUR = 0
    assert check_integrity() == 1
    assert [one.levelname for one in caplog.records] == ["ERROR", "ERROR"]
    assert caplog.records[0].getMessage().startswith(broken)
    assert check_integrity() == 0, "the second look of the day is left out"
    # As where a worker was killed before it could say that it had looked.
    cache.clear()
    assert check_integrity() == 1
    assert list(News.objects.values_list("person", "kind")) == [(admin.pk, "damage")]
    send_mails()
    [told] = [one for one in mail.outbox if "check_integrity" in one.body]
    assert told.to == [admin.email]
    assert "found damaged data" in told.subject
