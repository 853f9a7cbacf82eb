"""
Write a study, open it, freeze what it says, and end it.

`at` is when something was done, where that is not now: in studies that are simulated.
"""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Func, IntegerField, Sum
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.models import Attempt
from grading.studies.letters import actions as letters
from grading.studies.models import (
    Deviation,
    HumanBaseline,
    Invitation,
    Preregistration,
    Study,
    StudyItem,
)
from grading.studies.permissions import is_told, list_people_to_invite, runs_studies
from grading.studies.reporting import SAID_ANY_TIME
from phybench.people.models import User
from phybench.work.budgets import A_ROW
from phybench_grader.statistics.power import Design, find_detectable

FROZEN = (
    *("title", "language", "problems", "minutes", "opens_at", "closes_at", "joining"),
    *("most_people", "consent", "questions", "allowed_aids", "attestation", "pauses"),
    *("shows_results", "shows_keys", "shows_at_once", "population", "recruitment", "pay", "ethics"),
    *("authors_part", "hypothesis", "exclusions", "rules", "analysis"),
    *("expected_accuracy", "person_correlation", "problem_correlation", "detectable"),
)
"""What a preregistration holds of a study's row, besides its pool."""
PLANNED = {
    *("problems", "most_people"),
    *("expected_accuracy", "person_correlation", "problem_correlation"),
}
"""What the smallest difference hangs on that a study detects, besides the size of its pool."""


@transaction.atomic
def make(*, version: BenchmarkVersion, title: str, by: User, **fields: Any) -> Study:
    """
    Begin a study of a published version; its pool is the whole public part.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: the version is not published.
    """
    _require_runner(by)
    if not version.is_published:
        raise NotAllowedNow(_("A study needs a published version. Publish it first."))
    study = Study.objects.create(
        version=version,
        title=title,
        link_secret=secrets.token_urlsafe(18),
        made_by=by,
        **fields,
    )
    _fill_pool(study, version.items.public().standing())
    _keep_detectable(study)
    return study


def measure_pool(version: BenchmarkVersion) -> float:
    """Return how many bytes the statements of a study's pool take, each with its row."""
    statement = Func("revision__statement", function="octet_length", output_field=IntegerField())
    found = version.items.public().standing().aggregate(rows=Count("pk"), size=Sum(statement))
    return float(A_ROW * found["rows"] + (found["size"] or 0))


def _fill_pool(study: Study, items: Iterable[VersionItem]) -> None:
    StudyItem.objects.bulk_create(
        StudyItem(study=study, item=item, statement=_word(item, study.language)) for item in items
    )


def _keep_detectable(study: Study) -> None:
    """Keep the smallest difference that a study detects as it is planned, with the pool it has."""
    try:
        design = Design(
            people=study.most_people,
            each=study.problems,
            pool=study.items.count(),
            accuracy=study.expected_accuracy,
            person_correlation=study.person_correlation,
            problem_correlation=study.problem_correlation,
        )
    except ValueError:
        # A pool of fewer problems than a session has: nobody can open that.
        study.detectable = None
    else:
        study.detectable = find_detectable(design)
    study.save(update_fields=["detectable"])


def _word(item: VersionItem, language: str) -> str:
    """Return a statement in the study's language where a checked translation is there."""
    if item.problem.language != language:
        for one in item.revision.translations.checked().filter(language=language):
            return one.statement
    return item.revision.statement


@transaction.atomic
def choose_pool(*, study: Study, items: Collection[VersionItem], by: User) -> None:
    """
    Have a study ask these problems.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: somebody has started, or these are fewer than one session has.
    """
    _require_runner(by)
    held = _hold(study)
    if held.is_frozen:
        raise NotAllowedNow(_("Somebody has started: the problems of this study are fixed."))
    if len(items) < held.problems:
        raise NotAllowedNow(
            ngettext(
                "One session has %(count)d problem. Choose at least as many.",
                "One session has %(count)d problems. Choose at least as many.",
                held.problems,
            )
            % {"count": held.problems}
        )
    held.items.all().delete()
    _fill_pool(held, items)
    _keep_detectable(held)


@transaction.atomic
def change_pool(*, study: Study, by: User, items: Iterable[VersionItem], is_in: bool) -> int:
    """
    Take problems into a study's pool, or out of it; return how many that changes.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: somebody has started, it has ended, or fewer than a session has are left of
            an open study.
    """
    _require_runner(by)
    held = _hold(study)
    if held.is_frozen or held.state == Study.State.ENDED:
        raise NotAllowedNow(_("Somebody has started: the problems of this study are fixed."))
    there = set(held.items.values_list("item", flat=True))
    changed = [one for one in items if (one.pk in there) != is_in]
    left = len(there) - len(changed)
    if not is_in and held.state == Study.State.OPEN and left < held.problems:
        raise NotAllowedNow(
            ngettext(
                "One session has %(count)d problem. Leave at least as many in the pool.",
                "One session has %(count)d problems. Leave at least as many in the pool.",
                held.problems,
            )
            % {"count": held.problems}
        )
    if is_in:
        _fill_pool(held, changed)
    else:
        held.items.filter(item__in=changed).delete()
    _keep_detectable(held)
    return len(changed)


