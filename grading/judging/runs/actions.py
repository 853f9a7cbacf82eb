"""What evaluators do with runs of judges: begin, pause, resume, cancel, ask for what is missing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.judging.engine import records
from grading.judging.engine.configuration import Configuration
from grading.judging.judgements.emptiness import find_decided
from grading.judging.models import JudgeItem, JudgeRun, RunJudge
from grading.judging.pairs.matching import match_submissions
from grading.judging.permissions import may_go_on, may_run
from grading.judging.prompts.configurations import Chosen, read, store
from grading.judging.prompts.models import JudgePrompt
from grading.judging.runs import estimates
from grading.judging.runs.tasks import JUDGING
from grading.judging.words import name_kinds
from grading.runs import reservations, sentences
from grading.runs.models import Run
from phybench.people.models import User
from phybench.work.tasks import wake
from phybench_grader.judges import Reason
from phybench_grader.judges.items import Item
from phybench_grader.judges.kinds import KINDS
from phybench_grader.numbers.sentences import Sentence

FINISHED_WITHOUT = (JudgeItem.State.UNSCORED, JudgeItem.State.CANCELLED)
"""Where asking again may bring a verdict. What was left out would be left out once more."""
SPOKEN = [str(one) for one in (*records.SPOKEN, Reason.UNDECIDED)]
"""What has been said, by judges or by the rules alone, which say the same each time."""


class CannotRun(Exception):
    """A run can't be begun, or gone on with; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to be, as somebody has set it up and agreed to it."""

    document: Mapping[str, Any]
    prompt: JudgePrompt
    judges: Sequence[Chosen]
    hosts: frozenset[str]
    """Where they agreed to have the texts sent."""
    purpose: str
    other: Submission | None = None
    """What a pairwise judge compares the submission with."""
    is_fresh: bool = False
    tries_empty: bool = True
    """Whether judges are tried with those empty answers of which they have said nothing yet."""
    most_calls: int | None = None
    most_tokens: int | None = None
    most_money: Decimal | None = None


@transaction.atomic
def begin(*, submission: Submission, started_by: User, plan: Plan) -> JudgeRun:
    """
    Begin a run over all answers of a graded submission, with the canaries before them.

    A pairwise judge's is over the answers to which another submission has one to compare with.

    Raises:
        CannotRun: it is not theirs, not graded yet, or an endpoint is not what was agreed to.
    """
    # Of two who begin the same at once, the second finds the first's.
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission.pk)
    if not may_run(started_by, submission):
        raise CannotRun(_("Only members of its team and admins can have it judged."))
    _check_submission(submission)
    _check_other(submission, started_by, plan)
    return start(
        plan,
        lambda run: _list_rows(run, submission, plan),
        by=started_by,
        submission=submission,
        other=plan.other,
    )


def start(
    plan: Plan, list_rows: Callable[[JudgeRun], list[JudgeItem]], *, by: User, **subject: Any
) -> JudgeRun:
    """Start a run on a subject that may be judged, and is locked; its canaries come first."""
    if not plan.prompt.is_usable:
        raise CannotRun(_("An admin has to release this prompt before it can be used."))
    for chosen in plan.judges:
        check(chosen, plan.hosts)
    configuration = store(plan.document, plan.prompt, by)
    unfinished = JudgeRun.objects.filter(
        **subject,
        configuration=configuration,
        state__in=[JudgeRun.State.RUNNING, JudgeRun.State.PAUSED],
    ).filter(items__state__in=JudgeItem.WAITING)
    if unfinished.exists():
        raise CannotRun(_("This judge is already working on this: see the list of runs."))
    run = JudgeRun.objects.create(
        **subject,
        configuration=configuration,
        started_by=by,
        purpose=plan.purpose,
        is_fresh=plan.is_fresh,
        most_calls=plan.most_calls,
        most_tokens=plan.most_tokens,
        most_money=plan.most_money,
    )
    names = [one["name"] for one in configuration.described_judges]
    RunJudge.objects.bulk_create(
        RunJudge(run=run, name=name, endpoint=chosen.endpoint, model=chosen.model)
        for name, chosen in zip(names, plan.judges, strict=True)
    )
    items = JudgeItem.objects.bulk_create(list_rows(run))
    estimates.reserve(run)
    wake(JUDGING, items)
    return run


