"""What tests of comments begin with."""

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.actions import list_threads
from curation.reviewing.discussion.models import Thread
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User
from tests.certificates import give_certificate
from tests.conftest import STATEMENT, submit


def say(
    review_round: ReviewRound,
    writer: User,
    text: str = "Which height?",
    part: str = "STATEMENT",
    quote: str = "the height $h$",
) -> Thread:
    """Comment on a passage of the statement that most tests have, or on a part as a whole."""
    start = STATEMENT.index(quote) if part == "STATEMENT" else 0
    end = start + len(quote) if part in {"STATEMENT", "SOLUTION"} else 0
    return commenting.open_thread(
        review_round=review_round, writer=writer, part=part, text=text, start=start, end=end
    )


def heard(user: User, problem: Problem) -> list[list[str]]:
    """List what a person reads of a problem's comments, thread by thread."""
    fresh = Problem.objects.get(pk=problem.pk)
    return [[one.text for one in shown.comments] for shown in list_threads(user, fresh)]


def write_next(problem: Problem, author: User, **fields: str) -> ReviewRound:
    """Submit the next revision of what was returned."""
    problem.refresh_from_db()
    actions.save_draft(
        problem=problem, author=author, saved_at="", **{"reason": "It was asked for.", **fields}
    )
    give_certificate(problem)
    return submit(problem, author)
