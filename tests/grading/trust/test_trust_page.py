"""The page on how far a board can be trusted: its figures, its files, and what it does not leak."""

import csv
import io
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.versions import actions as versioning
from curation.versions.citing import cite_board
from grading.answers.models import Attempt
from grading.board.scores.peoples import collect_peoples
from grading.board.scores.scope import Scope
from grading.board.trust import contamination
from grading.board.trust.changes import ChangeKind, list_changes
from grading.samples.audits.drawing import draw
from grading.solvers.models import Solver
from phybench.people.models import Role
from phybench_grader.statistics.clusters import average
from tests.conftest import make_person
from tests.curation.errors.reports import accept_correction, decide, report_error
from tests.grading.audits.conftest import (
    RIGHT,
    UNREADABLE,
    WRONG,
    agree_with_grader,
    label_all,
)
from tests.memory import remembered
from tests.organisations import publish
from tests.versions import publish_version
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


def address(version, name="trust") -> str:
    return reverse(name, args=[version.benchmark.slug, version.number])


def read(client, version) -> str:
    response = client.get(address(version))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture
@remembered
def on_board(answer, problems):
    submission = answer({problems[0]: [RIGHT], problems[1]: [UNREADABLE]})
    publish(submission)
    return submission


def test_without_answers_it_says_what_will_be_there(client, version):
    page = read(client, version)
    assert "No answer is graded yet, so there is nothing to measure." in page
    assert "No graded answer is published yet." in page
    assert "There are no submissions on the board yet." in page
    assert "3 public problems" in page


def test_coverage_is_told_of_each_kind_and_row(client, version, on_board):
    context = client.get(address(version)).context
    [kind] = context["kinds"]
    assert (kind.solvers, kind.answered, kind.scored, kind.unreadable, kind.missing) == (
        1, 2, 2, 1, 1,
    )  # fmt: skip
    [(row, why_unranked)] = context["rows"]
    assert (row.figures.answered, row.figures.asked, row.submission) == (2, 3, on_board)
    assert why_unranked == "it answers fewer than 90 % of the problems"
    assert "2 of 3" in read(client, version)


def test_people_are_a_kind_of_their_own_once_they_are_enough(client, version, on_board, problems):
    for number in range(5):
        person = Solver.objects.create(
            name=f"P{number}", kind="HUMAN", user=make_person(Role.PARTICIPANT, f"p{number}")
        )
        attempt = Attempt.objects.create(
            solver=person,
            revision=problems[2].accepted_revision,
            origin=Attempt.Origin.OUTSIDE,
            response=RIGHT,
        )
        grade_attempt(attempt.pk)
        if number == 3:
            page = client.get(address(version))
            assert len(page.context["kinds"]) == 1
            assert "4 people answered, too few for figures." in page.text
    _models, people = client.get(address(version)).context["kinds"]
    assert (people.solvers, people.answered) == (5, 1)
    assert people.label == "Other answers of people, without a clock"
    assert (people.scored, people.missing) == (5, None)


def test_an_error_that_nobody_has_measured_is_said_to_be_unknown(client, version, on_board):
    page = read(client, version)
    assert "Not yet measured for grader" in page
    assert "ignore a difference of a few points" in page


def test_the_measured_error_is_told_in_words_with_intervals(
    client, version, answer, problems, admin, other_admin
):
    publish(answer({problems[0]: [RIGHT] * 4, problems[1]: [WRONG] * 4}))
    sample = draw(version=version, by=admin, size=20)
    label_all(sample, admin, other_admin, agree_with_grader)
    page = read(client, version)
    assert "It rejects 0.0 % (" in page
    assert "The grader accepts 50.0 % of all answers. By people’s labels, 50.0 % of them" in page


def test_what_changed_is_one_list_with_the_newest_first(
    client, version, problems, admin, contributor, reviewer, participant, on_board
):
    report = report_error(problems[1], participant)
    decide(report, admin, "KEY_FIXED", reason="Twice too large.")
    accept_correction(problems[1], contributor, reviewer)
    item = version.items.get(problem=problems[0])
    versioning.withdraw_item(item=item, reason="Ambiguous.", by=admin)
    found = list_changes(version)
    assert [one.kind for one in found] == [
        ChangeKind.WITHDRAWAL,
        ChangeKind.ERRATUM,
        ChangeKind.RUN,
        ChangeKind.VERSION,
    ]
    assert found[0].address.endswith(f"#withdrawn-{item.identifier}")
    rows = list(
        csv.reader(io.StringIO(client.get(address(version, "changes_csv")).content.decode()))
    )
    assert rows[0] == ["at", "kind", "title", "why"]
    assert [row[3] for row in rows[1:3]] == ["Ambiguous.", "Twice too large."]


