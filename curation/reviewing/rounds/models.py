"""Rounds of review over revisions, who is asked for a review, and the reviews."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Case, Count, Exists, F, OuterRef, Q, When
from django.db.models.functions import Coalesce, Greatest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from curation.reviewing.pipelines.models import Reveal, StageVersion, VersionQuestion
from curation.texts.stage_texts import OF_SOLUTION
from curation.texts.workflow import Recommendation, Rule, Step, Terms
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench.work.triggers import require
from phybench_grader.numbers.sentences import Sentence

IS_SPLIT = Q(
    Q(disagreement__reject__gt=0) | Q(disagreement__agreeing__gt=0, disagreement__differing__gt=0),
    closed_at=None,
    reviews_needed__lte=(
        F("disagreement__accept") + F("disagreement__revise") + F("disagreement__reject")
    ),
)
"""What `workflow.is_split` says, of what `lifecycle.weigh` keeps of a round."""


class ReviewRoundQuerySet(models.QuerySet["ReviewRound"]):
    def open(self) -> Self:
        return self.filter(closed_at=None)

    def of_benchmark(self, slug: str) -> Self:
        return self.filter(revision__problem__benchmark__slug=slug)

    def split(self) -> Self:
        """Choose those that wait for a person to decide."""
        return self.filter(IS_SPLIT)

    def rejected_by_all(self) -> Self:
        """
        Choose the splits that need no weighing: all reject, and no blind solve agrees.

        One person alone may err: that is weighed.
        """
        return self.split().filter(
            disagreement__accept=0,
            disagreement__revise=0,
            disagreement__reject__gt=1,
            disagreement__agreeing=0,
        )

    def with_places(self) -> Self:
        """
        Add how many reviews are given, how many are assigned, and how many are asked for beyond.

        While a round is open somebody has to review it yet, also where its rule asks for more
        people than it began with; not where it waits for a person to decide.
        """
        aside = SetAside.objects.filter(
            round=OuterRef("reviews__round"), person=OuterRef("reviews__reviewer")
        )
        given = Count("reviews__reviewer", filter=~Exists(aside), distinct=True)
        assigned = Count("assignments", filter=Q(assignments__state="OPEN"), distinct=True)
        needed = Greatest(
            F("reviews_needed"),
            Coalesce("solves_needed", "version__solves_needed"),
            F("given") + 1,
            output_field=models.IntegerField(),
        )
        return self.annotate(given=given, assigned=assigned).annotate(
            free=Case(When(IS_SPLIT, then=0), default=needed - F("given") - F("assigned"))
        )

    def with_free_places(self) -> Self:
        return self.with_places().filter(free__gt=0)

    def reviewed_by(self, reviewer: User) -> Self:
        return self.filter(Exists(Review.objects.filter(reviewer=reviewer, round=OuterRef("pk"))))


class ReviewRound(models.Model):
    """One stage of review over one revision; it goes by the version that it was opened with."""

    revision = models.ForeignKey(
        Revision,
        on_delete=models.PROTECT,
        related_name="rounds",
        related_query_name="round",
        db_index=False,
    )
    version = models.ForeignKey(StageVersion, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(
        default=1, help_text=_("The position of its stage in the review plan.")
    )
    reviews_needed = models.PositiveIntegerField(default=1)
    solves_needed = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=_("Fewer agreeing blind solves than its stage asks for; empty: as many."),
    )
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    decision = models.CharField(max_length=20, choices=Step, blank=True)
    decided_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Who decided instead of the rule."),
    )
    override_reason = models.TextField(blank=True)
    carried_from = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The stage of an earlier revision whose pass is still valid."),
    )

    objects = ReviewRoundQuerySet.as_manager()

    class Meta:
        ordering = ["opened_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "number"], name="one_round_a_revision_and_stage"
            ),
            models.UniqueConstraint(
                fields=["revision"],
                condition=Q(closed_at=None),
                name="one_open_round_a_revision",
            ),
            models.CheckConstraint(name="round_needs_a_review", condition=Q(reviews_needed__gte=1)),
            models.CheckConstraint(
                name="round_closed_with_a_decision",
                condition=Q(closed_at=None, decision="")
                | Q(
                    closed_at__isnull=False,
                    decision__in=[Step.PASS, Step.ACCEPT, Step.RETURN, Step.REJECT, Step.WITHDRAW],
                ),
            ),
            models.CheckConstraint(
                name="override_says_who_and_why",
                condition=Q(decided_by=None, override_reason="")
                | (Q(decided_by__isnull=False, closed_at__isnull=False) & ~Q(override_reason="")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="closed_round_is_frozen",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__closed_at__isnull=False),
            ),
            # Those that a rule rejected before stay as they are.
            pgtrigger.Protect(
                name="no_rule_rejects",
                operation=pgtrigger.Insert | pgtrigger.Update,
                condition=pgtrigger.Q(new__decision=Step.REJECT, new__decided_by__isnull=True),
            ),
            pgtrigger.ReadOnly(
                name="round_stays_where_it_was_opened",
                fields=["revision", "version", "number", "opened_at"],
            ),
            require(
                "passing_is_carried_over_within_a_problem",
                when=pgtrigger.Q(new__carried_from__isnull=False),
                found="""
                    SELECT FROM curation_reviewround AS earlier
                    JOIN curation_revision AS before ON before.id = earlier.revision_id
                    JOIN curation_revision AS this ON this.problem_id = before.problem_id
                    WHERE earlier.id = NEW.carried_from_id AND this.id = NEW.revision_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version.name} of {self.revision}"

    def locked(self) -> "ReviewRound":
        """Hold the problem, and fetch the round again: it may have been closed meanwhile."""
        self.revision.problem.locked()
        rounds = ReviewRound.objects.select_related("revision__problem", "version__stage")
        return rounds.get(pk=self.pk)

    def get_queue_url(self) -> str:
        """Return where its reviewers find what else waits for them."""
        return reverse("curation:queue", args=[self.revision.problem.benchmark.slug])

    @property
    def questions(self) -> list[VersionQuestion]:
        """What reviewers are asked: of the solution only where there is one."""
        has_solution = bool(self.revision.solution.strip())
        asked = self.version.questions.all()
        return [one for one in asked if has_solution or one.text not in OF_SOLUTION]

    @property
    def terms(self) -> Terms:
        return Terms(Rule(self.version.rule), self.reviews_needed, self.agreeing_needed)

    @property
    def agreeing_needed(self) -> int:
        """Return how many blind solves must agree."""
        own = self.solves_needed
        return self.version.solves_needed if own is None else own

    def say_decision(self) -> str:
        """Say what became of this stage, "" while it is open; of the problem the event tells."""
        if self.decision in {Step.PASS, Step.ACCEPT}:
            return gettext("passed")
        return self.get_decision_display() if self.decision else ""

    @property
    def was_split(self) -> bool:
        """Whether what was said last left it to a person, as `IS_SPLIT` says of an open round."""
        said = getattr(self, "disagreement", None)
        if said is None or said.accept + said.revise + said.reject < self.reviews_needed:
            return False
        return bool(said.reject > 0 or (said.agreeing > 0 and said.differing > 0))

    @property
    def is_override(self) -> bool:
        """Whether somebody decided what its rule would still decide."""
        return self.decided_by_id is not None and not self.was_split

    @property
    def shows_others_early(self) -> bool:
        return self.version.reveals_others == Reveal.AFTER_OWN


