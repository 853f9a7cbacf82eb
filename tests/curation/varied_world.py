"""A made-up world in which people have to do with problems in every way."""

from dataclasses import dataclass
from random import Random

from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.ledger import begin_slot
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem, Revision
from curation.problems.people.models import Conflict, Credit
from curation.problems.translations.models import Translation
from curation.reports.models import ErrorReport
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.reviewing.rounds.models import Assignment, Review, ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import Status, Step
from phybench.people.models import Language, Role, User

ROLES = [
    [],
    *([role] for role in Role),
    [Role.CONTRIBUTOR, Role.REVIEWER],
    [Role.CONTRIBUTOR, Role.PARTICIPANT],
    [Role.REVIEWER, Role.ADMIN],
    [Role.REVIEWER, Role.PARTICIPANT],
    [Role.CONTRIBUTOR, Role.EVALUATOR],
    [Role.PARTICIPANT, Role.ADMIN],
    [*Role],
]
LIVES = (
    [Status.DRAFT],
    [Status.IN_REVIEW],
    [Status.IN_REVIEW, Status.IN_REVIEW],
    [Status.RETURNED],
    [Status.ACCEPTED],
    [Status.IN_REVIEW, Status.ACCEPTED],
    # Reopened, and in review again; given up; retired.
    [Status.ACCEPTED, Status.RETURNED],
    [Status.ACCEPTED, Status.IN_REVIEW],
    [Status.ACCEPTED, Status.RETURNED, Status.ACCEPTED],
    [Status.ACCEPTED, Status.RETIRED],
    [Status.REJECTED],
)
"""What a problem's revisions came to, one after the other; the last is how it stands."""


@dataclass(slots=True)
class VariedWorld:
    people: list[User]
    problems: list[Problem]
    revisions: list[Revision]
    rounds: list[ReviewRound]


def make_varied_world(seed: int) -> VariedWorld:
    """Make people of every role, problems in every status, and all that can be between them."""
    return _Maker(Random(seed)).make()


