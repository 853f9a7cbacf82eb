"""Problems, their revisions, and what became of each, step by step."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GistIndex, OpClass
from django.db import connection, models
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Left
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.texts.origin import LONGEST_SOURCE, Adaptation
from curation.texts.references.dimensions import MAX_UNIT
from curation.texts.references.reference import LONGEST_LISTED, Reference, SymbolRow, Wanted
from curation.texts.workflow import EDITABLE, OVERRIDES, STAYING, Status, Step, move
from phybench.pages.sentences import SentenceField
from phybench.people.models import Language, User
from phybench.work.triggers import require
from phybench_grader.numbers.sentences import Sentence

OUR_OWN_ID = re.compile(r"C[0-9]{1,18}")
"""As `Problem.identifier` names what was written here: a published one can't look the same."""
COMPARED = 2_000
"""
Characters, from the first, by which statements are compared with each other.

The index holds up to three bytes for each of them, and an entry has to fit into a page of 8 KB.
"""


def among(numbers: Iterable[int]) -> RawSQL | Sequence[int]:
    """
    Return what `…__in` is given in place of a list of numbers.

    They are one value of the query then: hundreds of values cost Django and psycopg more than
    PostgreSQL needs to find the rows. For no number at all nothing is asked, as of an empty list.
    """
    some = list(numbers)
    return RawSQL("SELECT unnest(%s::bigint[])", [some]) if some else some


class Placeholder(str):
    """Stand in a query of `find_facts` for the numbers that it is given by this name."""

    def __call__(self) -> RawSQL:
        return RawSQL("SELECT unnest(%s::bigint[])", [self])


Fact = tuple[int, int, str]
"""The number of what it is about, the number of a person (0: of nobody), and a word for it."""


@cache
def _word(list_queries: Callable[[], Sequence[QuerySet[Any, Any]]]) -> tuple[str, Sequence[Any]]:
    first, *others = list_queries()
    return first.union(*others, all=True).query.sql_with_params()


def find_facts(
    list_queries: Callable[[], Sequence[QuerySet[Any, Any]]], **numbers: Collection[int]
) -> set[Fact]:
    """
    Ask several queries for facts at once.

    Django takes ten times as long to word them as PostgreSQL to answer, and they are asked on most
    pages: they are worded once in a process. So they may hold nothing of a request or of a time.
    """
    if not all(numbers.values()):
        return set()
    sql, params = _word(list_queries)
    with connection.cursor() as cursor:
        cursor.execute(
            sql, [list(numbers[one]) if isinstance(one, Placeholder) else one for one in params]
        )
        return set(cursor.fetchall())


class PhysicsField(models.TextChoices):
    MECHANICS = "MECHANICS", _("mechanics")
    ELECTRICITY = "ELECTRICITY", _("electricity")
    THERMODYNAMICS = "THERMODYNAMICS", _("thermodynamics")
    OPTICS = "OPTICS", _("optics")
    MODERN = "MODERN", _("modern physics")
    ADVANCED = "ADVANCED", _("advanced physics")
    OTHER = "OTHER", _("other")


class Difficulty(models.TextChoices):
    HIGH_SCHOOL = "HIGH_SCHOOL", _("high school")
    UNDERGRADUATE = "UNDERGRADUATE", _("undergraduate")
    OLYMPIAD = "OLYMPIAD", _("olympiad")


def once_submitted(
    name: str,
    operation: pgtrigger.Operation,
    *,
    problem: str = "OLD.problem_id",
    condition: pgtrigger.Condition | None = None,
) -> pgtrigger.Trigger:
    """Refuse it once a revision of the problem was submitted; until then it is a draft."""
    return pgtrigger.Trigger(
        name=name,
        operation=operation,
        when=pgtrigger.Before,
        condition=condition,
        func=f"""
            IF EXISTS (SELECT FROM curation_revision
                       WHERE problem_id = {problem} AND submitted_at IS NOT NULL)
            THEN RAISE EXCEPTION 'pgtrigger: {name}';
            END IF;
            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
            RETURN NEW;
        """,
    )