def list_known(configuration: Configuration, plan: Plan, own: Iterable[Item] = ()) -> list[Item]:
    """
    List the items of known verdict that a run over its `own` items tries its judges with.

    Traps are in each run, empty answers in each version of a judge: of what it has said something
    already it is asked again only in a run that asks for everything afresh.
    """
    empty = configuration.list_empty_answers() if plan.tries_empty else []
    decided = find_decided(configuration.identity) if empty and not plan.is_fresh else frozenset()
    untried = [one for one in empty if one.canary not in decided]
    return [*configuration.list_canaries(own), *untried]


def _list_rows(run: JudgeRun, submission: Submission, plan: Plan) -> list[JudgeItem]:
    rows = list_canary_rows(run, list_known(read(plan.document, plan.prompt), plan))
    if plan.other is None:
        rows += [
            JudgeItem(run=run, attempt_id=pk)
            for pk in submission.attempts.order_by("pk").values_list("pk", flat=True)
        ]
    else:
        rows += [
            JudgeItem(run=run, attempt=first, other=second)
            for first, second in match_submissions(submission, plan.other).pairs
        ]
    return rows


def list_canary_rows(run: JudgeRun, canaries: Iterable[Item]) -> list[JudgeItem]:
    return [JudgeItem(run=run, canary=one.canary) for one in canaries]


def _check_submission(submission: Submission) -> None:
    if submission.withdrawn_at is not None:
        raise CannotRun(_("This submission is withdrawn, so it can’t be judged."))
    if not submission.attempts.exists():
        raise CannotRun(_("This submission has no answers."))
    waiting = [Attempt.Status.QUEUED, Attempt.Status.GRADING]
    if submission.attempts.filter(status__in=waiting).exists():
        raise CannotRun(_("Wait until all its answers are graded. Then have them judged."))


def _check_other(submission: Submission, by: User, plan: Plan) -> None:
    """Refuse what is not to be compared, or not by them."""
    if KINDS[plan.document["kind"].upper()].compares is (plan.other is None):
        sentence = _("Only the %(judges)s compares with another submission, and it needs one.")
        raise CannotRun(sentence % {"judges": name_kinds(lambda kind: kind.compares)})
    if plan.other is None:
        return
    if not may_run(by, plan.other):
        raise CannotRun(_("Only members of both teams, and admins, can have them compared."))
    if plan.other.pk == submission.pk or plan.other.benchmark_id != submission.benchmark_id:
        raise CannotRun(_("Choose another submission to the same benchmark."))
    _check_compared(plan.other)
    if not match_submissions(submission, plan.other).pairs:
        raise CannotRun(
            _("The two submissions have no problem in common, so they can’t be compared.")
        )


def _check_compared(other: Submission) -> None:
    """Check the second of a pair; what is wrong with it says that it is meant."""
    try:
        _check_submission(other)
    except CannotRun as cannot:
        raise CannotRun(f"{other.solver} (#{other.pk}): {cannot}") from None


def check(chosen: Chosen, hosts: Iterable[str]) -> None:
    """Refuse what is not as somebody saw it when they agreed."""
    endpoint = chosen.endpoint
    if not endpoint.can_be_called:
        why = sentences.translate(endpoint.why_not)
        raise CannotRun(_("%(endpoint)s: %(why)s") % {"endpoint": endpoint, "why": why})
    if chosen.model not in endpoint.offered:
        raise CannotRun(
            _("%(endpoint)s no longer offers %(model)s.")
            % {"endpoint": endpoint, "model": chosen.model}
        )
    if endpoint.host not in hosts:
        raise CannotRun(
            _("The address of %(endpoint)s changed: agree to it before anything is sent there.")
            % {"endpoint": endpoint}
        )


# --- While it runs --------------------------------------------------------------------------


