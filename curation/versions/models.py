"""Versions of a benchmark: which texts of which problems answers are graded on, for good."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from phybench.people.models import User
from phybench.work.triggers import require


class BenchmarkVersionQuerySet(models.QuerySet["BenchmarkVersion"]):
    def published(self) -> Self:
        return self.filter(published_at__isnull=False)

    def current(self) -> Self:
        """Keep the newest published one of each benchmark: answers are handed in to it."""
        newer = BenchmarkVersion.objects.published().filter(
            benchmark=models.OuterRef("benchmark"), number__gt=models.OuterRef("number")
        )
        return self.published().filter(~models.Exists(newer))


class BenchmarkVersion(models.Model):
    """
    A frozen set of accepted revisions, with a public and a hidden part.

    Until it is published it is a draft, which admins alone see; then the next version supersedes
    it, and nothing changes it.
    """

    benchmark = models.ForeignKey(
        Benchmark, on_delete=models.PROTECT, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("Of this benchmark’s versions, from 1."))
    changes = models.TextField(
        _("what changed"),
        blank=True,
        max_length=4000,
        help_text=_("Since the previous version. Shown on the version’s page."),
    )
    made_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Empty if a command did it."),
    )
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    published_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    salt = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_(
            "Secret: with it, the hashes of reference answers can be checked, and "
            "reference answers guessed."
        ),
    )
    sha256 = models.CharField(
        max_length=64, blank=True, editable=False, help_text=_("Of all its items, in their order.")
    )

    objects = BenchmarkVersionQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "-number"]
        verbose_name = _("benchmark version")
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "number"], name="one_benchmark_version_a_number"
            ),
            models.UniqueConstraint(
                fields=["benchmark"],
                condition=Q(published_at=None),
                name="at_most_one_draft_of_a_version",
            ),
            models.CheckConstraint(
                name="published_version_has_its_hash",
                condition=Q(published_at=None, sha256="", published_by=None)
                | (Q(published_at__isnull=False) & ~Q(sha256="") & ~Q(salt="")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="published_version_is_frozen",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__published_at__isnull=False),
            ),
            require(
                "published_version_has_a_public_item",
                when=pgtrigger.Q(new__published_at__isnull=False),
                found="""
                    SELECT FROM curation_versionitem
                    WHERE version_id = NEW.id AND NOT is_hidden
                """,
                at_commit=True,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark}, version {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("curation:version", args=[self.benchmark.slug, self.number])

    def say(self) -> str:
        """Name it to a reader, in their language; what is kept for everybody has `str`."""
        return gettext("%(benchmark)s, version %(number)s") % {
            "benchmark": self.benchmark,
            "number": self.number,
        }

    @property
    def is_published(self) -> bool:
        return self.published_at is not None


class VersionItemQuerySet(models.QuerySet["VersionItem"]):
    def public(self) -> Self:
        return self.filter(is_hidden=False)

    def hidden(self) -> Self:
        return self.filter(is_hidden=True)

    def standing(self) -> Self:
        """Leave out those that were withdrawn since."""
        return self.filter(withdrawal=None)

    def with_all(self) -> Self:
        """Fetch what pages say of each."""
        return self.select_related("problem", "revision", "withdrawal")


class VersionItem(models.Model):
    """One revision in a version, by the identifier that files of answers use for its problem."""

    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="version_items")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="version_items")
    identifier = models.CharField(max_length=40)
    is_hidden = models.BooleanField(
        default=False,
        help_text=_("Part of the hidden set, for which only one overall figure is shown."),
    )
    asked_sha256 = models.CharField(
        max_length=64,
        help_text=_("Hash of what is shown to those who answer: statement, Find line, symbols."),
    )
    key_sha256 = models.CharField(
        max_length=64,
        blank=True,
        help_text=_("Hash of the salt and everything that can change a grade."),
    )

    objects = VersionItemQuerySet.as_manager()

    class Meta:
        ordering = ["version", "problem"]
        constraints = [
            models.UniqueConstraint(fields=["version", "problem"], name="one_item_a_problem"),
            models.UniqueConstraint(fields=["version", "identifier"], name="one_item_a_name"),
        ]
        triggers = [
            require(
                "item_is_of_its_versions_benchmark",
                when=pgtrigger.Q(new__version__isnull=False),
                found="""
                    SELECT FROM curation_benchmarkversion version
                    JOIN curation_problem problem USING (benchmark_id)
                    JOIN curation_revision revision ON revision.problem_id = problem.id
                    WHERE version.id = NEW.version_id AND problem.id = NEW.problem_id
                        AND revision.id = NEW.revision_id AND revision.submitted_at IS NOT NULL
                """,
            ),
            pgtrigger.Trigger(
                name="item_of_a_published_version_is_frozen",
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT FROM curation_benchmarkversion
                        WHERE published_at IS NOT NULL AND id IN (OLD.version_id, NEW.version_id)
                    )
                    THEN RAISE EXCEPTION 'pgtrigger: the version is published';
                    END IF;
                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.identifier} in {self.version}"

    @property
    def is_withdrawn(self) -> bool:
        return hasattr(self, "withdrawal")


class ItemWithdrawal(models.Model):
    """
    Why an item of a published version counts no more.

    The version stays as it was published; figures are told with the item and without it.
    """

    item = models.OneToOneField(VersionItem, on_delete=models.PROTECT, related_name="withdrawal")
    reason = models.TextField(_("reason"), max_length=1000)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("withdrawal of an item")
        verbose_name_plural = _("withdrawals of items")
        triggers = [
            pgtrigger.Protect(
                name="withdrawal_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "withdrawn_item_was_published",
                when=pgtrigger.Q(new__item__isnull=False),
                found="""
                    SELECT FROM curation_versionitem item
                    JOIN curation_benchmarkversion version ON version.id = item.version_id
                    WHERE item.id = NEW.item_id AND version.published_at IS NOT NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.reason}"
