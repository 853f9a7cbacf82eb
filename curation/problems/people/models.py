"""Who had a part in a problem, what people contributed, and who is in conflict with whom."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem, ProblemQuerySet, Revision, once_submitted
from phybench.people.models import Language, User
from phybench.work.triggers import require


class CreditQuerySet(models.QuerySet["Credit"]):
    def accepted(self) -> Self:
        """Those that their people accepted, also what was taken off since: they had a part."""
        return self.filter(accepted_at__isnull=False)

    def current(self) -> Self:
        return self.accepted().filter(removed_at=None)

    def offered(self) -> Self:
        """Those that wait for their people's word; until then they count for nothing."""
        return self.filter(accepted_at=None, removed_at=None)

    def standing(self) -> Self:
        """Those that count, and those that are offered."""
        return self.filter(removed_at=None)

    def of_translators(self) -> Self:
        return self.current().filter(role=Credit.Role.TRANSLATOR)

    def of_co_authors(self) -> Self:
        return self.current().filter(role=Credit.Role.CO_AUTHOR)

    def have_written(self) -> Self:
        """Those of co-authors, though taken off since: that clears no conflict of anybody."""
        return self.accepted().filter(role=Credit.Role.CO_AUTHOR)


class Credit(models.Model):
    """
    One person's name on a problem, beside its author's, once that person accepts it.

    Until then it is an offer, and counts for nothing. Accepted and taken away, it stays as history:
    they may have read the answer meanwhile.
    """

    class Role(models.TextChoices):
        CO_AUTHOR = "CO_AUTHOR", _("co-author")
        SUPPLIER = "SUPPLIER", _("supplier of the idea")
        TRANSLATOR = "TRANSLATOR", _("translator")

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="credits")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="credits")
    role = models.CharField(max_length=20, choices=Role)
    language = models.CharField(
        max_length=10,
        choices=Language,
        blank=True,
        help_text=_("The language a translator translates into; empty for others."),
    )
    given_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="credits_given")
    given_at = models.DateTimeField(default=timezone.now, editable=False)
    accepted_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("When the person accepted it; empty while it is only offered."),
    )
    removed_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="credits_removed",
        help_text=_("Of an offer: who withdrew it, or the person, who declined it."),
    )
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = CreditQuerySet.as_manager()

    class Meta:
        ordering = ["given_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["problem", "person", "role", "language"],
                condition=Q(removed_at=None),
                name="one_credit_a_person_and_role",
            ),
            models.UniqueConstraint(
                fields=["problem", "language"],
                condition=Q(removed_at=None, role="TRANSLATOR"),
                name="one_translator_a_language",
            ),
            models.CheckConstraint(
                name="translators_alone_have_a_language",
                condition=Q(role="TRANSLATOR", language__in=Language.values)
                | (~Q(role="TRANSLATOR") & Q(language="")),
            ),
            models.CheckConstraint(
                name="removed_credit_says_by_whom",
                condition=Q(removed_at=None, removed_by=None)
                | Q(removed_at__isnull=False, removed_by__isnull=False),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="credit_is_only_accepted_or_removed",
                exclude=["accepted_at", "removed_by", "removed_at"],
            ),
            pgtrigger.Protect(
                name="credit_is_accepted_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(
                    old__accepted_at__isnull=False,
                    old__accepted_at__df=pgtrigger.F("new__accepted_at"),
                ),
            ),
            pgtrigger.Protect(
                name="removed_credit_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__removed_at__isnull=False),
            ),
            # With a draft that nobody reviewed it may go.
            once_submitted("credit_of_a_submitted_problem_stays", pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.person}, {self.get_role_display()} of {self.problem}"

    @property
    def is_accepted(self) -> bool:
        """Whether the person accepted it, though it may have been taken off since."""
        return self.accepted_at is not None

    @property
    def is_current(self) -> bool:
        return self.is_accepted and self.removed_at is None

    @property
    def is_offered(self) -> bool:
        return not self.is_accepted and self.removed_at is None


class ContributionKind(models.TextChoices):
    """What somebody can do for a benchmark; each is one kind of contribution."""

    AUTHORED = "AUTHORED", _("authored")
    SUPPLIED = "SUPPLIED", _("supplied")
    REVISED = "REVISED", _("revised")
    REVIEWED = "REVIEWED", _("reviewed")
    SOLVED = "SOLVED", _("solved")
    TRANSLATED = "TRANSLATED", _("translated")
    FOUND_ERROR = "FOUND_ERROR", _("found an error")


