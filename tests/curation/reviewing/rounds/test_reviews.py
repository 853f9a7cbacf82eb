"""Reviews: what they need, and that they can be changed until their round closes."""

import pytest

from curation.authoring.drafts import actions
from curation.problems.people.models import Contribution
from curation.reviewing.rounds.lifecycle import Incomplete
from curation.reviewing.rounds.models import Review
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.reviewing.rounds.opened import open_round, review

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("missing", [{}, {"answer": "perhaps"}, {"answer": 6}, {"answer": 1}])
def test_a_review_without_an_answer_that_is_needed_says_which(problem, reviewer, missing):
    waiting = open_round(problem)
    answers = {question.key: True for question in waiting.version.questions.all()[1:]}
    if missing:
        answers[waiting.version.questions.all()[0].key] = missing["answer"]
    with pytest.raises(Incomplete, match="Is it well formed"):
        review(waiting, reviewer, answers=answers)
    assert not Review.objects.exists()


def test_a_review_can_be_changed_until_the_round_closes_and_all_stay(
    settings, draft, contributor, reviewer
):
    settings.REVIEWS_PER_ROUND = 2
    waiting = actions.submit(problem=draft, author=contributor)
    review(waiting, reviewer, "REVISE", "Which $g$?")
    review(waiting, reviewer, "ACCEPT", replaces=1)
    # From another window, where the change is not known.
    with pytest.raises(NotAllowedNow, match="another window"):
        review(waiting, reviewer, "REJECT", "No.", replaces=1)
    assert [(one.number, one.recommendation) for one in waiting.reviews.all()] == [
        (1, "REVISE"),
        (2, "ACCEPT"),
    ]
    assert Contribution.objects.filter(kind="REVIEWED").count() == 1
    draft.refresh_from_db()
    assert draft.status == Status.IN_REVIEW  # one person is not two
    review(waiting, make_person(Role.REVIEWER, "second"))
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED  # the newest counts
    with pytest.raises(NotAllowedNow):
        review(waiting, reviewer, "REJECT", "Too late.", replaces=2)
