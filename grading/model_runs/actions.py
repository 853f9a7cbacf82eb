"""What evaluators do with runs of models: begin, pause, resume, cancel, ask for what failed."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.versions.models import BenchmarkVersion
from grading.endpoints import Parameters
from grading.model_runs.asking import list_asked
from grading.model_runs.estimates import estimate_waiting
from grading.model_runs.models import LONGEST_NAME, MOST_SAMPLES, ModelRun, ModelRunAnswer
from grading.model_runs.permissions import may_steer
from grading.model_runs.prompt import PROMPT, PROMPT_SHA256, WORDS
from grading.model_runs.tasks import ASKING
from grading.runs import reservations, sentences
from grading.runs.models import Endpoint, Run
from grading.solvers.models import Organisation
from grading.solvers.permissions import can_hand_in
from phybench.people.models import User
from phybench.work.kinds import Pool
from phybench.work.models import Priority
from phybench.work.tasks import wake
from phybench_grader.numbers.sentences import Sentence

State = ModelRunAnswer.State


class CannotRun(Exception):
    """A run can't be begun, or gone on with; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to be, as somebody has set it up and agreed to it."""

    organisation: Organisation
    version: BenchmarkVersion
    endpoint: Endpoint
    host: str
    """Where they agreed to have the statements sent."""
    parameters: Parameters
    samples: int = 1
    name: str = ""
    """By which its answers are handed in; the model's where it is empty."""
    includes_hidden: bool = True
    may_fall_short: bool = False
    """Whether it may begin though what is left today will not do for all of it."""


@transaction.atomic
def begin(*, plan: Plan, by: User) -> ModelRun:
    """
    Begin a run: what it may need is reserved.

    Raises:
        CannotRun: an endpoint is not what was agreed to, the version is not the newest, or less
            is left today than it needs. Nothing was begun.
    """
    if not can_hand_in(by, plan.organisation):
        raise PermissionDenied(_("Only members can run models for a team."))
    if not 1 <= plan.samples <= MOST_SAMPLES:
        raise CannotRun(_("Choose 1 to %(most)d answers per problem.") % {"most": MOST_SAMPLES})
    _check(plan.endpoint, plan.parameters.model, plan.host)
    if not BenchmarkVersion.objects.current().filter(pk=plan.version.pk).exists():
        raise CannotRun(_("A newer version was published. Look at the estimate again."))
    run = ModelRun.objects.create(
        organisation=plan.organisation,
        version=plan.version,
        endpoint=plan.endpoint,
        model=plan.parameters.model,
        host=plan.host,
        name=(plan.name or plan.parameters.model)[:LONGEST_NAME],
        started_by=by,
        samples=plan.samples,
        temperature=plan.parameters.temperature,
        max_tokens=plan.parameters.max_tokens or plan.endpoint.longest_reply,
        reasoning_effort=plan.parameters.reasoning_effort or "",
        includes_hidden=plan.includes_hidden,
        prompt_name=PROMPT,
        prompt_sha256=PROMPT_SHA256,
        prompt_words=WORDS,
        priority=Priority.SOON,
    )
    answers = _make_answers(run)
    _reserve(run, may_fall_short=plan.may_fall_short)
    wake(ASKING, answers[:1])
    return run


def _make_answers(run: ModelRun) -> list[ModelRunAnswer]:
    items = list_asked(run.version, includes_hidden=run.includes_hidden)
    return ModelRunAnswer.objects.bulk_create(
        # All problems once before any is asked again.
        (
            ModelRunAnswer(run=run, item=item, sample=sample)
            for sample in range(1, run.samples + 1)
            for item in items
        ),
        batch_size=1000,
    )


def _check(endpoint: Endpoint, model: str, host: str) -> None:
    """Refuse what is not as somebody saw it when they agreed."""
    if not endpoint.can_be_called:
        raise CannotRun(f"{endpoint}: {sentences.translate(endpoint.why_not)}")
    if model not in endpoint.offered:
        raise CannotRun(
            _("%(endpoint)s no longer offers %(model)s.") % {"endpoint": endpoint, "model": model}
        )
    if host != endpoint.host:
        raise CannotRun(
            _("The address of %(endpoint)s changed: agree to it before anything is sent there.")
            % {"endpoint": endpoint}
        )