def test_a_later_version_s_page_says_what_was_public_before(
    version, problems, benchmark, contributor, reviewer, admin
):
    later = versioning.make_draft(benchmark=benchmark, by=admin)
    later.items.update(is_hidden=False)
    versioning.publish(version=later, by=admin)
    later.refresh_from_db()
    known = contamination.describe(later)
    assert (known.public, known.public_before, known.hidden) == (5, 3, 0)
    assert known.public_since == version.published_at
    first = contamination.describe(version)
    assert (first.public, first.public_before, first.hidden) == (3, 0, 2)


def test_a_draft_has_no_such_page(client, version, benchmark, admin):
    drafted = versioning.make_draft(benchmark=benchmark, by=admin)
    assert client.get(address(drafted)).status_code == 404


def test_access_is_counted_and_no_one_is_named(client, version, problems, answer, evaluator):
    ledger.record(
        evaluator, Reason.READ, problems[0].accepted_revision, parts=[Part.STATEMENT, Part.ANSWER]
    )
    publish(answer({problems[0]: [RIGHT]}))
    # The organisation's name has its maker's in it here.
    evaluator.display_name = "R. Hooke"
    evaluator.save()
    page = read(client, version)
    assert "R. Hooke" not in page
    assert evaluator.email not in page
    header, row = csv.reader(
        io.StringIO(client.get(address(version, "access_csv")).content.decode())
    )
    assert dict(zip(header[4:], row[4:], strict=True)) == {
        "people": "1",
        "public_statements": "1",
        "public_keys": "1",
        "public_verdicts": "0",
        "hidden_statements": "0",
        "hidden_keys": "0",
        "hidden_verdicts": "0",
    }


def test_as_many_queries_for_one_row_as_for_three(client, version, answer, problems):
    counts = []
    for names in (["one"], ["two", "three"]):
        for one in names:
            person = make_person(Role.EVALUATOR, one)
            publish(answer({problems[0]: [RIGHT]}, model=one, by=person))
        for name in ("trust", "access_csv"):
            client.get(address(version, name))
            with CaptureQueriesContext(connection) as asked:
                client.get(address(version, name))
            counts.append(len(asked))
    assert counts[:2] == counts[2:]
    assert max(counts) <= 45


def test_a_board_is_cited_with_version_day_and_address(version, settings):
    settings.SITE_URL = "https://phybench.example"
    version.benchmark.name = "R&D_100%"
    found = cite_board(version, date(2026, 11, 24))
    link = f"https://phybench.example/b/{version.benchmark.slug}/?version={version.number}"
    assert found.text.endswith(link)
    assert "24 November 2026" in found.text or "Nov" in found.text
    assert version.sha256[:12] in found.text
    assert f"{version.benchmark.slug}-v{version.number}-board-2026-11-24" in found.bibtex
    assert r"R\&D\_100\%" in found.bibtex
    assert "urldate      = {2026-11-24}" in found.bibtex
    assert version.sha256 in found.bibtex


def test_a_version_without_a_hidden_part_says_what_that_means(client, benchmark, problems):
    page = read(client, publish_version(benchmark))
    assert "This version has no hidden part" in page


def test_while_an_answer_of_people_waits_their_mean_is_a_range(version, problems):
    for number in range(6):
        person = Solver.objects.create(
            name=f"P{number}", kind="HUMAN", user=make_person(Role.PARTICIPANT, f"p{number}")
        )
        attempt = Attempt.objects.create(
            solver=person,
            revision=problems[2].accepted_revision,
            origin=Attempt.Origin.OUTSIDE,
            response=RIGHT,
        )
        if number < 5:
            grade_attempt(attempt.pk)
    [others] = collect_peoples(Scope.of(version))
    accuracy = others.scores.of("accuracy")
    mean = average(accuracy, others.scores.people, others.scores.problems)
    assert (len(accuracy), mean.value, mean.say()) == (6, None, "83.3–100.0")