class RoundDisagreement(models.Model):
    """
    How far apart a round's reviews and solves are, as `lifecycle.describe` measures it.

    It is computed from rows that never change, in the transaction that adds one, so that a bank
    of thousands of rounds is sorted by an index.
    """

    round = models.OneToOneField(ReviewRound, on_delete=models.CASCADE, related_name="disagreement")
    recommendations = models.FloatField(default=0.0)
    answers = models.FloatField(default=0.0)
    solves = models.FloatField(default=0.0)
    total = models.GeneratedField(
        expression=F("recommendations") + F("answers") + F("solves"),
        output_field=models.FloatField(),
        db_persist=True,
    )
    accept = models.PositiveIntegerField(default=0)
    revise = models.PositiveIntegerField(default=0)
    reject = models.PositiveIntegerField(default=0)
    agreeing = models.PositiveIntegerField(default=0, help_text=_("Blind solves."))
    differing = models.PositiveIntegerField(default=0, help_text=_("Blind solves."))

    class Meta:
        ordering = ["-total", "-round"]
        indexes = [
            models.Index(F("total").desc(), F("round").desc(), name="most_disagreement_first")
        ]
        constraints = [
            models.CheckConstraint(
                name="parts_of_disagreement_are_percentages",
                condition=Q(
                    recommendations__range=(0, 100), answers__range=(0, 100), solves__range=(0, 100)
                ),
            )
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.total:.0f} of 300"

    @property
    def parts(self) -> dict[str, float | None]:
        """Return how far apart they are, by kind; None where there is no pair, or no solve."""
        has_pair = self.accept + self.revise + self.reject > 1
        has_solve = self.agreeing + self.differing > 0
        return {
            "total": self.total if has_pair or has_solve or self.total else None,
            "recommendations": self.recommendations if has_pair or self.recommendations else None,
            "answers": self.answers if has_pair or self.answers else None,
            "solves": self.solves if has_solve or self.solves else None,
        }


def require_open_round(name: str, *, at: str) -> pgtrigger.Trigger:
    """Refuse what comes after its round was closed: the decision was made without it."""
    return require(
        name,
        when=pgtrigger.Q(new__round__isnull=False),
        found=f"""
            SELECT FROM curation_reviewround
            WHERE id = NEW.round_id AND (closed_at IS NULL OR closed_at >= NEW.{at})
        """,
    )


