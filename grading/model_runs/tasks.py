"""What workers do with runs of models: ask, of one run and another in turn."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from grading.model_runs import work
from grading.model_runs.models import ModelRun, ModelRunAnswer
from phybench.work.kinds import Kind, Pool, register
from phybench.work.tasks import wake

State = ModelRunAnswer.State


def ask(answer: ModelRunAnswer) -> None:
    wait = work.ask(answer)
    if wait is not None:
        wake(ASKING, [answer], seconds=wait.seconds)
    else:
        _wake_if_ended(answer)


def give_up(answer: ModelRunAnswer) -> None:
    work.give_up(answer)
    _wake_if_ended(answer)


def _wake_if_ended(answer: ModelRunAnswer) -> None:
    if not ModelRunAnswer.objects.waiting().filter(run=answer.run_id).exists():
        # Who takes over its answers is above.
        wake(Pool.GENERAL, [answer.run])


def take_turns(due: QuerySet[ModelRunAnswer]) -> QuerySet[ModelRunAnswer]:
    """
    Keep those of the run that has the fewest under way, and of such runs the oldest.

    So that a small run is done beside a large one that was begun before it, and not after it.
    """
    held = ModelRunAnswer.objects.filter(run=OuterRef("pk"), state=State.CALLING)
    count = held.order_by().values("run").annotate(count=Count("pk")).values("count")
    # Said of the run first: else all that waits in a paused one is looked through.
    runs = ModelRun.objects.filter(~Q(state=ModelRun.State.PAUSED) | Exists(held))
    runs = runs.filter(Exists(due.filter(run=OuterRef("pk"))))
    turn = runs.order_by(Coalesce(Subquery(count), 0), "pk").values("pk")[:1]
    return due.filter(run=Subquery(turn))


ASKING = register(
    Kind(
        name="ask_run_answer",
        pool=Pool.CALLS,
        rows=ModelRunAnswer.objects.to_do().select_related("run__endpoint", "item__revision"),
        waits={"state": State.QUEUED},
        held={"state": State.CALLING},
        do=ask,
        give_up=give_up,
        narrow=take_turns,
    )
)
