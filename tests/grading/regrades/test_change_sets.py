"""A grading run as a change set: graded by workers, compared, adopted or discarded by one admin."""

from collections.abc import Callable
from contextlib import ExitStack

import pgtrigger
import pytest
from django.db import DatabaseError, models, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers import grader
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun, Ungraded
from grading.answers.submissions.models import Submission
from grading.answers.tasks import GRADING
from grading.board.rank_changes import MovedBoard, compare_boards
from grading.board.table import make_board, rank_board
from grading.disputes.regrades import actions, work
from grading.disputes.regrades.comparison import compare, list_moved
from grading.disputes.regrades.models import RegradePart
from grading.disputes.regrades.tasks import REGRADING
from grading.management.commands.regrade import describe_place
from phybench.people.models import Role, User
from phybench.work.leases import carry_out
from phybench.work.models import Lost
from phybench_grader.numbers.sentences import Sentence
from tests.boards import grade, make_scored_board
from tests.conftest import make_person
from tests.grading.concurrency import hold, meanwhile
from tests.grading.conftest import HandIn
from tests.grading.regrades.conftest import Misjudge, rule
from tests.memory import remembered
from tests.organisations import publish
from tests.work import grade_attempt, work_out_analyses

pytestmark = pytest.mark.django_db


def begin(benchmark: Benchmark, admin: User) -> GradingRun:
    run = actions.begin(benchmark=benchmark, why="A better grader.", by=admin)
    actions.queue(run)
    return run


def work_off() -> int:
    """Do all parts that wait, as one worker; return how many."""
    done = 0
    while rows := REGRADING.claim_some():
        carry_out(REGRADING, rows)
        done += 1
    return done


def regrade(benchmark: Benchmark, admin: User) -> GradingRun:
    run = begin(benchmark, admin)
    work_off()
    return run


def read_outcome(submission: Submission) -> list[tuple[str, float, str]]:
    """List verdict, EED and the grader's own verdict of each answer that counts."""
    grades = Grade.objects.current().filter(attempt__submission=submission)
    found = grades.order_by("attempt").values_list("verdict", "eed", "automatic_verdict")
    return list(found)


def at_once(row: models.Model, *steps: Callable[[], object]) -> None:
    """Have all wait for one row, and let them go on together."""
    with ExitStack() as waiting:
        held = f'select 1 from "{row._meta.db_table}" where id = %s for update'
        release = waiting.enter_context(hold(held, row.pk))
        futures = [waiting.enter_context(meanwhile(step)) for step in steps]
        release()
        for future in futures:
            future.result()


# --- Graded by workers ------------------------------------------------------------------------


def test_workers_grade_a_run_in_parts_and_the_board_stays_as_it_is(
    benchmark: Benchmark, submission: Submission, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "A_PART", 1)
    before = make_board(benchmark).rows
    run = begin(benchmark, admin)
    assert run.parts.count() == 2
    assert work_off() == 2
    assert (run.grades.count(), run.parts.filter(done_at=None).count()) == (2, 0)
    assert make_board(benchmark).rows == before
    assert compare(run).other_verdicts == 1


def test_what_is_answered_meanwhile_is_graded_after_the_last_part(
    benchmark: Benchmark, submission: Submission, admin: User, problems: list[Problem],
    hand_in: HandIn, misjudge: Misjudge,
) -> None:  # fmt: skip
    run = begin(benchmark, admin)
    misjudge(hand_in((problems[0], "m g h"), model="Another"))
    assert work_off() == 2
    assert (run.grades.count(), actions.list_left(run).count()) == (3, 0)