OF_PROBLEMS = (ContributionKind.AUTHORED, ContributionKind.SUPPLIED)
"""Once a person and problem; the others are about one revision of it."""

DEFAULT_POINTS = {
    ContributionKind.AUTHORED: 10,
    ContributionKind.SUPPLIED: 5,
    ContributionKind.REVISED: 2,
    ContributionKind.REVIEWED: 3,
    ContributionKind.SOLVED: 1,
    ContributionKind.TRANSLATED: 4,
    ContributionKind.FOUND_ERROR: 3,
}
MOST_POINTS = 1000


OF_REPORT = re.compile(r"error report (\d+)")
"""How `errors.errata` notes which report told of an error."""


class ContributionQuerySet(models.QuerySet["Contribution"]):
    def record(
        self, kind: ContributionKind, people: Iterable[User], revision: Revision, note: str = ""
    ) -> None:
        """Credit what people did for a revision; a second time nothing."""
        self._record(kind, people, revision.problem, revision, note)

    def record_acceptance(self, problem: Problem) -> None:
        """Credit those who are named on a problem now that it is accepted."""
        named = list(problem.credits.current().select_related("person"))
        writers = [credit.person for credit in named if credit.role == Credit.Role.CO_AUTHOR]
        if problem.author:
            writers.insert(0, problem.author)
        suppliers = [credit.person for credit in named if credit.role == Credit.Role.SUPPLIER]
        self._record(ContributionKind.AUTHORED, writers, problem)
        self._record(ContributionKind.SUPPLIED, suppliers, problem)

    def _record(
        self,
        kind: ContributionKind,
        people: Iterable[User],
        problem: Problem,
        revision: Revision | None = None,
        note: str = "",
    ) -> None:
        # The database knows what must not count twice.
        self.bulk_create(
            [
                Contribution(
                    person=person, kind=kind, problem=problem, revision=revision, note=note
                )
                for person in people
            ],
            ignore_conflicts=True,
        )


