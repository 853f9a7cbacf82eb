"""What holds of every kind of question, however it is answered."""

import pytest

from curation.reviewing.pipelines.models import VersionQuestion
from curation.reviewing.reviews.forms import ReviewForm
from curation.reviewing.rounds.lifecycle import Incomplete, check_answers
from curation.texts.review_kinds import KINDS, QuestionKind, find_kind


def ask(name: str) -> list[VersionQuestion]:
    return [VersionQuestion(key="1", text="How?", kind=name, is_required=True)]


def test_each_kind_has_an_entry():
    assert set(KINDS) == set(QuestionKind)


@pytest.mark.parametrize("name", QuestionKind.values)
def test_what_a_form_sends_is_kept_said_and_filled_in_again(name):
    kind = find_kind(name)
    assert kind.labels.keys() == kind.answers.keys()
    for text, answer in kind.answers.items():
        form = ReviewForm({"question_1": text, "recommendation": "ACCEPT"}, questions=ask(name))
        assert form.is_valid(), form.errors
        assert form.read()["answers"] == {"1": answer}
        assert check_answers(ask(name), {"1": answer}) == {"1": answer}
        assert kind.fill(answer) == text
    said = [kind.say(answer) for answer in kind.answers.values()]
    assert len(set(said)) == len(kind.answers)
    assert set(kind.made_up) <= set(kind.answers.values())


@pytest.mark.parametrize("name", QuestionKind.values)
def test_answers_of_another_kind_are_not_taken(name):
    others = [one for other in KINDS for one in KINDS[other].answers.values() if other != name]
    for answer in (*others, "yes", "4", 0, 6, 2.0, None):
        with pytest.raises(Incomplete):
            check_answers(ask(name), {"1": answer})


@pytest.mark.parametrize("name", QuestionKind.values)
def test_the_furthest_answers_are_a_hundred_apart_and_equal_ones_are_not(name):
    kind = find_kind(name)
    given = list(kind.answers.values())
    assert max(kind.apart(one, other) for one in given for other in given) == 100
    assert all(kind.apart(one, other) == kind.apart(other, one) for one in given for other in given)
    assert [kind.apart(one, one) for one in given] == [0] * len(given)
