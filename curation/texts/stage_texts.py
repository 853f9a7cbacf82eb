"""
What the pipelines that every installation comes with say, in the reader's language.

Rows keep these texts in English, and admins may change them: a row that still says what we
shipped is translated when it is read, one that was changed is shown as its admin wrote it.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext, gettext_lazy, gettext_noop

from curation.texts.review_kinds import QuestionKind
from curation.texts.workflow import Rule

ONE_REVIEW = gettext_noop("One review beside the answer")
"""No plan that we propose: nobody solves it. One stage, of `REVIEWS_PER_ROUND` reviews."""
ONE_REVIEWER = gettext_noop("One reviewer")
TWO_REVIEWERS = gettext_noop("Two reviewers")
THREE_STAGES = gettext_noop("Full: screening, ambiguity, final solving")
"""PHYBench's: the last stage is for people who have not seen the answer."""

PLANS = {
    ONE_REVIEWER: gettext_lazy("One person solves it without the answer, and then reviews it."),
    TWO_REVIEWERS: gettext_lazy("Two people solve it without the answer, and have to agree."),
    THREE_STAGES: gettext_lazy(
        "One person checks it with the answer. Two others solve it without, and have to agree."
    ),
}
"""The plans that are ready, the smallest first, and whom each takes."""

YES_NO, SCALE = QuestionKind.YES_NO, QuestionKind.SCALE

LEADS_TO_ANSWER = gettext_noop("Does the solution lead to the answer without a gap?")
OF_SOLUTION = frozenset({LEADS_TO_ANSWER})
"""Questions that are asked only of a problem with a solution."""


def _ask_solvers(count: int) -> dict[str, Any]:
    """Describe the one stage of a plan in which all solve it blind, and have to agree."""
    return {
        "name": gettext_noop("Review"),
        "instructions": gettext_noop("Solve it with what is stated, then review it."),
        "rule": Rule.BLIND_SOLVES,
        "is_blind": True,
        "reviews_needed": count,
        "solves_needed": count,
        "due_days": 14,
        "questions": [
            (gettext_noop("Does the statement allow one reading only?"), YES_NO),
            (LEADS_TO_ANSWER, YES_NO),
        ],
    }


STAGES: dict[str, list[dict[str, Any]]] = {
    ONE_REVIEW: [
        {
            "name": gettext_noop("Review"),
            "rule": Rule.UNANIMOUS,
            "questions": [],
        }
    ],
    ONE_REVIEWER: [_ask_solvers(1)],
    TWO_REVIEWERS: [_ask_solvers(2)],
    THREE_STAGES: [
        {
            "name": gettext_noop("Screening"),
            "instructions": gettext_noop(
                "Is this a problem for the benchmark at all? You need not solve it."
            ),
            "rule": Rule.UNANIMOUS,
            # Who screens it can still be one of those who solve it: three reviewers suffice.
            "shows_key": False,
            "due_days": 7,
            # A later revision is checked for its form when it is submitted.
            "asks_again": False,
            "questions": [
                (
                    gettext_noop("Is it well formed: complete sentences, formulas that are drawn?"),
                    YES_NO,
                ),
                (
                    gettext_noop("Can it be understood from its text alone, without a figure?"),
                    YES_NO,
                ),
                (gettext_noop("Does it ask for one expression, in symbols that it names?"), YES_NO),
                (gettext_noop("Is its level as stated?"), YES_NO),
                (gettext_noop("Is the scenario a real one: could it happen as described?"), YES_NO),
            ],
        },
        {
            "name": gettext_noop("Ambiguity"),
            "instructions": gettext_noop(
                "Could somebody who knows the physics read it in another way? Look at what models "
                "answered: where they differ from the reference answer, is it their mistake?"
            ),
            "rule": Rule.UNANIMOUS,
            "shows_answers": True,
            "due_days": 14,
            "questions": [
                (gettext_noop("Does the statement allow one reading only?"), YES_NO),
                (gettext_noop("How clear is it? 5 is best."), SCALE),
            ],
        },
        {
            "name": gettext_noop("Final solving"),
            "instructions": gettext_noop("Solve it with what is stated, as a participant would."),
            "rule": Rule.BLIND_SOLVES,
            "is_blind": True,
            "reviews_needed": 2,
            "solves_needed": 2,
            "due_days": 14,
            "questions": [
                (LEADS_TO_ANSWER, YES_NO),
                (gettext_noop("How hard was it? 5 is hardest."), SCALE),
            ],
        },
    ],
}


def _list_texts() -> Iterator[str]:
    for pipeline, stages in STAGES.items():
        yield pipeline
        for stage in stages:
            yield stage["name"]
            yield stage.get("instructions", "")
            yield from (text for text, _kind in stage["questions"])


SHIPPED = frozenset(_list_texts()) - {""}


def say(text: str) -> str:
    """Return a text of a pipeline as it is read: what we shipped is translated."""
    return gettext(text) if text in SHIPPED else text
