"""Spread rounds over reviewers by a rule: propose, and assign what was proposed and still holds."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from django.db import models, transaction
from django.utils.translation import gettext_lazy, ngettext

from curation.problems.models import Problem
from curation.problems.translations.models import Translation
from curation.reviewing.assignments import loads
from curation.reviewing.assignments.actions import (
    Unassignable,
    check_admin,
    give,
    hold_people,
    refuse,
)
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.rounds.models import Assignment, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import Eligibility
from curation.texts.sentences import translate
from phybench.news.jobs.kinds import Result
from phybench.news.jobs.models import Job
from phybench.pages.sentences import chain
from phybench.pages.templatetags.typography import gap
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


@dataclass(frozen=True, slots=True)
class Proposal:
    """A round, and who would review it; or why places of it stay free."""

    round: ReviewRound
    reviewer: User | None
    why: Sentence | None = None

    @property
    def pair(self) -> str:
        """Tell it from others in a form."""
        return f"{self.round.pk}-{self.reviewer.pk if self.reviewer else ''}"


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
        self, rounds: Sequence[ReviewRound], people: Sequence[User], rule: DistributionRule
    ) -> None:
        self.rounds = rounds
        self.people = people
        self.rule = rule
        self.eligibility = Eligibility(rounds, people)
        # Who is left out of this proposal may still solve something blind later.
        self.prospects = Prospects(rounds)
        self.declined = loads.list_declined(rounds)
        self.loads = loads.count_open(people)
        self.missed = loads.count_missed(people)
        self.languages = list_languages(rounds)

    def propose(self) -> Iterator[Proposal]:
        """Give each round with those who would review it, and why a place stays free."""
        for review_round in self.rounds:
            chosen: list[User] = []
            free: int = max(0, review_round.free)  # type: ignore[attr-defined]
            while len(chosen) < free and (best := self._find_best(review_round, chosen)):
                chosen.append(best)
                self.loads[best.pk] += 1
                yield Proposal(review_round, best)
            if why := self._say_why(review_round, chosen, free):
                yield Proposal(review_round, None, why)

    def _find_best(self, review_round: ReviewRound, chosen: list[User]) -> User | None:
        fitting = [
            self._describe(review_round, person)
            for person in self.people
            if person not in chosen and not self.find_reason(review_round, person)
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

    def give(self, review_round: ReviewRound, person: User, admin: User) -> None:
        """
        Assign what was proposed; the caller holds the problem and the person.

        Raises:
            Unassignable: the rule would not do so now.
        """
        if why := self.find_reason(review_round, person):
            raise refuse(review_round, person, why)
        give(review_round, person, how=Assignment.How.BY_RULE, by=admin)
        self.loads[person.pk] += 1

    def _describe(self, review_round: ReviewRound, person: User) -> Fit:
        return Fit(
            person,
            review_round.revision.problem.domain in person.expertise,
            bool(self.languages[review_round.pk] & set(person.review_languages)),
            self.prospects.spends(review_round, person),
        )

    def find_reason(self, review_round: ReviewRound, person: User) -> Sentence | None:
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
        reasons = Counter(self.find_reason(review_round, person) for person in people)
        counts = [
            Sentence.of("reason_count", why=why or "", count=str(count))
            for why, count in reasons.most_common()
        ]
        return Sentence.of("reasons", counts=chain("reasons_listed", counts))


Pair = tuple[int, int]
"""The number of a round, and of who would review it."""


def propose(
    *, rounds: ReviewRoundQuerySet, rule: DistributionRule, people: Sequence[User] = ()
) -> list[Proposal]:
    """
    Return what the rule would do with these rounds; nothing is written.

    Args:
        people: over whom; over all reviewers where none are given.
    """
    found = _fetch(rounds.open())
    chosen = people or list(list_reviewers().order_by("pk"))
    return list(Distribution(found, chosen, rule).propose())


def _fetch(rounds: ReviewRoundQuerySet) -> list[ReviewRound]:
    return list(
        rounds.order_by("opened_at", "pk")
        .with_places()
        .select_related("revision__problem__benchmark", "version__stage")
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a proposal."""

    made: int
    refused: list[Sentence]
    """Why what was proposed was not possible any more."""

    def __str__(self) -> str:
        made = ngettext(
            "%(count)d review is asked for.", "%(count)d reviews are asked for.", self.made
        )
        said = [made % {"count": self.made}]
        if self.refused:
            text = ngettext(
                "%(count)d changed meanwhile:", "%(count)d changed meanwhile:", len(self.refused)
            )
            said.append(text % {"count": len(self.refused)})
            said += [translate(why) for why in self.refused]
        return gap().join(said)


@transaction.atomic
def carry_out(
    *, pairs: Sequence[Pair], rule: DistributionRule, admin: User, job: Job | None = None
) -> Outcome:
    """
    Assign what was proposed and nothing else, where the rule would still allow it.

    Args:
        job: what tells meanwhile how far it is.
    """
    check_admin(admin)
    numbers = {number for number, _person in pairs}
    rounds = ReviewRound.objects.filter(pk__in=numbers)
    # All problems, then all people, each in order: who does the same waits, and nobody in a ring.
    problems = Problem.objects.select_for_update().order_by("pk")
    list(problems.filter(pk__in=list(rounds.values_list("revision__problem", flat=True))))
    wanted = User.objects.filter(pk__in={person for _number, person in pairs})
    people = hold_people(wanted)
    # As they are now that they are held.
    found = {one.pk: one for one in _fetch(rounds)}
    distribution = Distribution(list(found.values()), list(people.values()), rule)
    made, refused = 0, []
    for done, (number, person) in enumerate(pairs):
        if number in found and person in people:
            try:
                distribution.give(found[number], people[person], admin)
                made += 1
            except Unassignable as refusal:
                refused.append(refusal.why)
        if job:
            job.tell(done, len(pairs))
    return Outcome(made, refused)


def describe(pairs: Iterable[Pair], rule: DistributionRule, leads_to: str) -> dict[str, object]:
    """Return what a job is told to carry out."""
    return {"pairs": [list(one) for one in pairs], "rule": asdict(rule), "leads_to": leads_to}


def carry_out_job(job: Job) -> Result:
    said = job.arguments
    pairs = [(number, person) for number, person in said["pairs"]]
    rule = DistributionRule(**said["rule"])
    outcome = carry_out(pairs=pairs, rule=rule, admin=job.by, job=job)
    return Result(str(outcome), said["leads_to"])
