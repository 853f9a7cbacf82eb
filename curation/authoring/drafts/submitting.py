"""
Submit a draft by one click.

The grader tries its answer first. What was asked for is kept, so that the draft is submitted when
its certificate has passed, whatever becomes of the author's browser meanwhile.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.authoring.drafts.models import SubmitRequest
from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_withdraw
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.models import User
from phybench.people.permissions import may_still_write
from phybench.work.models import Lost, Priority

Outcome = SubmitRequest.Outcome


@transaction.atomic
def ask_to_submit(
    *,
    problem: Problem,
    author: User,
    confirmed: int | None = None,
    different_from: Collection[int] = (),
) -> SubmitRequest | ReviewRound:
    """
    Submit the draft, or have that done as soon as its certificate has passed; asked twice, once.

    Args:
        confirmed, different_from: as `actions.submit` takes them.

    Raises:
        RulesBroken, NotCertified, Alike, NotAllowedNow: as `actions.submit` says. What is like
            other problems is said before the grader tries anything.
    """
    problem = problem.locked()
    certificate = actions.prepare(problem=problem, author=author, different_from=different_from)
    if certificate.is_finished:
        return actions.submit(
            problem=problem, author=author, confirmed=confirmed, different_from=different_from
        )
    saved_at = problem.revisions.get(submitted_at=None).saved_at
    waiting = SubmitRequest.objects.open().filter(problem=problem)
    if (asked := waiting.filter(saved_at=saved_at, certificate=certificate).first()) is not None:
        return asked
    # What was asked for an earlier text is not what is wanted now.
    waiting.end(Outcome.CHANGED)
    return SubmitRequest.objects.create(
        problem=problem,
        by=author,
        saved_at=saved_at,
        certificate=certificate,
        different_from=sorted(different_from),
        priority=Priority.NOW,
    )


def carry_out(request: SubmitRequest) -> None:
    """Submit what was asked for, or write down why not; one transaction, so it happens once."""
    with transaction.atomic():
        # Before the row itself: who saves a draft holds its problem and then ends the request.
        problem = request.problem.locked()
        if not request.ours().exists():
            raise Lost(request.pk)
        _settle(request, _submit(request, problem))


def _submit(request: SubmitRequest, problem: Problem) -> SubmitRequest.Outcome:
    draft = problem.revisions.filter(submitted_at=None).first()
    if draft is None or draft.saved_at != request.saved_at:
        return Outcome.CHANGED
    if not may_still_write(request.by):
        return Outcome.REFUSED
    try:
        with transaction.atomic():
            actions.submit(
                problem=problem, author=request.by, different_from=request.different_from
            )
    except actions.NotCertified:
        return Outcome.NOT_CERTIFIED
    except actions.Alike:
        return Outcome.ALIKE
    except (actions.RulesBroken, NotAllowedNow):
        return Outcome.REFUSED
    return Outcome.SUBMITTED


def give_up(request: SubmitRequest) -> None:
    """End what takes worker after worker with it; its author can ask again."""
    _settle(request, Outcome.LOST)


def _settle(request: SubmitRequest, outcome: SubmitRequest.Outcome) -> None:
    if not request.settle(outcome=outcome, ended_at=timezone.now()):
        raise Lost(request.pk)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is with what an author asked to submit."""

    request: SubmitRequest
    tried: int
    cases: int

    @property
    def is_open(self) -> bool:
        return self.request.ended_at is None

    @property
    def outcome(self) -> str:
        return self.request.outcome


def find_progress(problem: Problem, revision: Revision) -> Progress | None:
    """Return how far the last request is, or what came of it, while the page is to say so."""
    request = problem.submit_requests.select_related("certificate").last()
    if request is None or revision.submitted_at is not None:
        return None
    # Until it is saved once more.
    was_overtaken = request.ended_at is not None and request.ended_at >= revision.saved_at
    if request.saved_at != revision.saved_at and not was_overtaken:
        return None
    certificate = request.certificate
    return Progress(request, certificate.tried, len(certificate.rows))


def was_submitted(problem: Problem) -> bool:
    """Whether the last that was asked for is done."""
    request = problem.submit_requests.last()
    return (
        request is not None
        and request.outcome == Outcome.SUBMITTED
        and problem.status == Status.IN_REVIEW
    )


def is_submitted_so(problem: Problem, author: User, fields: dict[str, Any]) -> bool:
    """Whether the same form was sent before and submitted: the second of two clicks."""
    newest = problem.revisions.latest("number")
    return (
        can_withdraw(author, problem)
        and newest.submitted_at is not None
        and actions.holds(newest, problem, fields)
    )