@transaction.atomic
def change(
    *,
    study: Study,
    by: User,
    fields: Mapping[str, Any],
    why: str = "",
    at: datetime | None = None,
) -> list[str]:
    """
    Change what a study says; once somebody has started, each change is kept as a deviation.

    Another consent is kept so once somebody has joined, and they are asked anew before they start.

    Returns:
        The names of the fields that changed.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: the study has ended, or a deviation has no reason.
    """
    _require_runner(by)
    held = _hold(study)
    if held.state == Study.State.ENDED:
        raise NotAllowedNow(_("This study has ended."))
    before = describe(held)
    changed = [name for name, value in fields.items() if getattr(held, name) != value]
    for name in changed:
        setattr(held, name, fields[name])
    is_other_consent = "consent" in changed and held.participations.exists()
    if is_other_consent:
        held.consent_version += 1
    held.save()
    if {"shows_results", "shows_at_once"} & set(changed):
        tell_results(held, at)
    if PLANNED & set(changed):
        _keep_detectable(held)
        if held.detectable != before["detectable"]:
            changed.append("detectable")
    if "language" in changed and not held.is_frozen:
        # What people see is kept as they see it, and they see it in this language.
        items = [one.item for one in held.items.select_related("item__revision", "item__problem")]
        held.items.all().delete()
        _fill_pool(held, items)
    kept = [name for name in changed if name in FROZEN] if held.is_frozen else []
    if held.is_frozen and changed and not why.strip():
        raise NotAllowedNow(_("Somebody has started. Say why you change this: it is a deviation."))
    if is_other_consent and not held.is_frozen:
        kept = ["consent"]
        why = why.strip() or _("Changed after somebody had joined and before anybody had started.")
    after = describe(held)
    Deviation.objects.bulk_create(
        Deviation(
            study=held,
            field=name,
            before=before.get(name),
            after=after.get(name),
            why=why.strip()[:500],
            by=by,
            at=at or timezone.now(),
        )
        for name in kept
    )
    return changed


@transaction.atomic
def report(*, study: Study, by: User, fields: Mapping[str, Any]) -> None:
    """
    Say what only the report of a study needs, at any time.

    Raises:
        PermissionDenied: `by` is no admin.
    """
    _require_runner(by)
    held = _hold(study)
    said = [name for name in SAID_ANY_TIME if name in fields]
    for name in said:
        setattr(held, name, fields[name])
    held.save(update_fields=said)


@transaction.atomic
def open_study(*, study: Study, by: User, at: datetime | None = None) -> None:
    """
    Let people join.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: it is no draft, or lacks what people have to read or be asked.
    """
    _require_runner(by)
    held = _hold(study)
    if held.state != Study.State.DRAFT:
        raise NotAllowedNow(_("This study was opened before."))
    if not held.consent.strip():
        raise NotAllowedNow(_("Write what people consent to first."))
    if held.items.count() < held.problems:
        raise NotAllowedNow(_("The pool has fewer problems than one session. Choose more."))
    held.opened_at, held.opened_by = at or timezone.now(), by
    held.save(update_fields=["opened_at", "opened_by"])
    letters.invite(held)


@transaction.atomic
def delete_draft(*, study: Study, by: User) -> None:
    """
    Delete a study that was never opened.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: it was opened: what people were asked stays.
    """
    _require_runner(by)
    held = _hold(study)
    if held.state != Study.State.DRAFT:
        raise NotAllowedNow(_("This study was opened, so it stays. You can end it."))
    held.delete()


@transaction.atomic
def end_study(*, study: Study, by: User, at: datetime | None = None) -> None:
    """
    Let nobody join or start any more, for good; sessions that go on end by their own clock.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: it is not open.
    """
    _require_runner(by)
    held = _hold(study)
    if held.state != Study.State.OPEN:
        raise NotAllowedNow(_("Only an open study can be ended."))
    Study.objects.filter(pk=held.pk).update(ended_at=at or timezone.now(), ended_by=by)
    tell_results(held, at)


