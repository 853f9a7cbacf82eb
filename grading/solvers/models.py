"""Solvers, and the organisations that own those which are models."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User
from phybench.work.triggers import require


class OrganisationQuerySet(models.QuerySet["Organisation"]):
    def standing(self) -> Self:
        """Leave out those that were merged into another."""
        return self.filter(merged_into=None)

    def of(self, person: User) -> Self:
        """Keep those that `person` is a member of now."""
        members = Membership.objects.current().filter(person=person)
        return self.standing().filter(pk__in=members.values("organisation"))


class Organisation(models.Model):
    """
    Those who hand in under the names of the same models.

    Any evaluator makes one and hands in for it; it publishes once an admin has confirmed it.
    """

    name = models.CharField(_("name"), max_length=120)
    is_demo = models.BooleanField(_("made by the demo"), default=False)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    confirmed_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )

    objects = OrganisationQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                Lower("name"), condition=Q(merged_into=None), name="one_organisation_a_name"
            ),
            models.CheckConstraint(
                name="confirmed_by_somebody",
                condition=Q(confirmed_at=None, confirmed_by=None)
                | Q(confirmed_at__isnull=False, confirmed_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("grading:organisation", args=[self.pk])


class MembershipQuerySet(models.QuerySet["Membership"]):
    def current(self) -> Self:
        return self.filter(joined_at__isnull=False, left_at=None)

    def asked(self) -> Self:
        """Keep those that wait for a member to say yes."""
        return self.filter(joined_at=None, left_at=None)


class Membership(models.Model):
    """Somebody who asked to join an organisation, and from when until when they were of it."""

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="memberships"
    )
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    joined_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    left_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When they left, or were not taken.")
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "person"],
                condition=Q(left_at=None),
                name="one_membership_at_a_time",
            ),
            models.CheckConstraint(
                name="joined_by_somebodys_word",
                condition=Q(joined_at=None, accepted_by=None)
                | Q(joined_at__isnull=False, accepted_by__isnull=False),
            ),
        ]
        triggers = [
            # Who was ever of an organisation is counted with it.
            pgtrigger.Protect(name="membership_is_kept", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="membership_ends_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__left_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} of {self.organisation}"


def list_ever_of(people: Iterable[User]) -> Iterator[tuple[Membership, set[int]]]:
    """Yield each membership, also what has ended, and its organisation with what that became."""
    merged = dict(Organisation.objects.exclude(merged_into=None).values_list("pk", "merged_into"))
    for one in Membership.objects.filter(person__in=people, joined_at__isnull=False):
        found: set[int] = set()
        # None is merged into what was itself merged into it: it comes to an end.
        of: int | None = one.organisation_id
        while of is not None:
            found.add(of)
            of = merged.get(of)
        yield one, found


def find_ever_of(people: Iterable[User]) -> dict[int, set[int]]:
    """Return by person what they are or ever were of, and what that was merged into."""
    found: dict[int, set[int]] = defaultdict(set)
    for membership, organisations in list_ever_of(people):
        found[membership.person_id] |= organisations
    return found


class SolverQuerySet(models.QuerySet["Solver"]):
    def are_models(self) -> Self:
        return self.filter(kind=Solver.Kind.MODEL)


class Solver(models.Model):
    """Who answers: a language model of an organisation, or a person."""

    class Kind(models.TextChoices):
        MODEL = "MODEL", _("model")
        HUMAN = "HUMAN", _("person")

    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=10, choices=Kind)
    user = models.OneToOneField(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="solver"
    )
    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, null=True, blank=True, related_name="solvers"
    )
    is_demo = models.BooleanField(_("made by the demo"), default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = SolverQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "name"],
                condition=Q(kind="MODEL"),
                name="one_model_a_name",
            ),
            models.CheckConstraint(
                # Who withdrew from a study has no account beside what is kept.
                name="only_people_sign_in",
                condition=Q(kind="MODEL", user=None, organisation__isnull=False)
                | Q(kind="HUMAN", organisation=None),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page of a model; a person has none."""
        return reverse("grading:solver", args=[self.pk])


class DescriptionQuerySet(models.QuerySet["Description"]):
    def newest(self) -> Self:
        """Keep what is said of each model now."""
        later = Description.objects.filter(
            solver=models.OuterRef("solver"), number__gt=models.OuterRef("number")
        )
        return self.filter(~models.Exists(later))


class Description(models.Model):
    """
    What was said of a model from one time on: the newest counts, and none is ever changed.

    So a reader of the board sees what was said when a submission was published.
    """

    class Kind(models.TextChoices):
        REASONING = "REASONING", _("reasoning")
        GENERAL = "GENERAL", _("general")

    class Weights(models.TextChoices):
        OPEN = "OPEN", _("open weights")
        CLOSED = "CLOSED", _("closed weights")

    SAID = (
        *("kind", "parameters", "developer", "weights", "released_on"),
        *("link", "inference", "tools", "harness"),
    )
    """The fields that say something of the model; each may be left out."""

    # Its index is that of `one_description_a_number`.
    solver = models.ForeignKey(
        Solver, on_delete=models.PROTECT, related_name="descriptions", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("Of this model’s descriptions, from 1."))
    kind = models.CharField(_("Kind"), max_length=10, choices=Kind, blank=True)
    parameters = models.PositiveBigIntegerField(_("Parameters"), null=True, blank=True)
    developer = models.CharField(_("Developer"), max_length=120, blank=True)
    weights = models.CharField(_("Weights"), max_length=10, choices=Weights, blank=True)
    released_on = models.DateField(_("Released on"), null=True, blank=True)
    link = models.CharField(_("Link"), max_length=300, blank=True)
    inference = models.CharField(_("Inference parameters"), max_length=200, blank=True)
    tools = models.CharField(_("Tools"), max_length=100, blank=True)
    harness = models.CharField(_("Harness"), max_length=100, blank=True)
    described_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    described_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = DescriptionQuerySet.as_manager()

    class Meta:
        ordering = ["-number", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["solver", "number"], name="one_description_a_number"),
            models.CheckConstraint(
                name="description_links_by_https",
                condition=Q(link="") | Q(link__startswith="https://"),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="description_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "description_is_of_a_model",
                when=pgtrigger.Q(new__solver__isnull=False),
                found="""
                    SELECT FROM grading_solver WHERE id = NEW.solver_id AND kind = 'MODEL'
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.solver}, description {self.number}"

    def list_said(self) -> list[object]:
        return [getattr(self, name) for name in self.SAID]

    @property
    def size(self) -> str:
        return write_count(self.parameters)


def find_developer(model: str) -> str:
    """
    Return who developed a model by a name such as hubs give it: what stands before the slash.

    >>> find_developer("deepseek-ai/DeepSeek-R1"), find_developer("o3"), find_developer("a / b")
    ('deepseek-ai', '', 'a')
    """
    developer, slash, _name = model.partition("/")
    return developer.strip() if slash else ""


def write_count(parameters: int | None) -> str:
    """
    Write how many parameters a model has, exactly and as people say it; "" where it is not known.

    >>> write_count(671_000_000_000), write_count(1_800_000_000_000), write_count(70_553_706)
    ('671B', '1.8T', '70.553706M')
    """
    for letter, power in (("T", 12), ("B", 9), ("M", 6)):
        if parameters and parameters >= 10**power:
            return f"{Decimal(parameters).scaleb(-power).normalize():f}{letter}"
    return str(parameters or "")