def test_a_part_that_takes_worker_after_worker_leaves_its_answers_ungraded_with_a_reason(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    run = begin(benchmark, admin)
    part = REGRADING.claim()
    assert part is not None
    work.give_up(part)
    assert set(run.ungraded.values_list("reason", flat=True)) == {"worker_lost"}
    assert compare(run).no_longer_graded == 2


def test_a_worker_that_lost_its_part_changes_nothing(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    run = begin(benchmark, admin)
    part = REGRADING.claim()
    assert part is not None
    RegradePart.objects.update(tries=7)
    carry_out(REGRADING, [part])
    assert run.parts.get().done_at is None
    assert run.grades.count() == 2, "what is graded is the same whoever did it"


def test_the_same_answer_by_the_same_key_and_grader_is_not_judged_twice(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    first = regrade(benchmark, admin)
    actions.adopt(run=first, by=admin)
    again = regrade(benchmark, admin)
    # What is judged takes another time; what is known says that of the first.
    taken = [list(run.grades.values_list("attempt", "seconds")) for run in (first, again)]
    assert taken[0] == taken[1]


# --- What a person ruled ----------------------------------------------------------------------


def test_a_ruling_counts_once_a_run_that_took_it_up_is_adopted(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, admin: User
) -> None:
    submission = hand_in((problems[0], "2 m g h"))
    grade_attempt(submission.attempts.get().pk)
    [(_verdict, eed, _none)] = read_outcome(submission)
    override = rule(submission.attempts.earliest("pk"), admin)
    assert read_outcome(submission) == [("PARTIAL", eed, "")]
    run = regrade(benchmark, admin)
    assert compare(run).by_ruling == 1
    actions.adopt(run=run, by=admin)
    assert read_outcome(submission) == [("CORRECT", 100.0, "PARTIAL")]
    grade = Grade.objects.current().get()
    assert (grade.override, grade.automatic_eed, grade.trees) == (override, eed, None)


def test_a_ruling_holds_for_all_answers_in_the_same_words(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, admin: User
) -> None:
    ours, theirs = hand_in((problems[0], "2 m g h")), hand_in((problems[0], "2 m g h"), model="B")
    for one in (ours, theirs):
        grade_attempt(one.attempts.get().pk)
    rule(ours.attempts.earliest("pk"), admin)
    actions.adopt(run=regrade(benchmark, admin), by=admin)
    assert read_outcome(theirs) == [("CORRECT", 100.0, "PARTIAL")]
    later = hand_in((problems[0], "2 m g h"), model="C")
    grade_attempt(later.attempts.get().pk)
    assert read_outcome(later) == [("CORRECT", 100.0, "PARTIAL")], "also what comes after it"


def test_an_answer_that_is_to_be_read_as_something_is_graded_as_that(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, admin: User
) -> None:
    submission = hand_in((problems[0], "m g (h"))
    grade_attempt(submission.attempts.get().pk)
    rule(submission.attempts.earliest("pk"), admin, "READ_AS", "m g h / 2")
    actions.adopt(run=regrade(benchmark, admin), by=admin)
    [(verdict, eed, automatic)] = read_outcome(submission)
    assert (verdict, automatic) == ("PARTIAL", "UNREADABLE")
    assert 0 < eed < 100


def test_a_ruling_by_another_key_says_nothing_of_right_and_wrong(
    benchmark: Benchmark, problems: list[Problem], hand_in: HandIn, admin: User
) -> None:
    submission = hand_in((problems[0], "2 m g h"))
    grade_attempt(submission.attempts.get().pk)
    override = rule(submission.attempts.earliest("pk"), admin)
    found = work.find_overrides
    run = actions.begin(benchmark=benchmark)
    attempts, revision = [submission.attempts.get()], override.revision
    assert found(run, attempts, {revision.pk: revision}) == {attempts[0].pk: override}
    revision.answer = "3 m g h"
    assert found(run, attempts, {revision.pk: revision}) == {}


# --- Ranks --------------------------------------------------------------------------------------


@pytest.fixture
@remembered
def rivals(problems: list[Problem], hand_in: HandIn, misjudge: Misjudge) -> list[Submission]:
    """Two models whose ranks a better grader swaps: all of one's right answers count as wrong."""
    ours = misjudge(hand_in((problems[0], "m g h"), (problems[1], "a/b"), model="Ours"))
    theirs = hand_in((problems[0], "m g h"), (problems[1], "0"), model="Theirs")
    for attempt in theirs.attempts.all():
        grade_attempt(attempt.pk)
    publish(theirs)
    return [ours, theirs]


def test_changes_on_boards_are_shown_once_all_is_graded(
    client: Client, benchmark: Benchmark, rivals: list[Submission], admin: User
) -> None:
    run = begin(benchmark, admin)
    client.force_login(admin)
    boards = reverse("rank_changes", args=[benchmark.slug, run.pk])
    assert client.get(boards).url == run.get_absolute_url()
    work_off()
    assert [row.name for row in client.get(boards).context["boards"][0].moved] == ["Ours"]


def test_it_says_which_means_change_on_each_board(
    benchmark: Benchmark, rivals: list[Submission], admin: User
) -> None:
    run = regrade(benchmark, admin)
    [board] = compare_boards(run)
    means = {
        row.name: [(one.mean_before.value, one.mean_after.value) for one in row.places]
        for row in board.moved
    }
    assert means == {"Ours": [(0, 40), (0, 40)]}
    actions.adopt(run=run, by=admin)
    assert [row.name for row in make_board(benchmark).rows] == ["Ours", "Theirs"]


def test_a_mean_that_a_run_leaves_open_is_said_as_where_it_can_lie(
    client: Client, admin: User
) -> None:
    made = make_scored_board({"First": [[100.0]] * 4})
    base = GradingRun.objects.adopted().get(benchmark=made.benchmark)
    run = GradingRun.objects.create(benchmark=made.benchmark, base=base, why="Begun.")
    attempts = Attempt.objects.select_related("solver").order_by("pk")
    Grade.objects.bulk_create(grade(run, attempt, 100.0) for attempt in attempts[1:])
    [board] = compare_boards(run)
    [row] = board.moved
    assert describe_place(row.places[0]) == "EED 100.0 (–) → 75.0–100.0 (–)"
    client.force_login(admin)
    boards = reverse("rank_changes", args=[made.benchmark.slug, run.pk])
    assert boards in client.get(run.get_absolute_url()).text
    assert '100.0 → <span class="nowrap">75.0–100.0</span>' in client.get(boards).text


def test_a_board_of_no_version_is_named_as_its_page_names_it(client: Client, admin: User) -> None:
    made = make_scored_board({"First": [[100.0]] * 4})
    with pgtrigger.ignore():
        Submission.objects.update(version=None)
    base = GradingRun.objects.adopted().get(benchmark=made.benchmark)
    run = GradingRun.objects.create(benchmark=made.benchmark, base=base, why="Begun.")
    client.force_login(admin)
    name = "Submissions from before the first version"
    assert (
        f"<h3>{name}</h3>"
        in client.get(reverse("rank_changes", args=[made.benchmark.slug, run.pk])).text
    )
    assert name in client.get("/b/scored/?version=0").text


def test_it_says_the_ranks_before_and_after() -> None:
    """By the run that is beside all answers of one are wrong, and the other's are right."""
    made = make_scored_board({"First": [[100.0]] * 40, "Second": [[0.0]] * 40})
    base = GradingRun.objects.adopted().get(benchmark=made.benchmark)
    run = GradingRun.objects.create(benchmark=made.benchmark, base=base, why="Swapped.")
    swapped = {"First": 0.0, "Second": 100.0}
    Grade.objects.bulk_create(
        grade(run, attempt, swapped[attempt.solver.name])
        for attempt in Attempt.objects.select_related("solver")
    )
    for board in (compare_boards(run, rank_board), [*ask_workers(run)]):
        [found] = board
        ranks = {
            row.name: [str(one.before) + str(one.after) for one in row.places] for row in found.rows
        }
        assert ranks == {"First": ["12", "12"], "Second": ["21", "21"]}


def ask_workers(run: GradingRun) -> list[MovedBoard]:
    [coming] = compare_boards(run)
    assert coming.is_coming
    work_out_analyses()
    return compare_boards(run)


# --- Two admins ---------------------------------------------------------------------------------


@pytest.fixture
def other(admin: User) -> User:
    return make_person(Role.ADMIN, "other-admin")


def test_who_adopts_beside_a_run_that_no_longer_counts_is_told_and_brings_it_up_to_date(
    benchmark: Benchmark, submission: Submission, admin: User, other: User
) -> None:
    ours = regrade(benchmark, admin)
    rule(submission.attempts.earliest("pk"), admin, "WRONG")
    theirs = regrade(benchmark, other)
    assert ours.pk != theirs.pk, "a ruling came between"
    actions.adopt(run=theirs, by=other)
    with pytest.raises(actions.CannotDecide, match=f"Run {theirs.pk} was adopted by"):
        actions.adopt(run=ours, by=admin)
    newer = actions.renew(run=ours, by=admin)
    work_off()
    ours.refresh_from_db()
    assert (ours.discarded_by, newer.base) == (admin, theirs)
    assert list_moved(newer).count() == 0, "nothing of the other’s is lost"


def test_a_second_admin_who_acts_on_an_older_state_is_told(
    client: Client, benchmark: Benchmark, submission: Submission, admin: User, other: User
) -> None:
    run = regrade(benchmark, admin)
    client.force_login(other)
    page = client.get(run.get_absolute_url())
    seen = page.context["adopting"].initial["seen"]
    Ungraded.objects.create(run=run, attempt=submission.attempts.latest("pk"), reason="timeout")
    give = {"why_adopted": "It is better.", "seen": seen}
    address = reverse("grading:adopt_regrade", args=[run.pk])
    said = client.post(address, give, follow=True).content.decode()
    assert "This run has changed since you opened the page." in said
    actions.adopt(run=run, by=admin, why="It is better.")
    for name in ("adopt_regrade", "discard_regrade"):
        given = {**give, "why_discarded": "It is worse."}
        said = client.post(reverse(f"grading:{name}", args=[run.pk]), given, follow=True)
        assert f"This run was already adopted by {admin}." in said.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_is_told(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    run = regrade(benchmark, admin)
    refused: list[str] = []

    def decide(how: Callable[[], object]) -> Callable[[], None]:
        def act() -> None:
            try:
                how()
            except actions.CannotDecide as why:
                refused.append(str(why))

        return act

    at_once(
        run,
        decide(lambda: actions.adopt(run=run, by=admin)),
        decide(lambda: actions.discard(run=run, by=admin, why="It is worse.")),
    )
    run.refresh_from_db()
    assert len(refused) == 1
    assert (run.adopted_at is None) == (run.discarded_at is not None)


@pytest.mark.django_db(transaction=True)
def test_two_who_begin_at_once_begin_one_run(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    at_once(benchmark, lambda: begin(benchmark, admin), lambda: begin(benchmark, admin))
    run = GradingRun.objects.proposed().get()
    assert run.parts.count() == 1


def test_a_run_that_was_discarded_stays_so(benchmark: Benchmark, admin: User) -> None:
    run = benchmark.grading_runs.create(grader_version="2", why="Another judge.")
    actions.discard(run=run, by=admin, why="It is worse.")
    with pytest.raises(actions.CannotDecide, match="It is worse"):
        actions.adopt(run=run, by=admin)
    with transaction.atomic(), pytest.raises(DatabaseError, match="Cannot update"):
        GradingRun.objects.filter(pk=run.pk).update(why_adopted="Or not.")


def test_a_run_that_is_still_graded_can_not_be_adopted(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    with pytest.raises(actions.CannotDecide, match="still grading"):
        actions.adopt(run=begin(benchmark, admin), by=admin)


def test_a_run_that_was_decided_on_gets_no_more_grades(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    run = actions.begin(benchmark=benchmark, by=admin)
    grading = work.grade_left(run, processes=1)
    assert next(grading) == 1
    actions.discard(run=run, by=admin, why="It is worse.")
    with pytest.raises(Lost):
        next(grading)
    assert run.grades.count() == 1


def test_what_fails_while_another_run_is_adopted_goes_by_that_run(
    benchmark: Benchmark, submission: Submission, admin: User
) -> None:
    first, _second = submission.attempts.order_by("pk")
    before = GradingRun.objects.get_adopted(benchmark.pk)
    run = regrade(benchmark, admin)
    Attempt.objects.filter(pk=first.pk).update(status="GRADING", lease_until=timezone.now())
    first.refresh_from_db()
    actions.adopt(run=run, by=admin)
    grader.fail(first, "timeout", Sentence("grading_stopped"), before)
    first.refresh_from_db()
    assert (first.status, first.failure_reason) == ("QUEUED", "")
    [taken] = GRADING.claim_some()
    grader.fail(taken, "timeout", Sentence("grading_stopped"))
    first.refresh_from_db()
    assert first.status == "GRADED", "the run that counts has a grade of it"


def test_a_decided_run_still_says_what_it_changed(
    client: Client, benchmark: Benchmark, rivals: list[Submission], admin: User
) -> None:
    run = regrade(benchmark, admin)
    client.force_login(admin)
    addresses = run.get_absolute_url(), reverse("rank_changes", args=[benchmark.slug, run.pk])
    before, boards_before = (client.get(one).context for one in addresses)
    actions.adopt(run=run, by=admin, why="It is better.")
    after, boards_after = (client.get(one).context for one in addresses)
    assert before["found"] == after["found"]
    assert boards_before["boards"] == boards_after["boards"]
    assert "adopting" not in after
