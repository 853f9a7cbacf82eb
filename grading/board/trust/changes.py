"""What changed since a version was published, and by it: one list, the newest first."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import TextChoices
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.versions.models import BenchmarkVersion, ItemWithdrawal
from curation.versions.summary import list_errata
from grading.answers.runs.models import GradingRun
from grading.studies.models import HumanBaseline


class ChangeKind(TextChoices):
    VERSION = "VERSION", gettext_lazy("version")
    ERRATUM = "ERRATUM", gettext_lazy("correction")
    WITHDRAWAL = "WITHDRAWAL", gettext_lazy("problem withdrawn")
    RUN = "RUN", gettext_lazy("regrade")
    BASELINE = "BASELINE", gettext_lazy("human baseline")


@dataclass(frozen=True, slots=True)
class Change:
    at: datetime
    kind: ChangeKind
    title: str
    text: str
    """Why, in words of those who did it."""
    address: str = ""

    @property
    def is_marked_up(self) -> bool:
        """Whether its text was written with formulas and markup."""
        return self.kind in {ChangeKind.VERSION, ChangeKind.ERRATUM}


def list_changes(version: BenchmarkVersion) -> list[Change]:
    """List what changed of a version's problems, grades and human baseline, in five queries."""
    found = [
        *_list_versions(version),
        *_list_errata(version),
        *_list_withdrawals(version),
        *_list_runs(version),
        *_list_baselines(version),
    ]
    return sorted(found, key=lambda one: one.at, reverse=True)


def _list_versions(version: BenchmarkVersion) -> list[Change]:
    published = BenchmarkVersion.objects.published().select_related("benchmark")
    return [
        Change(
            one.published_at,
            ChangeKind.VERSION,
            _("Version %(number)d published") % {"number": one.number},
            one.changes,
            one.get_absolute_url(),
        )
        for one in published.filter(benchmark=version.benchmark_id)
        if one.published_at
    ]


def _list_errata(version: BenchmarkVersion) -> list[Change]:
    return [
        Change(
            one["at"],
            ChangeKind.ERRATUM,
            _("%(problem)s: wrong reference answer") % {"problem": one["identifier"]}
            if one["is_of_key"]
            else _("%(problem)s: error in the text") % {"problem": one["identifier"]},
            one["text"],
            version.get_absolute_url(),
        )
        for one in list_errata(version)
    ]


def _list_withdrawals(version: BenchmarkVersion) -> list[Change]:
    address = reverse("curation:version", args=[version.benchmark.slug, version.number])
    withdrawn = ItemWithdrawal.objects.filter(item__version=version).select_related("item")
    return [
        Change(
            one.at,
            ChangeKind.WITHDRAWAL,
            _("%(problem)s withdrawn") % {"problem": one.item.identifier},
            one.reason,
            f"{address}#withdrawn-{one.item.identifier}",
        )
        for one in withdrawn
    ]


def _list_runs(version: BenchmarkVersion) -> list[Change]:
    return [
        Change(
            one.adopted_at,
            ChangeKind.RUN,
            _("Regrade %(number)d adopted (grader %(grader)s)")
            % {"number": one.pk, "grader": one.grader_version},
            one.why_adopted or one.said_why,
        )
        for one in GradingRun.objects.of_version(version)
        if one.adopted_at
    ]


def _list_baselines(version: BenchmarkVersion) -> list[Change]:
    found = []
    for one in HumanBaseline.objects.filter(version=version).select_related("study"):
        study = {"study": one.study.title}
        named = _("Named as the human baseline: %(study)s") % study
        found.append(Change(one.named_at, ChangeKind.BASELINE, named, ""))
        if one.ended_at:
            ended = _("No longer the human baseline: %(study)s") % study
            found.append(Change(one.ended_at, ChangeKind.BASELINE, ended, ""))
    return found
