"""
How far reviewers agree, stage by stage and question by question, over many rounds.

The figures themselves are those of `phybench_grader.statistics`, pure and tested there. An item is
a round, a rating what one reviewer said last in it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from curation.reviewing.pipelines.models import VersionQuestion
from curation.reviewing.rounds.models import ReviewQuerySet, ReviewRound
from curation.texts.review_kinds import QuestionKind, find_kind
from curation.texts.stage_texts import say
from curation.texts.workflow import Recommendation
from phybench_grader.statistics.agreement import (
    Figure,
    Scale,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
)

Ratings = dict[int, int]
"""What each person said of one item, as a number."""

CODES: dict[str, int] = {value: code for code, value in enumerate(Recommendation)}


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure with what it is about, or why there is none."""

    value: float | None
    items: int
    why: str = ""

    @property
    def is_defined(self) -> bool:
        return self.value is not None


@dataclass(slots=True)
class AskedOfReviewers:
    """One thing that reviewers of a stage were asked, and what they said, item by item."""

    stage: str
    text: str
    """Empty for the recommendation."""
    kind: str = ""
    """Of the question."""
    items: dict[int, Ratings] = field(default_factory=lambda: defaultdict(dict))

    @property
    def compared(self) -> list[Ratings]:
        """The items that two people rated at least: the others say nothing of agreement."""
        return [ratings for ratings in self.items.values() if len(ratings) > 1]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far reviewers agree on one thing."""

    stage: str
    text: str
    kind: str
    scale: Scale
    items: int
    """Rounds that two reviewed at least, and so are compared."""
    single: int
    """Rounds with one review, which say nothing of agreement."""
    reviews: int
    people: int
    percent: Measured
    cohen: Measured
    fleiss: Measured
    fleiss_raters: int
    alpha: Measured


def gather(reviews: ReviewQuerySet) -> list[AskedOfReviewers]:
    """Fetch what was said, in three queries, by stage and question."""
    asked: dict[tuple[int, int, str, int, str, str], AskedOfReviewers] = {}
    rounds = ReviewRound.objects.filter(pk__in=reviews.order_by().values("round")).order_by()
    terms = ("number", "version", "version__stage", "version__name")
    kinds = list(rounds.values_list(*terms).distinct())
    of_version: defaultdict[int, list[VersionQuestion]] = defaultdict(list)
    wanted = VersionQuestion.objects.filter(version__in={version for _n, version, *_ in kinds})
    for one in wanted.order_by("place"):
        of_version[one.version_id].append(one)
    # Thousands of rounds ask one of a few lists of questions.
    lists: dict[tuple[int, int], list[tuple[str, AskedOfReviewers]]] = {}
    for number, version, stage, name in kinds:
        where = (number, stage, name)
        found = [("", asked.setdefault((*where, 0, "", ""), AskedOfReviewers(say(name), "")))]
        for question in of_version[version]:
            # Asked in other words it is another question.
            key = (*where, question.place, question.key, question.text)
            new = AskedOfReviewers(say(name), str(question), question.kind)
            found.append((question.key, asked.setdefault(key, new)))
        lists[number, version] = found
    said = reviews.newest().order_by()
    for number, version, item, person, recommendation, answers in said.values_list(
        *("round__number", "round__version", "round", "reviewer", "recommendation", "answers")
    ):
        (_key, recommended), *questions = lists[number, version]
        recommended.items[item][person] = CODES[recommendation]
        for asked_as, about in questions:
            if asked_as in answers:
                about.items[item][person] = int(answers[asked_as])
    return [one for _key, one in sorted(asked.items()) if one.items]


def measure(asked: AskedOfReviewers) -> Agreement:
    """Work out every figure for one thing that was asked, undefined ones with their reason."""
    compared = asked.compared
    scale = find_kind(asked.kind).scale if asked.kind else Scale.NOMINAL
    people = {person for ratings in compared for person in ratings}
    raters = _find_usual_number(compared)
    table = [ratings for ratings in compared if len(ratings) == raters]
    return Agreement(
        stage=asked.stage,
        text=asked.text,
        kind=str(QuestionKind(asked.kind).label) if asked.kind else "",
        scale=scale,
        items=len(compared),
        single=len(asked.items) - len(compared),
        reviews=sum(map(len, compared)),
        people=len(people),
        percent=_measure(compared, _percent),
        cohen=_measure(compared, _cohen)
        if len(people) == 2 or not compared
        else Measured(None, 0, _("more than two people")),
        fleiss=_measure(table, _fleiss),
        fleiss_raters=raters,
        alpha=_measure(compared, lambda items: _alpha(items, scale)),
    )


def _measure(items: list[Ratings], figure: Callable[[list[Ratings]], Figure]) -> Measured:
    if not items:
        return Measured(None, 0, _("no text has two reviews in a stage"))
    found = figure(items)
    why = "" if found.value is not None else _("all answers agree")
    return Measured(found.value, len(items), why)


def _find_usual_number(compared: list[Ratings]) -> int:
    """Return how many reviews most of the rounds have; of as frequent ones the larger."""
    numbers = Counter(map(len, compared))
    return max(numbers, key=lambda number: (numbers[number], number), default=0)


def _percent(items: list[Ratings]) -> Figure:
    """Of the pairs of an item, how many are equal; each item counts once, whatever its pairs."""
    shares = []
    for ratings in items:
        equal = sum(n * (n - 1) for n in Counter(ratings.values()).values())
        shares.append(100 * equal / (len(ratings) * (len(ratings) - 1)))
    return Figure(sum(shares) / len(shares), len(shares))


def _cohen(items: list[Ratings]) -> Figure:
    first, second = sorted({person for ratings in items for person in ratings})
    return cohen_kappa([(ratings[first], ratings[second]) for ratings in items])


def _fleiss(items: list[Ratings]) -> Figure:
    values = sorted({value for ratings in items for value in ratings.values()})
    counts = [Counter(ratings.values()) for ratings in items]
    return fleiss_kappa([[count[value] for value in values] for count in counts])


def _alpha(items: list[Ratings], scale: Scale) -> Figure:
    return krippendorff_alpha([list(ratings.values()) for ratings in items], scale)
