"""What a problem's writers do with trials: begin them, cancel them, ask for what is missing."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.checks import check
from curation.problems.declaring import declare_found
from curation.problems.models import Problem, Revision
from grading.model_runs.permissions import may_try
from grading.model_runs.trials.models import MOST_TIMES, Trial, TrialAnswer
from grading.model_runs.trials.prompt import PROMPT, PROMPT_SHA256, write_prompt
from grading.model_runs.trials.tasks import ASKING, GRADING
from grading.runs import sentences
from grading.runs.models import Endpoint, Run
from phybench.people.models import User
from phybench.work.models import Priority
from phybench.work.tasks import wake

State = TrialAnswer.State


class CannotTry(Exception):
    """A trial can't be begun, or gone on with; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A model at an endpoint, and where the author agreed to send the statement."""

    endpoint: Endpoint
    model: str
    host: str


@transaction.atomic
def begin(*, problem: Problem, by: User, choices: Iterable[Choice], times: int) -> list[Trial]:
    """
    Try the stored draft so many times on each model; those under way are not begun again.

    Raises:
        CannotTry: the problem is not theirs to edit, its text breaks a rule, or an endpoint is
            not what was agreed to. Nothing was begun.
    """
    # Of two who begin at once, the second finds what the first has begun.
    problem = Problem.objects.select_for_update().get(pk=problem.pk)
    if not may_try(by, problem):
        raise CannotTry(
            _("Only its authors can try a problem on models, while they can change it.")
        )
    if not 1 <= times <= MOST_TIMES:
        raise CannotTry(_("Choose 1 to %(most)d answers per problem.") % {"most": MOST_TIMES})
    revision = problem.revisions.latest("number")
    _make_ready(revision)
    sha256 = identify(revision)
    return [
        _find_unfinished(problem, choice, sha256)
        or _begin_one(problem, revision, by, choice, times)
        for choice in choices
    ]


def _make_ready(revision: Revision) -> None:
    """Declare what the draft mentions, as before it is certified; refuse what can't be graded."""
    if not revision.statement.strip() or not revision.answer.strip():
        raise CannotTry(_("Write a statement and a reference answer first, and save them."))
    if revision.submitted_at is not None:
        return
    checked = check(
        revision.answer, revision.statement, rows=revision.symbol_rows, wanted=revision.wanted
    )
    if checked.broken:
        raise CannotTry(
            _("Fix the statement and the answer first, so that answers can be graded: %(rule)s")
            % {"rule": sentences.translate(checked.broken[0].message)}
        )
    declare_found(revision, checked)


def _find_unfinished(problem: Problem, choice: Choice, sha256: str) -> Trial | None:
    return (
        problem.trials.unfinished()
        .filter(endpoint=choice.endpoint, model=choice.model, text_sha256=sha256)
        .first()
    )


def _begin_one(problem: Problem, revision: Revision, by: User, choice: Choice, times: int) -> Trial:
    endpoint = choice.endpoint
    _check(endpoint, choice.model, choice.host)
    trial = Trial.objects.create(
        problem=problem,
        started_by=by,
        endpoint=endpoint,
        model=choice.model,
        host=choice.host,
        times=times,
        text_sha256=identify(revision),
        prompt_name=PROMPT,
        prompt_sha256=PROMPT_SHA256,
        prompt=_write_prompt(revision),
        answer=revision.answer,
        declarations=[asdict(one) for one in revision.reference.declarations],
        wanted=asdict(revision.wanted),
        statement=revision.statement,
        longest_reply=endpoint.longest_reply,
    )
    answers = TrialAnswer.objects.bulk_create(
        TrialAnswer(trial=trial, number=number, priority=Priority.SOON)
        for number in range(1, times + 1)
    )
    wake(ASKING, answers)
    return trial


def _check(endpoint: Endpoint, model: str, host: str) -> None:
    """Refuse what is not as the author saw it when they agreed."""
    if not endpoint.can_be_called:
        why = sentences.translate(endpoint.why_not)
        raise CannotTry(_("%(endpoint)s: %(why)s") % {"endpoint": endpoint, "why": why})
    if model not in endpoint.offered:
        raise CannotTry(
            _("%(endpoint)s no longer offers %(model)s.") % {"endpoint": endpoint, "model": model}
        )
    if host != endpoint.host:
        raise CannotTry(
            _("The address of %(endpoint)s changed: agree to it before anything is sent there.")
            % {"endpoint": endpoint}
        )


def _write_prompt(revision: Revision) -> str:
    symbols = [str(row) for row in revision.symbol_rows]
    wanted = revision.wanted.write() if revision.wanted else ""
    return write_prompt(revision.statement, symbols=symbols, wanted=wanted)


def identify(revision: Revision) -> str:
    """Tell one text from another: what is sent of it, and what answers are graded against."""
    # In any order: the editor's table may be filled in another.
    symbols = sorted(json.dumps(row.store(), sort_keys=True) for row in revision.symbol_rows)
    parts = [revision.statement, asdict(revision.wanted), revision.answer, symbols]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def list_submitted(trial: Trial) -> list[Revision]:
    """Return the submitted revisions that have the text of this trial."""
    revisions = Revision.objects.submitted().filter(problem=trial.problem_id)
    return [one for one in revisions if identify(one) == trial.text_sha256]


@transaction.atomic
def cancel(*, trial: Trial, by: User) -> int:
    """
    Ask no more; what is being asked comes to its end and is kept. Return how many were left.

    Raises:
        CannotTry: it has ended.
    """
    trial = _locked(trial, by)
    if not trial.answers.waiting().exists():
        raise CannotTry(_("This trial has ended."))
    waiting = trial.answers.filter(state=State.QUEUED)
    Run.objects.filter(pk=trial.pk).update(state=Run.State.CANCELLED)
    return waiting.update(state=State.CANCELLED, next_at=None)


@transaction.atomic
def ask_again(*, trial: Trial, by: User) -> int:
    """
    Ask for what is missing only; return how many that are. A reply that is there is graded again.

    Raises:
        CannotTry: the endpoint can't be called, or has moved since the author agreed to it.
    """
    trial = _locked(trial, by)
    missing = trial.answers.select_for_update().filter(state__in=[State.FAILED, State.CANCELLED])
    to_ask = [one for one in missing if not one.replied_at]
    to_grade = [one for one in missing if one.replied_at]
    if to_ask:
        _check(trial.endpoint, trial.model, trial.host)
    Run.objects.filter(pk=trial.pk).update(state=Run.State.RUNNING)
    for kind, answers in ((ASKING, to_ask), (GRADING, to_grade)):
        TrialAnswer.objects.filter(pk__in=[one.pk for one in answers]).update(
            **kind.waits,
            failure_reason="",
            failure_message=None,
            failures=[],
            first_call_at=None,
            lost=0,
            next_at=None,
            queued_at=timezone.now(),
        )
        wake(kind, answers)
    return len(missing)


def _locked(trial: Trial, by: User) -> Trial:
    trial = Trial.objects.select_related("problem", "endpoint").get(
        # Its key stays: who keeps a call, which names it, may hold answers that are wanted next.
        pk=Trial.objects.select_for_update(no_key=True).get(pk=trial.pk).pk
    )
    if not may_try(by, trial.problem):
        raise CannotTry(
            _("Only its authors can try a problem on models, while they can change it.")
        )
    return trial