def _reserve(run: ModelRun, *, may_fall_short: bool) -> None:
    """Reserve what waits of a run. Raises `CannotRun` where there is less left."""
    needed = estimate_waiting(run)
    kept = reservations.reserve(run, run.endpoint_id, needed)
    if needed.calls and not kept.calls:
        raise CannotRun(
            _("%(endpoint)s has no budget left today beyond what other runs have reserved.")
            % {"endpoint": run.endpoint}
        )
    if kept.calls < needed.calls and not may_fall_short:
        raise CannotRun(
            _("The budget of %(endpoint)s covers %(left)d of %(calls)d calls today.")
            % {"endpoint": run.endpoint, "left": kept.calls, "calls": needed.calls}
        )


# --- While it runs --------------------------------------------------------------------------


@transaction.atomic
def pause(*, run: ModelRun, by: User) -> None:
    """Make no new calls; what is under way comes to its end. What it had reserved is free."""
    run = _locked(run, by)
    if run.state != ModelRun.State.RUNNING:
        raise CannotRun(_("This run is not active."))
    run.state, run.paused_for = ModelRun.State.PAUSED, "person"
    run.paused_message = Sentence.of("run_paused", person=str(by))
    run.save(update_fields=["state", "paused_for", "paused_message"])
    reservations.free(run)


@transaction.atomic
def resume(*, run: ModelRun, by: User) -> int:
    """
    Go on with what waits, as far as what is left today; return how many that are.

    Raises:
        CannotRun: it is not paused, the endpoint can't be called, or nothing is left today.
    """
    run = _locked(run, by)
    if run.state != ModelRun.State.PAUSED:
        raise CannotRun(_("This run is not paused."))
    return _go_on(run)


@transaction.atomic
def cancel(*, run: ModelRun, by: User) -> int:
    """Ask no more; what came is kept and can be graded. Return how many answers were left."""
    run = _locked(run, by)
    if run.state == ModelRun.State.CANCELLED:
        raise CannotRun(_("This run is already cancelled."))
    _check_not_graded(run)
    failed = run.answers.filter(state=State.FAILED)
    if run.state == ModelRun.State.ENDED and not failed.exists():
        raise CannotRun(_("This run has ended, so it can’t be cancelled."))
    _reopen(run, ModelRun.State.CANCELLED)
    reservations.free(run)
    left = run.answers.filter(state=State.QUEUED)
    count = left.update(state=State.CANCELLED, next_at=None, ended_at=timezone.now())
    wake(Pool.GENERAL, [run])
    return count


@transaction.atomic
def ask_again(*, run: ModelRun, by: User) -> int:
    """
    Ask for what failed or was cancelled, and for nothing else; return how many that are.

    Raises:
        CannotRun: nothing is missing, its draft is graded, or the endpoint can't be called.
    """
    run = _locked(run, by)
    _check_not_graded(run)
    missing = run.answers.filter(state__in=[State.FAILED, State.CANCELLED])
    count = missing.update(
        state=State.QUEUED,
        failures=[],
        first_call_at=None,
        failure_reason="",
        failure_message=None,
        lost=0,
        next_at=None,
        ended_at=None,
        queued_at=timezone.now(),
    )
    if not count:
        raise CannotRun(_("No answers are missing, so there is nothing to retry."))
    _go_on(run)
    return count


def _go_on(run: ModelRun) -> int:
    _check(run.endpoint, run.model, run.host)
    _reserve(run, may_fall_short=True)
    _reopen(run, ModelRun.State.RUNNING)
    waiting = run.answers.filter(state=State.QUEUED)
    wake(ASKING, waiting[:1])
    # What was lost stays lost: who resumes gives it new tries.
    count = waiting.update(next_at=None, lost=0)
    if not count:
        wake(Pool.GENERAL, [run])
    return count


def _reopen(run: ModelRun, state: ModelRun.State) -> None:
    """Have its answers handed over once more, when nothing waits."""
    Run.objects.filter(pk=run.pk).update(state=state, paused_for="", paused_message=None)
    ModelRun.objects.filter(pk=run.pk).update(handed_over_at=None)


def _check_not_graded(run: ModelRun) -> None:
    # Who grades its draft holds the run as well: they wait for this, or this for them.
    if ModelRun.objects.filter(pk=run.pk, file__draft__graded_at__isnull=False).exists():
        raise CannotRun(_("Its answers are graded. Start another run for more answers."))


def _locked(run: ModelRun, by: User) -> ModelRun:
    found = ModelRun.objects.select_for_update(of=["self", "run"], no_key=True)
    run = found.select_related("endpoint").get(pk=run.pk)
    if not may_steer(by, run):
        raise CannotRun(_("Only members of its team and admins can do this."))
    return run
