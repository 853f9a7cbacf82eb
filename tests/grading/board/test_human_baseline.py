"""One name for people: a version has at most one human baseline, and it is the same everywhere."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from curation.versions import actions as versioning
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.board.rank_changes import compare_boards
from grading.solvers.models import Solver
from grading.studies import actions as studying
from grading.studies.models import HumanBaseline, Participation, Study
from grading.studies.sessions.models import Session, SessionItem
from phybench.people.models import Role, User
from phybench.people.tokens.models import Scope
from tests.boards import store
from tests.conftest import make_person
from tests.grading.compare.conftest import RIGHT, SIMILAR, answer, problems, stand
from tests.memory import remembered
from tests.tokens import Program, make_secret
from tests.versions import publish_version
from tests.work import work_out_analyses

__all__ = ["answer", "problems", "stand"]

pytestmark = pytest.mark.django_db

OTHERS = "Other answers of people, without a clock"


@pytest.fixture
@remembered
def studies(stand, answer, benchmark, admin) -> list[Study]:
    """Two studies that have ended, of five people and of six; six more answered without one."""
    for number in range(2):
        stand(f"Model {number}", 6 + number)
    for number in range(6):
        answer(f"outside-{number}", 12)
    return [
        _make_study(benchmark, admin, "Students", "abcde", 4),
        _make_study(benchmark, admin, "Professors", "fghijk", 8),
    ]


def _make_study(benchmark: Benchmark, admin: User, title: str, names: str, right: int) -> Study:
    """Have each answer all but one of 16 problems: so many rightly, or one more in turn."""
    study = studying.make(
        version=publish_version(benchmark), title=title, by=admin, problems=16, minutes=60,
        joining=Study.Joining.OPEN, consent="I take part.", most_people=99,
    )  # fmt: skip
    studying.open_study(study=study, by=admin)
    for place, name in enumerate(names):
        _sit(study, make_person(Role.PARTICIPANT, name), right + place % 2)
    studying.end_study(study=study, by=admin)
    return Study.objects.get(pk=study.pk)


def _sit(study: Study, person: User, right: int) -> None:
    """Write a session straight into the tables, as it is once all is graded."""
    now = timezone.now()
    part = Participation.objects.create(
        study=study, person=person, pseudonym=str(person.pk), consent_version=1,
        consent_sha256=study.consent_sha256,
    )  # fmt: skip
    session = Session.objects.create(
        participation=part, seed=1, started_at=now - timedelta(minutes=30), ends_at=now,
        ended_at=now, ending=Session.Ending.HANDED_IN,
    )  # fmt: skip
    solver = Solver.objects.create(name=str(person), kind="HUMAN", user=person)
    *answered, left_empty = study.items.select_related("item").order_by("pk")
    attempts = [
        Attempt(
            solver=solver,
            revision_id=one.item.revision_id,
            origin=Attempt.Origin.STUDY,
            response="m",
            status="GRADED",
        )
        for one in answered
    ]
    scores = [RIGHT if place < right else SIMILAR for place in range(len(attempts))]
    run = GradingRun.objects.get_adopted(study.version.benchmark_id)
    store(run, zip(attempts, scores, strict=True))
    items = [
        SessionItem(session=session, place=place, study_item=one, outcome="ANSWERED", attempt=given)
        for place, (one, given) in enumerate(zip(answered, attempts, strict=True), 1)
    ]
    items.append(SessionItem(session=session, place=16, study_item=left_empty, outcome="EMPTY"))
    SessionItem.objects.bulk_create(items)


@pytest.fixture
def named(studies, admin) -> Study:
    """Named after the other was: the one before it is none any more."""
    studying.name_baseline(study=studies[0], by=admin)
    studying.name_baseline(study=studies[1], by=admin)
    return studies[1]


def words(text: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", text).split())


def read(client: Client, name: str, *arguments: object, **query: object) -> str:
    response = client.get(reverse(name, args=arguments), query)
    assert response.status_code == 200, name
    return response.text


def read_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def read_all(client: Client, study: Study) -> dict[str, str]:
    """Read every public page, picture and file that tells of people."""
    model = Submission.objects.filter(withdrawn_at=None).earliest("pk").solver_id
    number = study.version.number
    two = {"a": model, "b": f"study-{study.pk}"}
    read(client, "eed", "test")
    read(client, "contrasts", "test")
    work_out_analyses()
    texts = {name: read(client, name, "test") for name in ("eed", "contrasts")}
    texts["board"] = read(client, "board_of", "test")
    texts |= {
        f"{name}{'.narrow' if narrow else ''}": read(client, name, *arguments, **narrow)
        for name, arguments in (("board_picture", ["test"]), ("eed_picture", ["test", "scatter"]))
        for narrow in ({}, {"layout": "narrow"})
    }
    texts |= {name: read(client, name, "test") for name in ("board_csv", "eed_csv")}
    texts |= {name: read(client, name, "test", **two) for name in ("compare", "compare_csv")}
    texts["compare_svg"] = read(client, "compare_svg", "test", **two)
    texts["trust"] = read(client, "trust", "test", number)
    program = Program(make_secret(study.made_by, [Scope.READ]))
    texts["api"] = program.get(f"/benchmarks/test/versions/{number}/board").text
    return texts


def test_every_public_page_and_file_says_the_same_of_the_human_baseline(
    client: Client, named: Study
) -> None:
    """Of six people, who were right on 8 or 9 of 16 problems: 51 of 96."""
    texts = read_all(client, named)
    [row] = [one for one in read_rows(texts["board_csv"]) if one["solver"] == "Human baseline"]
    assert (row["people"], row["study"], row["accuracy"]) == ("6", "Professors", "53.12")
    eed = f"{float(row['eed']):.1f}"

    # As figures: the same in each file.
    [other] = [one for one in read_rows(texts["eed_csv"]) if one["solver"] == "Human baseline"]
    assert [other[name] for name in ("people", "study", "accuracy", "eed")] == [
        row[name] for name in ("people", "study", "accuracy", "eed")
    ]
    alls = [one for one in read_rows(texts["compare_csv"]) if one["part"] == "ALL"]
    assert {one["second"] for one in alls} == {"Human baseline, 6 people"}
    assert {one["metric"]: one["second_mean"] for one in alls} == {
        name: f"{float(row[name]):g}" for name in ("eed", "accuracy")
    }
    told = json.loads(texts["api"])["studies"]
    assert [one["name"] for one in told] == ["Human baseline", "Students"]
    assert [one["is_human_baseline"] for one in told] == [True, False]
    assert round(told[0]["accuracy"]["value"], 2) == 53.12

    # As a reader sees them: beside each name how many, and after it no other figure.
    for name in ("board", "board_picture", "board_picture.narrow", "eed", "eed_picture", "compare"):
        assert "Human baseline, 6 people" in words(texts[name]), name
    assert {one.split(", ", 1)[1] for one in re.findall(
        r"Human baseline, \d+ \w+", " ".join(map(words, texts.values()))
    )} == {"6 people"}  # fmt: skip
    assert re.search(
        rf"Human baseline, 6 people The study “Professors”\..*? EED {eed} .*? Accuracy, % 53\.1 ",
        words(texts["board"]),
    )
    assert re.search(rf"Human baseline, 6 people 53\.1 \([^)]*\).*? {eed} ", words(texts["eed"]))
    assert re.search(r"Human baseline 6 15 of 16 96 0 ", words(texts["trust"]))


def test_the_leaderboard_in_a_terminal_has_the_people_of_the_boards_file(
    client: Client, named: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = read_rows(read(client, "board_csv", named.version.benchmark.slug))
    people = [one for one in rows if one["kind"] == "people"]
    assert [one["solver"] for one in people] == ["Human baseline", "Students", OTHERS]

    def run(*arguments: str) -> str:
        call_command("leaderboard", *arguments)
        return capsys.readouterr().out

    told = [json.loads(line) for line in run("--json").splitlines()]
    for printed in (read_rows(run("--csv")), told):
        theirs = [one for one in printed if one["kind"] == "people"]
        assert [{name: str(value) for name, value in one.items()} for one in theirs] == people
    table = words(run())
    assert re.search(r"Human baseline, 6 people \S+ \(\S+\) 53\.1 \(\S+\) 96 0 – 0 –", table)
    assert "Students, 5 people" in table


@pytest.mark.parametrize(
    ("number_of_people", "sentence"),
    [
        (0, "No answer to this version is shown yet. People who took part in a study are on the"
            " board of its version: --number 1."),
        (1, "One person has answered. Figures for people are shown from 5 people."),
    ],
)  # fmt: skip
def test_a_board_in_a_terminal_that_shows_nobody_says_where_people_are(
    answer: Callable[..., None],
    benchmark: Benchmark,
    admin: User,
    capsys: pytest.CaptureFixture[str],
    number_of_people: int,
    sentence: str,
) -> None:
    _make_study(benchmark, admin, "Students", "abcde", 4)
    for number in range(number_of_people):
        answer(f"outside-{number}", 12)
    left = benchmark.problems.accepted().order_by("pk").first()
    assert left is not None
    benchmark.problems.accepted().exclude(pk=left.pk).update(status="RETIRED")
    publish_version(benchmark)

    call_command("leaderboard")

    assert capsys.readouterr().out.splitlines()[1:] == [sentence]


def test_no_public_page_or_file_has_people_without_saying_which(
    client: Client, named: Study
) -> None:
    texts = read_all(client, named)
    for name, text in texts.items():
        assert not re.search(r'<th scope="row">\s*People\b', text), name
        assert not re.search(r"<text[^>]*>\s*[Pp]eople\b", text), name
        assert "People against" not in words(text), name
    for name in ("board_csv", "eed_csv"):
        people = {row["solver"]: row["people"] for row in read_rows(texts[name]) if row["people"]}
        assert people == {"Human baseline": "6", "Students": "5", OTHERS: "6"}, name
    for name in ("eed", "board"):
        for label in ("Students, 5 people", f"{OTHERS}, 6 people"):
            assert label in words(texts[name])
    assert re.search(rf"Students 5 15 of 16 .* {OTHERS} 6 16 of 16 ", words(texts["trust"]))
    assert "everybody who answered, in studies and without one: 17 people" in texts[
        "contrasts"
    ] or ("There is no list yet" in texts["contrasts"])


def test_before_one_is_named_nothing_is_called_so_and_the_board_says_it(
    client: Client, studies: list[Study]
) -> None:
    texts = read_all(client, studies[0])
    sentence = "No study is named as the human baseline of this version"
    assert sentence in texts.pop("board")
    assert not [name for name, text in texts.items() if "Human baseline" in text]
    assert "Students, 5 people" in words(texts["board_picture"])


def test_a_new_version_has_none_until_one_is_named(client, named, benchmark, problems, admin):
    later = versioning.make_draft(benchmark=benchmark, by=admin)
    versioning.publish(version=later, by=admin)
    assert "Human baseline" not in words(read(client, "board_of", "test"))
    assert not HumanBaseline.objects.filter(version=later).exists()


def test_people_of_each_group_are_compared_with_models_and_not_with_each_other(client, named):
    asked = {"a": f"study-{named.pk}", "b": "people"}
    text = words(read(client, "compare", "test", **asked))
    assert "People are compared with models here, not with other people." in text
    assert read_rows(read(client, "compare_csv", "test", **asked)) == []


def test_a_regrade_compares_each_group_with_itself(named, benchmark):
    run = GradingRun.objects.get_adopted(benchmark.pk)
    [board, *_before] = compare_boards(run)
    assert [row.name for row in board.rows[-3:]] == [
        "Human baseline, 6 people", "Students, 5 people", f"{OTHERS}, 6 people",
    ]  # fmt: skip


# --- Who names it, and what the database refuses ----------------------------------------------


def test_an_admin_names_it_on_the_results_page_and_ends_it_there(client, studies, admin):
    client.force_login(admin)
    page = reverse("grading:study_results", args=[studies[0].pk])
    assert "has no human baseline" in client.get(page).text
    way = reverse("grading:name_baseline", args=[studies[0].pk])
    shown = client.post(way, {"is_baseline": "yes"}, follow=True)
    assert shown.redirect_chain == [(page, 302)]
    assert "This study is the human baseline of" in shown.text
    other = reverse("grading:study_results", args=[studies[1].pk])
    assert "is “Students”" in client.get(other).text
    assert "has no human baseline" in client.post(way, {"is_baseline": "no"}, follow=True).text
    trust = client.get(reverse("trust", args=["test", 1])).text
    assert "Named as the human baseline: Students" in trust
    assert "No longer the human baseline: Students" in trust


def test_to_name_another_ends_the_one_before_and_both_rows_stay(named, studies, admin):
    before, now = HumanBaseline.objects.order_by("pk")
    assert (before.study, before.ended_by, before.ended_at is None) == (studies[0], admin, False)
    assert (now.study, now.named_by, now.ended_at) == (named, admin, None)
    studying.name_baseline(study=named, by=admin)
    assert HumanBaseline.objects.count() == 2


def test_only_the_study_that_is_the_baseline_is_dropped_and_of_another_the_page_says_so(
    client, named, studies, admin
):
    client.force_login(admin)
    way = reverse("grading:name_baseline", args=[studies[0].pk])
    text = client.post(way, {"is_baseline": "no"}, follow=True).text
    assert "This study is not the human baseline of its version." in text
    assert "has no human baseline now" not in text
    assert HumanBaseline.objects.counting().get().study == named


def test_what_no_button_sends_names_no_baseline_and_ends_none(client, named, studies, admin):
    client.force_login(admin)
    for study in studies:
        way = reverse("grading:name_baseline", args=[study.pk])
        for sent in ({}, {"is_baseline": "nonsense"}):
            assert client.post(way, sent).status_code == 400
    assert HumanBaseline.objects.counting().get().study == named


def test_only_admins_name_it_and_only_a_study_that_has_ended(studies, admin, evaluator):
    for act in (studying.name_baseline, studying.drop_baseline):
        with pytest.raises(PermissionDenied):
            act(study=studies[0], by=evaluator)
    draft = studying.make(version=studies[0].version, title="Later", by=admin, problems=3)
    with pytest.raises(NotAllowedNow):
        studying.name_baseline(study=draft, by=admin)


@pytest.mark.parametrize("what", ["two", "running", "elsewhere", "renamed", "deleted", "revived"])
def test_the_database_refuses(named, studies, admin, benchmark, what):
    running = studying.make(version=named.version, title="Later", by=admin, problems=3)
    ended = HumanBaseline.objects.get(study=studies[0])

    def create(study: Study, version: object) -> object:
        return HumanBaseline.objects.create(study=study, version=version, named_by=admin)

    later = versioning.make_draft(benchmark=benchmark, by=admin)
    tries: dict[str, Callable[[], object]] = {
        "two": lambda: create(studies[0], named.version),
        "running": lambda: create(running, named.version),
        "elsewhere": lambda: create(named, later),
        "renamed": lambda: HumanBaseline.objects.counting().update(study=studies[0]),
        "deleted": lambda: ended.delete(),
        "revived": lambda: HumanBaseline.objects.filter(pk=ended.pk).update(
            ended_at=timezone.now()
        ),
    }
    with pytest.raises(DatabaseError), transaction.atomic():
        tries[what]()
