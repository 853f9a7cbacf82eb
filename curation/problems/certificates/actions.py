"""Make the certificate of a reference answer: one case after the other, each in a child process."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import asdict
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.problems.certificates.models import Certificate
from curation.problems.models import Problem
from curation.texts.references.reference import Reference
from phybench.work import sandbox
from phybench.work.models import Priority
from phybench_grader import GRADER_VERSION
from phybench_grader.authoring.certificate import Case, CaseOutcome, Expected, list_cases, try_case
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.reading import Unreadable
from phybench_grader.verdict.declarations import Undeclarable

logger = logging.getLogger(__name__)


class Tried(NamedTuple):
    """What came of one case, as a row keeps it."""

    outcome: CaseOutcome
    reason: str = ""
    message: Sentence | None = None
    eed: float | None = None


def find(problem: Problem, reference: Reference) -> Certificate | None:
    """Return the newest certificate of this reference by the grader of today."""
    return Certificate.objects.of(problem, reference).filter(grader_version=GRADER_VERSION).last()


def begin(problem: Problem, reference: Reference) -> Certificate:
    """Return the certificate of this reference that is in the making, begun if there is none."""
    wanted = Certificate.objects.of(problem, reference).filter(grader_version=GRADER_VERSION)
    if (begun := wanted.unfinished().last()) is not None:
        return begun
    try:
        with transaction.atomic():
            return Certificate.objects.create(
                problem=problem,
                answer=reference.answer,
                declarations=[asdict(one) for one in reference.declarations],
                must_accept=list(reference.must_accept),
                must_reject=list(reference.must_reject),
                wanted=asdict(reference.wanted),
                statement=reference.statement,
                reference_sha256=reference.sha256,
                grader_version=GRADER_VERSION,
                priority=Priority.NOW,
            )
    except IntegrityError:
        # Somebody else was faster.
        return wanted.unfinished().get()


def run(certificate: Certificate, watch: Callable[[int, int], None] | None = None) -> None:
    """
    Try the cases of a claimed certificate that were not tried yet, and finish it.

    Args:
        watch: told how many of how many cases are done.

    Raises:
        Lost: another worker has it now.
    """
    if _set_up(certificate):
        for number, row in enumerate(certificate.rows):
            if watch:
                watch(number, len(certificate.rows))
            if not row.get("outcome"):
                _try_row(certificate, row)
        _finish(certificate, _sum_up(certificate))


def give_up(certificate: Certificate) -> None:
    """Finish a certificate that takes worker after worker with it."""
    outcome = CaseOutcome.FAILED if certificate.failed else CaseOutcome.OPEN
    _end_early(certificate, outcome, "worker_lost", Sentence("certifiers_lost"))


def _set_up(certificate: Certificate) -> bool:
    """List the cases, unless an earlier worker did; False where the certificate ends with that."""
    if certificate.grader_version != GRADER_VERSION:
        message = Sentence("grader_changed")
        return _end_early(certificate, CaseOutcome.OPEN, "grader_changed", message)
    if certificate.rows:
        return True
    try:
        reference = certificate.reference
        plan = sandbox.run(
            list_cases,
            reference.answer,
            declared=reference.question,
            accept=reference.must_accept,
            reject=reference.must_reject,
            deadline=settings.CERTIFYING_DEADLINE_SECONDS,
        )
    except Undeclarable as error:
        return _end_early(certificate, CaseOutcome.FAILED, "undeclarable", error.message)
    except Unreadable as error:
        return _end_early(certificate, CaseOutcome.FAILED, error.reason, error.message)
    except sandbox.Stopped as stopped:
        message = Sentence("listing_stopped")
        return _end_early(certificate, CaseOutcome.OPEN, stopped.reason, message)
    except CancelledError:
        raise
    except Exception:
        logger.exception("listing the cases of %.200r", certificate.answer)
        return _end_early(certificate, CaseOutcome.OPEN, "grader_error", Sentence("grader_failed"))
    certificate.rows = [{**asdict(case), "outcome": ""} for case in plan.cases]
    certificate.left_out = [asdict(one) for one in plan.left_out]
    certificate.started_at = timezone.now()
    certificate.keep(
        rows=certificate.rows,
        left_out=certificate.left_out,
        started_at=certificate.started_at,
    )
    return True


def _try_row(certificate: Certificate, row: dict[str, Any]) -> None:
    started = time.monotonic()
    case = Case(row["kind"], row["text"], Expected(row["expected"]))
    tried = _try(case, certificate.reference)
    seconds = time.monotonic() - started
    message = tried.message.write() if tried.message else None
    row.update({**tried._asdict(), "message": message}, seconds=round(seconds, 3))
    certificate.seconds += seconds
    count = {
        CaseOutcome.PASSED: "passed",
        CaseOutcome.FAILED: "failed",
        CaseOutcome.OPEN: "open",
    }[tried.outcome]
    setattr(certificate, count, getattr(certificate, count) + 1)
    certificate.keep(
        rows=certificate.rows,
        seconds=certificate.seconds,
        **{count: getattr(certificate, count)},
    )


def _try(case: Case, reference: Reference) -> Tried:
    """Try one case; what is stopped, or is our mistake, could not be told."""
    try:
        row = sandbox.run(
            try_case,
            case,
            reference.answer,
            declared=reference.question,
            deadline=settings.CERTIFYING_DEADLINE_SECONDS,
        )
    except sandbox.Stopped as stopped:
        message = Sentence("case_stopped")
        return Tried(CaseOutcome.OPEN, stopped.reason, message)
    except CancelledError:
        raise
    except Exception:
        logger.exception("trying %.200r on %.200r", case, reference.answer)
        return Tried(CaseOutcome.OPEN, "grader_error", Sentence("grader_failed"))
    eed = row.judgement.eed if row.judgement else None
    return Tried(row.outcome, row.reason, row.message, eed)


def _sum_up(certificate: Certificate) -> CaseOutcome:
    if certificate.failed:
        return CaseOutcome.FAILED
    return CaseOutcome.OPEN if certificate.open else CaseOutcome.PASSED


def _end_early(
    certificate: Certificate, outcome: CaseOutcome, reason: str, message: Sentence
) -> bool:
    certificate.reason, certificate.message = reason, message
    _finish(certificate, outcome, reason=reason, message=message)
    return False


def _finish(certificate: Certificate, outcome: CaseOutcome, **fields: str | Sentence) -> None:
    now = timezone.now()
    certificate.keep(outcome=outcome.value, finished_at=now, lease_until=None, **fields)
    certificate.outcome, certificate.finished_at = outcome, now