class ReviewQuerySet(models.QuerySet["Review"]):
    def newest(self) -> Self:
        """Choose what each reviewer said last in each round: that counts."""
        later = Review.objects.filter(
            round=OuterRef("round"), reviewer=OuterRef("reviewer"), number__gt=OuterRef("number")
        )
        return self.filter(~Exists(later))


class Review(models.Model):
    """
    What one reviewer says of the revision that the round is about.

    Until the round is closed they may say something else: that is another row, the newest counts.
    """

    round = models.ForeignKey(
        ReviewRound, on_delete=models.PROTECT, related_name="reviews", db_index=False
    )
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="reviews")
    number = models.PositiveSmallIntegerField(
        default=1, help_text=_("1 at first, raised each time the reviewer changes it.")
    )
    recommendation = models.CharField(max_length=20, choices=Recommendation)
    answers = models.JSONField(
        default=dict, blank=True, help_text=_("To the questions of the stage, by their ids.")
    )
    comment = models.TextField(blank=True)
    submitted_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        ordering = ["submitted_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer", "number"], name="one_review_a_reviewer_and_round"
            ),
            models.CheckConstraint(
                name="recommendation_is_known",
                condition=Q(recommendation__in=Recommendation.values),
            ),
            models.CheckConstraint(
                name="only_an_acceptance_needs_no_comment",
                condition=Q(recommendation=Recommendation.ACCEPT) | ~Q(comment=""),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="review_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require_open_round("review_is_given_while_its_round_is_open", at="submitted_at"),
        ]

    def __str__(self) -> str:
        return f"{self.recommendation} by {self.reviewer} on {self.round}"


class SetAside(models.Model):
    """
    A person whose review and blind solve count no more in an open round: an admin agreed to it.

    They came to have a part in the problem, or a conflict with it. What they gave stays readable.
    """

    round = models.ForeignKey(
        ReviewRound, on_delete=models.PROTECT, related_name="set_aside", db_index=False
    )
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    message = SentenceField(help_text=_("Why it counts no more."))

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "person"], name="set_aside_once_a_round_and_person"
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="set_aside_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require_open_round("set_aside_while_its_round_is_open", at="at"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.round}"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def open(self) -> Self:
        return self.filter(state=Assignment.State.OPEN)

    def overdue(self) -> Self:
        return self.open().filter(due_at__lt=timezone.now())

    def end(
        self,
        state: str = "ENDED",
        *,
        by: User | None = None,
        message: Sentence | None = None,
        reason: str = "",
    ) -> int:
        """End those that are open, with their stage or as said; what was written stays theirs."""
        return self.open().update(
            state=state, ended_at=timezone.now(), ended_by=by, message=message, reason=reason
        )


class Assignment(models.Model):
    """One reviewer asked for one review. However it ends, the row stays and says how."""

    class How(models.TextChoices):
        BY_HAND = "BY_HAND", _("by an admin")
        BY_RULE = "BY_RULE", _("by a rule")
        TAKEN = "TAKEN", _("taken from the open queue")

    class State(models.TextChoices):
        OPEN = "OPEN", _("open")
        DONE = "DONE", _("done")
        DECLINED = "DECLINED", _("declined")
        REVOKED = "REVOKED", pgettext_lazy("request", "withdrawn")
        ENDED = "ENDED", _("ended with its stage")

    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="assignments")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="assignments")
    how = models.CharField(max_length=20, choices=How)
    assigned_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The admin, or the reviewer who took it."),
    )
    assigned_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Empty if it ended with its stage."),
    )
    message = SentenceField(help_text=_("Why the app withdrew it."))
    reason = models.TextField(blank=True, help_text=_("Why it was declined or withdrawn."))
    instead_of = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="passed_on_as",
        help_text=_("The earlier request that this one replaces."),
    )

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["assigned_at", "pk"]
        indexes = [models.Index(fields=["reviewer", "state"])]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer"],
                condition=Q(state="OPEN"),
                name="one_open_assignment_a_reviewer_and_round",
            ),
            models.CheckConstraint(
                name="assignment_origin_is_known",
                condition=Q(how__in=["BY_HAND", "BY_RULE", "TAKEN"]),
            ),
            models.CheckConstraint(
                name="ended_assignment_says_how",
                condition=Q(state="OPEN", ended_at=None, ended_by=None, reason="")
                | Q(state="DONE", ended_at__isnull=False, ended_by__isnull=False, reason="")
                | (
                    Q(
                        state__in=["DECLINED", "REVOKED"],
                        ended_at__isnull=False,
                        ended_by__isnull=False,
                    )
                    & (~Q(reason="") | Q(message__isnull=False))
                )
                | Q(state="ENDED", ended_at__isnull=False, ended_by=None, reason=""),
            ),
        ]
        triggers = [
            # Who was asked, and what came of it, is evidence.
            pgtrigger.Protect(name="assignment_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_assignment_is_frozen",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state="OPEN"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, {self.reviewer}: {self.state}"

    @property
    def is_overdue(self) -> bool:
        if self.state != self.State.OPEN or self.due_at is None:
            return False
        return self.due_at < timezone.now()