def tell_results(study: Study, at: datetime | None = None) -> None:
    """
    Write down with a study's answers whether each person is told how theirs was graded.

    After all that changes it: what the study shows, its end, and the end of a session of it.
    """
    # One after the other: of the last two that end each would see that the other still sits.
    held = _hold(study)
    is_shown = held.shows_results and is_told(held)
    # An answer given elsewhere may stand in a session: that is told whatever the study shows.
    answers = Attempt.objects.filter(
        sat__session__participation__study=held,
        origin=Attempt.Origin.STUDY,
        told_at__isnull=is_shown,
    )
    # In one order, as graders take them: else they could wait for each other.
    locked = answers.select_for_update(of=("self",), no_key=True).order_by("pk")
    if pks := list(locked.values_list("pk", flat=True)):
        told_at = (at or timezone.now()) if is_shown else None
        Attempt.objects.filter(pk__in=pks).update(told_at=told_at)


@transaction.atomic
def name_baseline(*, study: Study, by: User, at: datetime | None = None) -> None:
    """
    Have a study's people stand for people on its version, in place of whoever did.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: the study has not ended.
    """
    _require_runner(by)
    if study.state != Study.State.ENDED:
        raise NotAllowedNow(_("Only a study that has ended can be the human baseline."))
    standing = _hold_baseline(study.version_id)
    if standing and standing.study_id == study.pk:
        return
    _end_baseline(standing, by, at)
    named_at = at or timezone.now()
    HumanBaseline.objects.create(
        version_id=study.version_id, study=study, named_by=by, named_at=named_at
    )


@transaction.atomic
def drop_baseline(*, study: Study, by: User) -> None:
    """
    Have a study's people stand for people no longer; nobody does then.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: it is another study, or none, that stands for people.
    """
    _require_runner(by)
    standing = _hold_baseline(study.version_id)
    if not standing or standing.study_id != study.pk:
        raise NotAllowedNow(_("This study is not the human baseline of its version."))
    _end_baseline(standing, by, None)


def _hold_baseline(version: int) -> HumanBaseline | None:
    """Find a version's baseline; two admins who name one do so one after the other."""
    BenchmarkVersion.objects.select_for_update(no_key=True).get(pk=version)
    return HumanBaseline.objects.counting().filter(version=version).first()


def _end_baseline(standing: HumanBaseline | None, by: User, at: datetime | None) -> None:
    if standing:
        standing.ended_by, standing.ended_at = by, at or timezone.now()
        standing.save(update_fields=["ended_by", "ended_at"])


@dataclass(frozen=True, slots=True)
class Invited:
    """What came of a list of addresses."""

    invited: int
    unknown: list[str]
    """Addresses of no participant of this site."""


@transaction.atomic
def invite(
    *, study: Study, addresses: Iterable[str], by: User, at: datetime | None = None
) -> Invited:
    """
    Put participants on the list of those who may join; who is on it already stays.

    Raises:
        PermissionDenied: `by` is no admin.
        NotAllowedNow: the study has ended.
    """
    _require_runner(by)
    held = _hold(study)
    if held.state == Study.State.ENDED:
        raise NotAllowedNow(_("This study has ended."))
    asked = {one.lower(): one for one in addresses}
    known = {
        one.email.lower(): one
        for one in list_people_to_invite().annotate(lower=Lower("email")).filter(lower__in=asked)
    }
    there = set(held.invitations.values_list("person", flat=True))
    new = [one for one in known.values() if one.pk not in there]
    invited_at = at or timezone.now()
    Invitation.objects.bulk_create(
        Invitation(study=held, person=one, invited_by=by, invited_at=invited_at) for one in new
    )
    letters.invite(held)
    return Invited(len(new), [one for lower, one in asked.items() if lower not in known])


def freeze(*, study: Study, at: datetime | None = None) -> Preregistration:
    """Keep what the study says now, once, for who holds its row as the first person starts."""
    there = Preregistration.objects.filter(study=study).first()
    if there is not None:
        return there
    content = describe(study)
    return Preregistration.objects.create(
        study=study,
        content=content,
        sha256=hashlib.sha256(write(content)).hexdigest(),
        frozen_at=at or timezone.now(),
    )


def describe(study: Study) -> dict[str, Any]:
    """Return what is fixed beforehand, as it is kept and downloaded."""
    said = {name: _as_json(getattr(study, name)) for name in FROZEN}
    pool = study.items.order_by("item__identifier").values_list(
        "item__identifier", "item__asked_sha256", "statement"
    )
    return {
        **said,
        "version": str(study.version),
        "pool": [
            {
                "id": identifier,
                "asked_sha256": asked,
                "statement_sha256": hashlib.sha256(statement.encode()).hexdigest(),
            }
            for identifier, asked, statement in pool
        ],
    }


def write(content: Mapping[str, Any]) -> bytes:
    """Write a preregistration as it is downloaded: the bytes that its hash is of."""
    return json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True).encode()


def _as_json(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _hold(study: Study) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _require_runner(by: User) -> None:
    if not runs_studies(by):
        raise PermissionDenied(_("Only admins run studies."))