class ProblemQuerySet(models.QuerySet["Problem"]):
    def accepted(self) -> Self:
        """Those that answers are graded against, also while a correction is on its way."""
        return self.filter(accepted_revision__isnull=False).exclude(status=Status.RETIRED)

    def of(self, writer: User) -> Self:
        """Problems that `writer` writes, as their author or as a co-author."""
        shared = writer.credits.of_co_authors().values("problem")
        return self.filter(Q(author=writer) | Q(pk__in=shared))

    def minding_institutions(self) -> Self:
        """Those of benchmarks where people of one institution don't review each other's."""
        return self.filter(benchmark__review_settings__institutions_conflict=True)

    def called(self, identifier: str) -> Self:
        """The problem that goes by this identifier, in upper or lower case: `54`, `C12`."""
        found = Q(published_id__iexact=identifier)
        if OUR_OWN_ID.fullmatch(identifier.upper()):
            found |= Q(pk=int(identifier[1:]), published_id=None)
        return self.filter(found)

    def with_people(self) -> Self:
        """Fetch what pages say of who wrote each; permissions then ask nothing more."""
        return self.select_related("author", "benchmark").prefetch_related("credits__person")


class Problem(models.Model):
    """A question over its whole life: who asked it, what it is about, where it stands."""

    benchmark = models.ForeignKey(
        "curation.Benchmark", on_delete=models.PROTECT, related_name="problems"
    )
    published_id = models.CharField(
        max_length=40, null=True, blank=True, unique=True, help_text=_("Its id where it came from.")
    )
    author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="problems"
    )
    title = models.CharField(_("title"), max_length=120)
    domain = models.CharField(_("domain"), max_length=20, choices=PhysicsField)
    # Published sets don't say how hard a problem is.
    difficulty = models.CharField(_("difficulty"), max_length=20, choices=Difficulty, blank=True)
    language = models.CharField(
        _("language"),
        max_length=10,
        choices=Language,
        default=Language.EN,
        help_text=_("What its author writes it in."),
    )
    status = models.CharField(max_length=20, choices=Status, default=Status.DRAFT)
    accepted_revision = models.ForeignKey(
        "curation.Revision",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text=_("What answers are graded against: the one that was accepted last."),
    )
    form_key = models.CharField(
        max_length=40,
        blank=True,
        editable=False,
        help_text=_("Id of the form it was first typed in: sent twice, it is one problem."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    accepted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ProblemQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["benchmark", "status"])]
        constraints = [
            models.UniqueConstraint(
                fields=["author", "form_key"],
                condition=~Q(form_key=""),
                name="one_problem_a_form",
            ),
            models.CheckConstraint(
                name="problem_status_is_known", condition=Q(status__in=Status.values)
            ),
            models.CheckConstraint(
                name="accepted_problem_says_when",
                condition=~Q(status__in=[Status.ACCEPTED, Status.RETIRED])
                | Q(accepted_at__isnull=False),
            ),
            models.CheckConstraint(
                name="accepted_problem_names_its_revision",
                condition=~Q(status__in=[Status.ACCEPTED, Status.RETIRED])
                | Q(accepted_revision__isnull=False),
            ),
        ]
        triggers = [
            require(
                "accepted_revision_is_its_own",
                when=pgtrigger.Q(new__accepted_revision__isnull=False),
                found="""
                    SELECT FROM curation_revision
                    WHERE id = NEW.accepted_revision_id AND problem_id = NEW.id
                    AND submitted_at IS NOT NULL
                """,
            ),
            # Answers to it stand on that benchmark's board.
            once_submitted(
                "submitted_problem_stays_in_its_benchmark",
                pgtrigger.Update,
                problem="OLD.id",
                condition=pgtrigger.AnyChange("benchmark"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.identifier} {self.title}"

    def get_absolute_url(self) -> str:
        return reverse("curation:problem", args=[self.pk])

    @property
    def identifier(self) -> str:
        """The name that answers files use: as published, or `C` and our own number."""
        return self.published_id or f"C{self.pk}"

    @property
    def is_editable(self) -> bool:
        return self.status in EDITABLE

    @property
    def is_published(self) -> bool:
        """Whether it was ever accepted: from then on everybody may read the accepted revision."""
        return self.accepted_revision_id is not None

    @property
    def is_in_correction(self) -> bool:
        """Whether it was accepted, and is reopened because of an error."""
        return self.is_published and self.status in {Status.RETURNED, Status.IN_REVIEW}

    def locked(self) -> "Problem":
        """Fetch it again and hold it: two people may click at once."""
        return Problem.objects.select_for_update().get(pk=self.pk)

    def take_step(
        self,
        step: Step,
        *,
        revision: "Revision | None",
        actor: User | None,
        message: Sentence | None = None,
        note: str = "",
        is_override: bool = False,
    ) -> None:
        """
        Move it along the table and write that down, or raise `NotAllowedNow`; it is held.

        Args:
            message: what the app says of it.
            note: what a person wrote.
        """
        before = self.status
        self.status = move(step, before)
        if step is Step.ACCEPT:
            self.accepted_revision = revision
            # A correction changes what is graded from now on, not since when there is a problem.
            self.accepted_at = self.accepted_at or timezone.now()
        self.save(update_fields=["status", "accepted_at", "accepted_revision"])
        self.events.create(
            revision=revision,
            actor=actor,
            kind=step,
            from_status=before,
            to_status=self.status,
            message=message,
            note=note,
            is_override=is_override,
        )


class RevisionQuerySet(models.QuerySet["Revision"]):
    def submitted(self) -> Self:
        return self.filter(submitted_at__isnull=False)

    def current(self) -> Self:
        """Choose what counts: the accepted revision, before that the newest submitted."""
        newer = Revision.objects.filter(
            problem=models.OuterRef("problem"),
            number__gt=models.OuterRef("number"),
            submitted_at__isnull=False,
        )
        is_newest = Q(problem__accepted_revision=None) & ~models.Exists(newer)
        return self.submitted().filter(Q(pk=models.F("problem__accepted_revision")) | is_newest)


class Revision(models.Model):
    """A problem's text at one point. Until it is submitted it is the draft; then it is frozen."""

    problem = models.ForeignKey(
        Problem, on_delete=models.CASCADE, related_name="revisions", db_index=False
    )
    number = models.PositiveIntegerField()
    statement = models.TextField(_("statement"), blank=True)
    answer = models.TextField(_("reference answer"), blank=True)
    solution = models.TextField(_("solution"), blank=True)
    quantity = models.CharField(
        _("what is asked"),
        max_length=LONGEST_LISTED,
        blank=True,
        help_text=_("The F of “F = …”, in LaTeX."),
    )
    unit = models.CharField(_("unit"), max_length=MAX_UNIT, blank=True)
    terms = ArrayField(
        models.TextField(),
        default=list,
        blank=True,
        help_text=_("Symbols that the answer may contain."),
    )
    conditions = ArrayField(
        models.TextField(), default=list, blank=True, help_text=_("Relations between symbols.")
    )
    symbols = models.JSONField(
        _("symbols"),
        default=list,
        blank=True,
        help_text=_("One row each: latex, meaning, unit, sign, low, high."),
    )
    left_out = ArrayField(
        models.TextField(),
        default=list,
        blank=True,
        help_text=_("Symbols that the author removed from the table."),
    )
    exact = ArrayField(
        models.TextField(),
        default=list,
        blank=True,
        help_text=_("Fractions of the answer, as 157/100, that its author says are exact."),
    )
    must_accept = ArrayField(models.TextField(), default=list, blank=True)
    must_reject = ArrayField(models.TextField(), default=list, blank=True)
    adaptation = models.CharField(
        _("how far it is adapted"),
        max_length=20,
        choices=Adaptation,
        blank=True,
        help_text=_("Empty where its author does not say."),
    )
    source = models.CharField(
        _("adapted from"),
        max_length=LONGEST_SOURCE,
        blank=True,
        help_text=_("Book, paper, contest or address, with the number of the problem."),
    )
    reason = models.CharField(
        _("reason"), max_length=300, blank=True, help_text=_("Why there is a new revision.")
    )
    broken_rules = ArrayField(
        models.CharField(max_length=40),
        default=list,
        blank=True,
        help_text=_(
            "Rules for reference answers that a published problem breaks; it is graded as it is."
        ),
    )
    writers = models.ManyToManyField(
        User, blank=True, related_name="+", help_text=_("Who saved it while it was a draft.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    saved_at = models.DateTimeField(auto_now=True)
    submitted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ["problem", "number"]
        indexes = [
            # To find what is like a statement: a signature of this length is far more selective
            # than the default one for texts as long as these.
            GistIndex(
                OpClass(Left("statement", COMPARED), name="gist_trgm_ops(siglen=256)"),
                name="statements_by_likeness",
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["problem", "number"], name="one_revision_a_number"),
            models.UniqueConstraint(
                fields=["problem"],
                condition=Q(submitted_at=None),
                name="at_most_one_draft_a_problem",
            ),
            models.CheckConstraint(
                name="adaptation_is_known", condition=Q(adaptation__in=["", *Adaptation.values])
            ),
        ]
        triggers = [
            # Grades and reviews cite it: whoever finds a slip writes the next revision.
            pgtrigger.Protect(
                name="submitted_revision_is_frozen",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__submitted_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.problem}, revision {self.number}"

    @property
    def symbol_rows(self) -> list[SymbolRow]:
        return [SymbolRow.read(row) for row in self.symbols]

    @property
    def wanted(self) -> Wanted:
        return Wanted(self.quantity, self.unit, tuple(self.terms), tuple(self.conditions))

    @property
    def described_symbols(self) -> list[SymbolRow]:
        """Those rows that tell a reader something."""
        return [row for row in self.symbol_rows if not row.says_nothing]

    @property
    def reference(self) -> Reference:
        return Reference(
            self.answer,
            tuple(row.declaration for row in self.symbol_rows),
            tuple(self.must_accept),
            tuple(self.must_reject),
            self.wanted,
            self.statement,
        )


class Event(models.Model):
    """One step in a problem's life: who, what, when, from where to where."""

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="events")
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, null=True, blank=True)
    actor = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty if a rule or a command did it."),
    )
    kind = models.CharField(max_length=20, choices=Step)
    from_status = models.CharField(max_length=20, choices=Status, blank=True)
    to_status = models.CharField(max_length=20, choices=Status)
    message = SentenceField(help_text=_("What the app says of this step."))
    note = models.TextField(blank=True, help_text=_("What a person wrote about this step."))
    is_override = models.BooleanField(
        default=False, help_text=_("An admin decided instead of the rule; the note says why.")
    )
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="event_goes_somewhere",
                condition=~Q(from_status=F("to_status")) | Q(kind__in=[Step.PASS, *STAYING]),
            )
        ]
        triggers = [
            pgtrigger.Protect(name="event_is_append_only", operation=pgtrigger.Update),
            # A draft that nobody saw may go, and its history with it.
            once_submitted("event_of_a_submitted_problem_stays", pgtrigger.Delete),
            require(
                "event_is_of_its_problems_revision",
                when=pgtrigger.Q(new__revision__isnull=False),
                found="""
                    SELECT FROM curation_revision
                    WHERE id = NEW.revision_id AND problem_id = NEW.problem_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.problem}: {self.get_kind_display()}"

    @property
    def is_decided_by_person(self) -> bool:
        """Whether somebody decided a round: what a rule decides has no actor."""
        return self.actor_id is not None and self.kind in OVERRIDES
