"""A judge raises a ticket against a symbolic verdict, and never overrules it."""

import pytest

from grading.answers.models import Attempt, Grade
from grading.board.table import make_board
from grading.judging.judgements.models import Judgement
from grading.judging.rulings.waiting import list_waiting
from grading.samples.labels import rulings
from tests.grading.judging.judging import judge_answers, make_document, read_id, reply
from tests.grading.trials.trials import make_endpoint
from tests.organisations import publish

pytestmark = pytest.mark.usefixtures("commits")
GRADED = ("attempt_id", "verdict", "score", "judge_version")


def list_grades():
    return list(Grade.objects.current().order_by("attempt_id").values("attempt_id", "verdict"))


def list_board(benchmark):
    return [(row.name, row.tally.accuracy.value) for row in make_board(benchmark).models]


@pytest.fixture
def contrary(serve):
    """A judge that says of each answer what the grader does not: right of “x”, else wrong."""

    def judge(request):
        return reply(is_correct="\nx\n" in request.prompt, id=read_id(request))

    return make_endpoint(serve(judge))


def test_a_contrary_judge_moves_no_grade_and_no_board_and_the_answers_wait_for_a_person(
    submission, contrary, benchmark, admin
):
    publish(submission)
    grades, board = list_grades(), list_board(benchmark)
    assert [one["verdict"] for one in grades] == ["CORRECT", "INCORRECT"]
    judge_answers(submission, contrary)
    said = Judgement.objects.filter(item__canary="").order_by("pk")
    assert [one.is_right for one in said] == [False, True]
    assert all("GRADER_DISAGREES" in one.doubts for one in said), "the ticket"
    assert set(list_waiting(admin)) == set(submission.attempts.all())
    assert (list_grades(), list_board(benchmark)) == (grades, board)


def test_a_persons_ruling_on_a_ticket_does_not_move_the_grade_either(submission, contrary, admin):
    grades = list_grades()
    judge_answers(submission, contrary)
    for attempt in list_waiting(admin):
        rulings.rule(attempt=attempt, by=admin, choice="RIGHT", reason="So it is.")
    assert list_grades() == grades


def test_in_a_cascade_the_symbolic_verdict_stands_and_the_contrary_word_is_a_ticket(
    submission, contrary, admin
):
    document = make_document(contrary, mode="cascade", rule_negative="ask_model")
    judge_answers(submission, contrary, document=document)
    right, wrong = Judgement.objects.filter(item__canary="").order_by("pk")
    assert (right.is_right, right.stage, right.doubts) == (True, "RULE", [])
    assert (wrong.is_right, wrong.stage, wrong.doubts) == (False, "RULE", ["STAGES_DISAGREE"])
    assert wrong.calls == 1
    assert list_waiting(admin).get() == Attempt.objects.last()
