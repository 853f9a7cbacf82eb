"""What workers do with trials: ask a model once, and grade what it replied."""

from grading.model_runs.trials import work
from grading.model_runs.trials.models import TrialAnswer
from phybench.work.kinds import Kind, Pool, register
from phybench.work.tasks import wake

State = TrialAnswer.State
rows = TrialAnswer.objects.select_related("trial__endpoint")


def ask(answer: TrialAnswer) -> None:
    wait = work.ask(answer)
    if wait is None:
        wake(GRADING, [answer])
    else:
        wake(ASKING, [answer], seconds=wait.seconds)


ASKING = register(
    Kind(
        name="ask_model",
        pool=Pool.CALLS,
        rows=rows.filter(state__in=[State.QUEUED, State.CALLING]),
        waits={"state": State.QUEUED},
        held={"state": State.CALLING},
        do=ask,
        give_up=work.give_up_asking,
    )
)
GRADING = register(
    Kind(
        name="grade_trial_answer",
        rows=rows.filter(state__in=[State.REPLIED, State.GRADING]),
        waits={"state": State.REPLIED},
        held={"state": State.GRADING},
        do=work.grade,
        give_up=work.give_up_grading,
    )
)