@transaction.atomic
def pause(*, run: JudgeRun, by: User) -> None:
    """
    Make no new calls; what is under way comes to its end and is kept.

    Raises:
        CannotRun: it is not active, or has ended.
    """
    run = _locked(run, by)
    _check_goes_on(run)
    if run.state != JudgeRun.State.RUNNING:
        raise CannotRun(_("This run is not active."))
    run.state, run.paused_for = JudgeRun.State.PAUSED, "person"
    run.paused_message = Sentence.of("run_paused", person=str(by))
    run.save(update_fields=["state", "paused_for", "paused_message"])
    reservations.free(run)


@transaction.atomic
def resume(*, run: JudgeRun, by: User, allow: Mapping[str, Any] | None = None) -> int:
    """
    Go on with what waits; `allow` is what it may spend from now on. Return how many items wait.

    Raises:
        CannotRun: it is not paused or has ended, or an endpoint can't be called.
    """
    run = _locked(run, by)
    _check_goes_on(run)
    if run.state != JudgeRun.State.PAUSED:
        raise CannotRun(_("This run is not paused."))
    _check_endpoints(run)
    for name, value in (allow or {}).items():
        setattr(run, name, value)
    return _go_on(run)


@transaction.atomic
def cancel(*, run: JudgeRun, by: User) -> int:
    """Ask no more; what is under way is kept. Return how many items were left."""
    run = _locked(run, by)
    if run.state == JudgeRun.State.CANCELLED:
        raise CannotRun(_("This run is already cancelled."))
    _check_goes_on(run)
    Run.objects.filter(pk=run.pk).update(
        state=Run.State.CANCELLED, paused_for="", paused_message=None
    )
    reservations.free(run)
    # Where a call was lost, whoever finds the item counts that before it is put to rest.
    return run.items.filter(state=JudgeItem.State.QUEUED, reserved_calls=0).update(
        state=JudgeItem.State.CANCELLED, next_at=None
    )


@transaction.atomic
def ask_again(*, run: JudgeRun, by: User) -> int:
    """
    Ask for what is missing only; return how many items that are.

    What has a verdict stays as it is, and so do items of which the judges have said their word.
    """
    run = _locked(run, by)
    if run.submission is not None:
        _check_submission(run.submission)
    if run.other is not None:
        _check_compared(run.other)
    _check_endpoints(run)
    missing = run.items.filter(state__in=FINISHED_WITHOUT).exclude(reason__in=SPOKEN)
    count = missing.update(
        state=JudgeItem.State.QUEUED, reason="", round=F("round") + 1, lost=0, next_at=None
    )
    _go_on(run)
    return count


def _go_on(run: JudgeRun) -> int:
    run.state, run.paused_for, run.paused_message = JudgeRun.State.RUNNING, "", None
    run.save()
    estimates.reserve(run)
    waiting = run.items.filter(state=JudgeItem.State.QUEUED)
    wake(JUDGING, waiting[:1])
    # What was lost stays lost: whoever resumes gives it new tries.
    return waiting.update(next_at=None, lost=0)


def _check_goes_on(run: JudgeRun) -> None:
    if run.state != JudgeRun.State.CANCELLED and not run.items.waiting().exists():
        raise CannotRun(_("This run has ended."))


def _check_endpoints(run: JudgeRun) -> None:
    for judge in run.judges.select_related("endpoint"):
        if not judge.endpoint.can_be_called:
            why = sentences.translate(judge.endpoint.why_not)
            raise CannotRun(_("%(endpoint)s: %(why)s") % {"endpoint": judge.endpoint, "why": why})


def _locked(run: JudgeRun, by: User) -> JudgeRun:
    # Its key stays: who keeps a call, which names it, holds the endpoint that is wanted next.
    found = JudgeRun.objects.select_for_update(of=["self", "run"], no_key=True)
    run = found.select_related("submission", "other", "file").defer("file__content").get(pk=run.pk)
    if not may_go_on(by, run):
        raise CannotRun(_("Only members of its team and admins can have it judged."))
    return run
