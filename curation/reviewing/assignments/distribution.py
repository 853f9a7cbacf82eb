"""Assign many rounds by a rule: propose, show the proposal, and carry out exactly that."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from curation.problems.models import Problem
from curation.problems.translations.models import Translation
from curation.reviewing.assignments import loads
from curation.reviewing.assignments.actions import Unassignable, check_admin, give, hold_people
from curation.reviewing.assignments.models import Assignment, AssignmentPlan, PlannedAssignment
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import Eligibility
from phybench.pages.sentences import chain
from phybench.people.models import User
from phybench.people.permissions import list_reviewers
from phybench_grader.numbers.sentences import Sentence


class Weight(models.TextChoices):
    """What a rule makes of something it knows of a person."""

    MUST = "MUST", gettext_lazy("required")
    FIRST = "FIRST", gettext_lazy("preferred")
    ANY = "ANY", gettext_lazy("ignored")


@dataclass(frozen=True, slots=True)
class DistributionRule:
    """
    Of the people it leaves, those who have seen the answer come before those who could still solve
    it blind. Then the one with the fewest open assignments is next; each review missed lately
    (`loads.count_missed`) counts like one more.
    """

    domain: str = Weight.FIRST
    language: str = Weight.FIRST


@dataclass(frozen=True, slots=True)
class Fit:
    """A person as a rule sees them for one round."""

    person: User
    is_expert: bool
    reads_it: bool
    is_spent: bool
    """They would be shown the answer, and could not solve it blind in a later stage."""


def list_languages(rounds: Collection[ReviewRound]) -> dict[int, set[str]]:
    """Return, by round, the languages its problem can be read in: its own and checked ones."""
    found = {one.pk: {one.revision.problem.language} for one in rounds}
    checked = Translation.objects.checked().filter(revision__round__in=rounds)
    for pk, language in checked.values_list("revision__round", "language"):
        if pk in found:
            found[pk].add(language)
    return found


class Distribution:
    """One proposal in the making: each assignment proposed counts as held for the next."""

    def __init__(
        self, rounds: list[ReviewRound], people: list[User], rule: DistributionRule
    ) -> None:
        self.rounds = rounds
        self.people = people
        self.rule = rule
        self.eligibility = Eligibility(rounds, people)
        self.prospects = Prospects(rounds, people)
        self.declined = loads.list_declined(rounds)
        self.loads = loads.count_open(people)
        self.missed = loads.count_missed(people)
        self.languages = list_languages(rounds)

    def propose(self) -> Iterator[tuple[ReviewRound, User | None, Sentence | None]]:
        """Give each round with those who would review it, and why a place stays free."""
        for review_round in self.rounds:
            chosen: list[User] = []
            free: int = max(0, review_round.free)  # type: ignore[attr-defined]
            while len(chosen) < free and (best := self._find_best(review_round, chosen)):
                chosen.append(best)
                self.loads[best.pk] += 1
                yield review_round, best, None
            if why := self._say_why(review_round, chosen, free):
                yield review_round, None, why

    def _find_best(self, review_round: ReviewRound, chosen: list[User]) -> User | None:
        fitting = [
            self._describe(review_round, person)
            for person in self.people
            if person not in chosen and not self._find_reason(review_round, person)
        ]
        return min(fitting, key=self._order).person if fitting else None

    def _order(self, candidate: Fit) -> tuple[bool, bool, bool, int, int, int]:
        person = candidate.person
        return (
            self.rule.domain != Weight.ANY and not candidate.is_expert,
            self.rule.language != Weight.ANY and not candidate.reads_it,
            candidate.is_spent,
            self.loads[person.pk] + self.missed[person.pk],
            self.missed[person.pk],
            person.pk,
        )

    def _describe(self, review_round: ReviewRound, person: User) -> Fit:
        return Fit(
            person,
            review_round.revision.problem.domain in person.expertise,
            bool(self.languages[review_round.pk] & set(person.review_languages)),
            self.prospects.spends(review_round, person),
        )

    def _find_reason(self, review_round: ReviewRound, person: User) -> Sentence | None:
        """Say why the rule does not offer a round to a person; None where it may."""
        if why := self.eligibility.find_obstacle(review_round, person):
            return why
        code = self._find_code(review_round, person)
        return Sentence(code) if code else None

    def _find_code(self, review_round: ReviewRound, person: User) -> str:
        """Return a code of `records.OBSTACLES` for whom nothing else is in the way, or ""."""
        if self.eligibility.stand(review_round, person).across_demo:
            return "across_demo"
        if self.prospects.is_needed(review_round, person):
            return "is_needed_blind"
        if (review_round.pk, person.pk) in self.declined:
            return "has_declined"
        candidate = self._describe(review_round, person)
        if self.rule.domain == Weight.MUST and not candidate.is_expert:
            return "other_domain"
        if self.rule.language == Weight.MUST and not candidate.reads_it:
            return "other_language"
        if loads.has_as_many_as_may(self.loads[person.pk]):
            return "is_full"
        if loads.has_as_many_as_may(self.loads[person.pk] + self.missed[person.pk]):
            return "was_late"
        return ""

    def _say_why(self, review_round: ReviewRound, chosen: list[User], free: int) -> Sentence | None:
        """Say why places stay free, or why there was none to give; None where all are given."""
        if not free:
            return Sentence("places_given")
        left = free - len(chosen)
        if not left:
            return None
        others = [person for person in self.people if person not in chosen]
        why = self._count_reasons(review_round, others) if others else Sentence("no_others")
        return Sentence.of("place_free" if left == 1 else "places_free", count=str(left), why=why)

    def _count_reasons(self, review_round: ReviewRound, people: list[User]) -> Sentence:
        reasons = Counter(self._find_reason(review_round, person) for person in people)
        counts = [
            Sentence.of("reason_count", why=why or "", count=str(count))
            for why, count in reasons.most_common()
        ]
        return Sentence.of("reasons", counts=chain("reasons_listed", counts))


@transaction.atomic
def make_plan(
    *, rounds: ReviewRoundQuerySet, admin: User, rule: DistributionRule
) -> AssignmentPlan:
    """Write down what the rule would do with these rounds; nothing is assigned yet."""
    check_admin(admin)
    found = (
        rounds.open()
        .order_by("opened_at", "pk")
        .with_places()
        .select_related("revision__problem__benchmark", "version__stage")
    )
    people = list(list_reviewers().order_by("pk"))
    distribution = Distribution(list(found), people, rule)
    plan = AssignmentPlan.objects.create(made_by=admin, rule=asdict(rule))
    PlannedAssignment.objects.bulk_create(
        PlannedAssignment(plan=plan, round=one, reviewer=reviewer, why_message=why)
        for one, reviewer, why in distribution.propose()
    )
    return plan


@transaction.atomic
def carry_out(*, plan: AssignmentPlan, admin: User) -> AssignmentPlan:
    """
    Assign what the plan says and nothing else; what is not possible any more says why.

    Confirmed twice, it is carried out once.
    """
    check_admin(admin)
    plan = AssignmentPlan.objects.select_for_update().get(pk=plan.pk)
    if plan.carried_out_at:
        return plan
    rows = list(
        plan.rows.filter(reviewer__isnull=False).select_related(
            "round__revision__problem", "round__version", "reviewer"
        )
    )
    problems = {row.round.revision.problem_id for row in rows}
    # All problems, then all people, each in order: who does the same waits, and nobody in a ring.
    list(Problem.objects.select_for_update().filter(pk__in=problems).order_by("pk"))
    people = hold_people(row.reviewer for row in rows if row.reviewer)
    declined = loads.list_declined([row.round for row in rows])
    for row in rows:
        _carry_out_row(row, people, declined, admin)
    plan.carried_out_at = timezone.now()
    plan.save()
    return plan


def _carry_out_row(
    row: PlannedAssignment, people: dict[int, User], declined: set[tuple[int, int]], admin: User
) -> None:
    if row.reviewer_id is None:
        return
    reviewer = people[row.reviewer_id]
    try:
        if (row.round_id, reviewer.pk) in declined:
            raise Unassignable(Sentence.of("declined_since", name=str(reviewer)))
        row.assignment = give(row.round, reviewer, how=Assignment.How.BY_RULE, by=admin)
    except Unassignable as refusal:
        row.refusal_message = refusal.why
    row.save()