class _Maker:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.now = timezone.now()

    def make(self) -> VariedWorld:
        self.people = [
            User.objects.create(
                email=f"{number}@varied.example",
                display_name=f"P{number}",
                roles=roles,
                is_active=number != 3,
                is_demo=number % 5 == 4,
            )
            for number, roles in enumerate([*ROLES, *ROLES])
        ]
        self.admin = User.objects.create(
            email="root@varied.example", display_name="Root", roles=[Role.ADMIN]
        )
        benchmarks = [
            Benchmark.objects.create(name=name, slug=name, is_demo=name == "demo")
            for name in ("real", "demo")
        ]
        problems = [
            self.make_problem(life, benchmarks[number % 5 == 4])
            for number, life in enumerate(LIVES * 2)
        ]
        self.mark_conflicts(problems)
        return VariedWorld(
            list(User.objects.order_by("pk")),
            list(Problem.objects.with_people().order_by("pk")),
            list(Revision.objects.select_related("problem").order_by("pk")),
            list(
                ReviewRound.objects.select_related("revision__problem", "version__stage")
                .prefetch_related("revision__problem__credits")
                .order_by("pk")
            ),
        )

    def happens(self, share: float) -> bool:
        return self.chance.random() < share

    def some(self, most: int) -> list[User]:
        return self.chance.sample(self.people, self.chance.randint(0, most))

    def make_problem(self, life: list[Status], benchmark: Benchmark) -> Problem:
        problem = Problem.objects.create(
            benchmark=benchmark,
            author=self.chance.choice([None, *self.people])
            if life[0] == "ACCEPTED"
            else self.chance.choice(self.people),
            title="A problem",
            domain="OPTICS",
            language=self.chance.choice(Language.values),
        )
        for number, status in enumerate(life, start=1):
            revision = self.make_revision(problem, number, status)
            if status == Status.ACCEPTED:
                problem.accepted_revision = problem.accepted_revision or revision
                problem.accepted_at = self.now
            problem.status = status
        problem.save()
        self.name_people(problem)
        return problem

    def make_revision(self, problem: Problem, number: int, status: Status) -> Revision:
        revision = problem.revisions.create(number=number, statement="?")
        revision.writers.add(*self.some(2))
        if status == Status.DRAFT:
            return revision
        revision.submitted_at = self.now
        revision.save()
        for person in self.some(6):
            self.show(revision, person, self.chance.choice(Exposure.Part.values))
        for language in Language.values:
            if self.happens(0.5):
                made = Translation.objects.create(revision=revision, language=language)
                made.translators.add(*self.some(2))
        if status == Status.ACCEPTED:
            for person in self.some(3):
                ErrorReport.objects.create(revision=revision, reporter=person, kind="OTHER")
        self.make_rounds(revision, is_open=status == Status.IN_REVIEW)
        return revision

    def show(self, revision: Revision, person: User, part: str) -> None:
        slot = begin_slot(self.now)
        shown = Exposure(revision=revision, person=person, part=part, reason="READ", slot=slot)
        Exposure.objects.bulk_create([shown], ignore_conflicts=True)

    def make_rounds(self, revision: Revision, *, is_open: bool) -> None:
        last = self.chance.randint(1, 2)
        for number in range(1, last + 1):
            is_closed = number < last or not is_open
            stage = Stage.objects.create(
                pipeline=Pipeline.objects.create(name=f"Of {revision.pk}, {number}"),
                place=number,
                name=f"Stage {number}",
                is_blind=self.happens(0.5),
                is_open_to_all=self.happens(0.6),
                reveals_others=self.chance.choice(["AFTER_OWN", "AFTER_ROUND"]),
            )
            if revision.pk % 2:
                stage.pipeline.stages.create(
                    place=9, name="Later", is_blind=True, reviews_needed=revision.pk % 5 + 1
                )
            review_round = ReviewRound.objects.create(
                revision=revision,
                number=number,
                version=stage.freeze(),
                reviews_needed=self.chance.randint(1, 3),
                closed_at=self.now if is_closed else None,
                decision=Step.PASS if is_closed else "",
            )
            self.fill(review_round)

    def fill(self, review_round: ReviewRound) -> None:
        for person in self.some(5):
            BlindSolve.objects.create(
                round=review_round, reviewer=person, kind="CANT_SOLVE", outcome="NO_ANSWER",
                reason="Too hard.", grader_version="1", solved_at=self.now,
            )  # fmt: skip
        for person in self.some(4):
            Review.objects.create(
                round=review_round,
                reviewer=person,
                recommendation="REVISE",
                comment="Hm.",
                submitted_at=self.now,
            )
            self.show(review_round.revision, person, Exposure.Part.ANSWER)
        for state in Assignment.State.values:
            for person in self.some(3):
                self.assign(review_round, person, state)

    def assign(self, review_round: ReviewRound, person: User, state: str) -> None:
        is_open, has_reason = state == "OPEN", state in ("DECLINED", "REVOKED")
        Assignment.objects.create(
            round=review_round,
            reviewer=person,
            how="BY_HAND",
            assigned_by=self.admin,
            state=state,
            ended_at=None if is_open else self.now,
            ended_by=None if is_open or state == "ENDED" else person,
            reason="Ill." if has_reason else "",
        )

    def name_people(self, problem: Problem) -> None:
        """Name some, of whom some are named no more, or were named before."""
        taken = set()
        for person in self.some(6):
            role = self.chance.choice(Credit.Role.values)
            language = self.chance.choice(Language.values) if role == "TRANSLATOR" else ""
            is_removed = self.happens(0.3) or (bool(language) and language in taken)
            if not is_removed:
                taken.add(language)
            problem.credits.create(
                person=person,
                role=role,
                language=language,
                given_by=self.admin,
                accepted_at=self.now if self.happens(0.7) else None,
                removed_by=self.admin if is_removed else None,
                removed_at=self.now if is_removed else None,
            )

    def mark_conflicts(self, problems: list[Problem]) -> None:
        for person in self.people:
            for with_what in ("problem", "author"):
                if not self.happens(0.4):
                    continue
                other = self.chance.choice(problems if with_what == "problem" else self.people)
                is_lifted = self.happens(0.3)
                Conflict.objects.create(
                    person=person,
                    **{with_what: other},
                    reason="One group.",
                    marked_by=self.admin,
                    lifted_by=self.admin if is_lifted else None,
                    lifted_at=self.now if is_lifted else None,
                )