class Contribution(models.Model):
    """One thing that somebody did for a problem; written where it happens, never changed."""

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="contributions")
    kind = models.CharField(max_length=20, choices=ContributionKind)
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="contributions")
    revision = models.ForeignKey(
        Revision,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="contributions",
        help_text=_("Empty for contributions to the whole problem: authored, supplied."),
    )
    note = models.CharField(
        max_length=200,
        blank=True,
        help_text=_("The language of a translation; what error was found, and where it was told."),
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ContributionQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="contribution_kind_is_known", condition=Q(kind__in=ContributionKind.values)
            ),
            models.CheckConstraint(
                name="contribution_to_a_problem_or_a_revision",
                condition=Q(kind__in=OF_PROBLEMS, revision=None)
                | (~Q(kind__in=OF_PROBLEMS) & Q(revision__isnull=False)),
            ),
            models.UniqueConstraint(
                fields=["person", "kind", "problem"],
                condition=Q(revision=None),
                name="one_contribution_a_problem",
            ),
            models.UniqueConstraint(
                fields=["person", "kind", "revision", "note"],
                condition=Q(revision__isnull=False),
                name="one_contribution_a_revision",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="contribution_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "contribution_is_to_its_problems_revision",
                when=pgtrigger.Q(new__revision__isnull=False),
                found="""
                    SELECT FROM curation_revision
                    WHERE id = NEW.revision_id AND problem_id = NEW.problem_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.get_kind_display()} {self.revision or self.problem}"

    @property
    def note_in_words(self) -> str:
        """The note as a reader understands it: a language by its name, a report in their words."""
        if self.kind == ContributionKind.TRANSLATED and self.note in Language:
            return str(Language(self.note).label)
        if found := OF_REPORT.fullmatch(self.note):
            return gettext("error report %(number)s") % {"number": found[1]}
        return self.note


class ContributionWeight(models.Model):
    """How many points one contribution of a kind counts; `DEFAULT_POINTS` where no row says so."""

    kind = models.CharField(max_length=20, choices=ContributionKind, unique=True)
    points = models.PositiveIntegerField(_("points"))

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="weight_kind_is_known", condition=Q(kind__in=ContributionKind.values)
            ),
            models.CheckConstraint(
                name="weight_is_reasonable", condition=Q(points__lte=MOST_POINTS)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.points}"


class ConflictQuerySet(models.QuerySet["Conflict"]):
    def current(self) -> Self:
        return self.filter(lifted_at=None)


class Conflict(models.Model):
    """A person who must not judge a problem, or any problem of an author; an admin says so."""

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="conflicts")
    problem = models.ForeignKey(
        Problem, on_delete=models.CASCADE, null=True, blank=True, related_name="conflicts"
    )
    author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="conflicts_with"
    )
    reason = models.CharField(_("reason"), max_length=500)
    marked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    marked_at = models.DateTimeField(default=timezone.now, editable=False)
    lifted_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ConflictQuerySet.as_manager()

    class Meta:
        ordering = ["-marked_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="conflict_is_with_a_problem_or_an_author",
                condition=Q(problem__isnull=False, author=None)
                | Q(problem=None, author__isnull=False),
            ),
            models.CheckConstraint(name="conflict_says_why", condition=~Q(reason="")),
            models.CheckConstraint(
                name="lifted_conflict_says_by_whom",
                condition=Q(lifted_at=None, lifted_by=None)
                | Q(lifted_at__isnull=False, lifted_by__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["person", "problem"],
                condition=Q(lifted_at=None),
                name="one_conflict_a_person_and_problem",
            ),
            models.UniqueConstraint(
                fields=["person", "author"],
                condition=Q(lifted_at=None),
                name="one_conflict_a_person_and_author",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} and {self.problem or self.author}"


INSTITUTION_LASTS = timedelta(days=730)
"""How long an institution counts for conflicts after somebody has left it."""


class FormerInstitutionQuerySet(models.QuerySet["FormerInstitution"]):
    def lately(self) -> Self:
        return self.filter(left_at__gt=timezone.now() - INSTITUTION_LASTS)


class FormerInstitution(models.Model):
    """Where somebody worked until they said otherwise: to leave it clears no conflict at once."""

    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="former_institutions", db_index=False
    )
    name = models.CharField(max_length=120)
    left_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = FormerInstitutionQuerySet.as_manager()

    class Meta:
        ordering = ["-left_at", "-pk"]
        indexes = [models.Index(fields=["person", "left_at"], name="institutions_left_by_person")]
        constraints = [
            models.CheckConstraint(name="former_institution_has_a_name", condition=~Q(name=""))
        ]
        triggers = [
            pgtrigger.Protect(
                name="former_institution_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            )
        ]

    def __str__(self) -> str:
        return f"{self.person}, of {self.name} until {self.left_at:%Y-%m-%d}"


def find_institutions(people: QuerySet[User]) -> set[tuple[int, str]]:
    """Return of these people each institution of the last two years, in capitals; one query."""
    # By the database, which compares them in queries too.
    now = people.exclude(institution="").order_by().values_list("pk", Upper("institution"))
    left = FormerInstitution.objects.lately().filter(person__in=people.order_by().values("pk"))
    return set(now.union(left.order_by().values_list("person", Upper("name"))))


def list_written(people: QuerySet[User]) -> ProblemQuerySet:
    """Return what these people wrote, as authors or, for a time at least, as co-authors."""
    shared = Credit.objects.have_written().filter(person__in=people.values("pk"))
    return Problem.objects.filter(
        Q(author__in=people.values("pk")) | Q(pk__in=shared.values("problem"))
    )


def list_colleagues(person: User) -> QuerySet[User]:
    """Return everybody who shares an institution of the last two years with `person`, and them."""
    own = FormerInstitution.objects.lately().filter(person=person)
    found = Q(place__in=own.values(place=Upper("name")))
    if person.institution:
        found |= Q(place=Upper(Value(person.institution)))
    return _list_people(found)


def list_people_of(institution: str) -> QuerySet[User]:
    """Return everybody who is of an institution, or was in the last two years."""
    return _list_people(Q(place=Upper(Value(institution))))


def _list_people(found: Q) -> QuerySet[User]:
    there = User.objects.exclude(institution="").annotate(place=Upper("institution"))
    left = FormerInstitution.objects.lately().annotate(place=Upper("name"))
    return User.objects.filter(
        Q(pk__in=there.filter(found).values("pk")) | Q(pk__in=left.filter(found).values("person"))
    )
