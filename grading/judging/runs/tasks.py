"""What workers do with runs of judges: judge their items, of one run and another in turn."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.runs import work
from phybench.work.kinds import Kind, Pool, register
from phybench.work.tasks import wake

State = JudgeItem.State


def judge(item: JudgeItem) -> None:
    wait = work.judge(item)
    if wait is not None:
        wake(JUDGING, [item], seconds=wait.seconds)


def take_turns(due: QuerySet[JudgeItem]) -> QuerySet[JudgeItem]:
    """
    Keep those of the run that has the fewest under way, and of such runs the oldest.

    So that a small run is done beside a large one that was begun before it, and not after it.
    """
    held = JudgeItem.objects.filter(run=OuterRef("pk"), state=State.JUDGING)
    count = held.order_by().values("run").annotate(count=Count("pk")).values("count")
    # Said of the run first: else all that waits in a paused one is looked through.
    runs = JudgeRun.objects.filter(~Q(state=JudgeRun.State.PAUSED) | Exists(held))
    runs = runs.filter(Exists(due.filter(run=OuterRef("pk"))))
    turn = runs.order_by(Coalesce(Subquery(count), 0), "pk").values("pk")[:1]
    return due.filter(run=Subquery(turn))


JUDGING = register(
    Kind(
        name="judge_item",
        pool=Pool.JUDGING,
        rows=JudgeItem.objects.to_do()
        .select_related(
            "run__configuration__prompt",
            "run__submission__solver",
            "run__file",
            "run__other__solver",
            "attempt__revision",
            "other",
        )
        .defer("run__file__content"),
        waits={"state": State.QUEUED},
        held={"state": State.JUDGING},
        do=judge,
        give_up=work.give_up,
        narrow=take_turns,
    )
)
