"""Freeze who stands on a board."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.board.panels.models import LEAST_MODELS, Panel, PanelMember
from grading.board.panels.permissions import freezes_panels
from grading.board.scores.collecting import Standing, find_field
from grading.board.scores.scope import Scope
from phybench.people.models import User


@transaction.atomic
def freeze(*, version: BenchmarkVersion, name: str, by: User | None) -> Panel:
    """
    Make a panel of the models that stand on a version's board, by answers to it, and are graded.

    What is told of single problems is an average over a panel, and so is the difference of what two
    panels say. So panels differ in five models at least, or in none: models that have left stay in
    the next panel while they are fewer than five. And an organisation knows what its own models
    solved: the others are five at least, too, or none.

    Args:
        by: None where a worker does it.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: too few models stand on the board, or came since the last panel; or another
            panel has this name.
    """
    if by and not freezes_panels(by):
        raise PermissionDenied(_("Only admins can freeze panels."))
    # One after the other: each is to differ enough from the one before.
    BenchmarkVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    before = list_members(version)
    if version.panels.filter(name=name).exists():
        raise NotAllowedNow(_("A panel with this name exists. Choose another name."))
    standing = find_field(Scope.of(version)).standing
    finished = [one for one in standing if not one.waiting and one.carried_from is None]
    members = _choose(finished, before[0] if before else frozenset())
    if len(members) < LEAST_MODELS:
        raise NotAllowedNow(
            ngettext(
                "A panel needs %(least)d graded models. %(count)d is on the board.",
                "A panel needs %(least)d graded models. %(count)d are on the board.",
                len(members),
            )
            % {"least": LEAST_MODELS, "count": len(members)}
        )
    if not tells_no_single(members, before):
        raise NotAllowedNow(
            _(
                "The panel would differ from an earlier one in fewer than %(least)d "
                "models, and the difference would reveal what they solved. Wait for "
                "more models."
            )
            % {"least": LEAST_MODELS}
        )
    owners = find_owners({*members, *(one for panel in before for one in panel)})
    if not tells_no_owner(members, before, owners):
        raise NotAllowedNow(
            _(
                "A team that knows the results of its own models could "
                "calculate those of the others, which are fewer than %(least)d. Wait "
                "for more models from other teams."
            )
            % {"least": LEAST_MODELS}
        )
    panel = Panel.objects.create(version=version, name=name, size=len(members), made_by=by)
    PanelMember.objects.bulk_create(
        [PanelMember(panel=panel, submission_id=one) for one in sorted(members)]
    )
    return panel


def list_members(version: BenchmarkVersion) -> list[frozenset[int]]:
    """Return the submissions in each panel of a version, the newest panel first."""
    found: dict[int, set[int]] = defaultdict(set)
    members = PanelMember.objects.filter(panel__version=version).order_by("-panel")
    for panel, submission in members.values_list("panel", "submission"):
        found[panel].add(submission)
    return [frozenset(one) for one in found.values()]


def _choose(finished: Sequence[Standing], last: frozenset[int]) -> frozenset[int]:
    """Take who stands on the board, and who has left since the last panel while they are few."""
    now = frozenset(one.submission.pk for one in finished)
    left = last - now
    if not 0 < len(left) < LEAST_MODELS:
        return now
    # A model that has handed in anew is counted once, as it was.
    kept = set(Submission.objects.filter(pk__in=left).values_list("solver", flat=True))
    new = {one.submission.pk for one in finished if one.submission.solver_id not in kept}
    return last | new


def tells_no_single(new: Collection[int], before: Sequence[Collection[int]]) -> bool:
    """
    Say whether no sum or difference of what panels say is of fewer than five models.

    Models that are in the same panels can't be told apart. So there have to be five of each such
    kind: whatever is worked out from all panels is then of five at least.

    >>> tells_no_single({1, 2, 3, 4, 5, 6}, [{1, 2, 3, 4, 5}])
    False
    >>> tells_no_single({1, 2, 3, 4, 5}, [])
    True
    """
    if any(set(new) == set(panel) for panel in before):
        return False
    return all(len(kind) >= LEAST_MODELS for kind in _sort_by_panels(new, before))


def tells_no_owner(
    new: Collection[int], before: Sequence[Collection[int]], owners: Mapping[int, int]
) -> bool:
    """
    Say whether no organisation, which knows its own models' verdicts, learns of fewer than five.

    Args:
        owners: by model its organisation.

    >>> tells_no_owner({1, 2, 3, 4, 5}, [], {1: 1, 2: 1, 3: 1, 4: 1, 5: 2})
    False
    >>> tells_no_owner({1, 2, 3, 4, 5}, [], dict.fromkeys(range(6), 1))
    True
    """
    for kind in _sort_by_panels(new, before):
        for owner in {owners[one] for one in kind}:
            if 0 < sum(owners[one] != owner for one in kind) < LEAST_MODELS:
                return False
    return True


def find_owners(submissions: Collection[int]) -> dict[int, int]:
    """Find the organisation of each submission's model."""
    rows = Submission.objects.filter(pk__in=submissions)
    return dict(rows.values_list("pk", "solver__organisation_id"))


def _sort_by_panels(new: Collection[int], before: Sequence[Collection[int]]) -> list[set[int]]:
    """Put the models together that are in the same panels: nothing tells these apart."""
    panels = [set(new), *map(set, before)]
    kinds: dict[tuple[bool, ...], set[int]] = defaultdict(set)
    for one in set[int]().union(*panels):
        kinds[tuple(one in panel for panel in panels)].add(one)
    return list(kinds.values())
