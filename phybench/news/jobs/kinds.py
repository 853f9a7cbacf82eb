"""The kinds of jobs that rooms register in their `tasks.py`, and the carrying out of one."""

from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from phybench.news.jobs.models import Job
from phybench.work.models import Lost


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a job, in a sentence, and the page that shows it."""

    sentence: str
    leads_to: str


@dataclass(frozen=True, slots=True)
class JobKind:
    """
    One kind of long action.

    What `do` writes is one transaction with the end of the job, so it is done once, whatever
    becomes of workers. What it raises but for `refusals` is a failure of ours.
    """

    name: str
    do: Callable[[Job], Result]
    refusals: tuple[type[Exception], ...] = ()


kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    kinds[kind.name] = kind


def carry_out(job: Job) -> None:
    """
    Do what a claimed job asks for.

    Raises:
        Lost: another worker has it now; nothing is kept.
    """
    kind = kinds[job.kind]
    refusals: tuple[type[Exception], ...] = (PermissionDenied, *kind.refusals)
    with translation.override(job.language):
        try:
            with transaction.atomic():
                if not job.by.is_active:
                    raise PermissionDenied(_("This account is not active."))
                result = kind.do(job)
                _end(job, Job.Outcome.DONE, result.sentence, result.leads_to)
        except refusals as refused:
            _end(job, Job.Outcome.REFUSED, str(refused), job.leads_to)


def give_up(job: Job) -> None:
    """End what takes worker after worker with it; the person who began it can try again."""
    with translation.override(job.language):
        why = _("This could not be done: our workers stopped. Nothing was changed. Try again.")
    _end(job, Job.Outcome.LOST, why, job.leads_to)


def _end(job: Job, outcome: Job.Outcome, said: str, leads_to: str) -> None:
    ended = {"ended_at": timezone.now(), "outcome": outcome, "said": said, "leads_to": leads_to}
    # What it was asked for may name people, and nobody needs it any more.
    if not job.settle(arguments={}, **ended):
        raise Lost(job.pk)
