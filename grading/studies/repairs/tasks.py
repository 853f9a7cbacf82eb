"""What workers do with repaired answers: grade each once."""

from grading.answers.grader import judge_timed
from grading.answers.runs.models import GradingRun
from grading.studies.repairs.models import Repair
from phybench.work.kinds import Kind, register
from phybench_grader import GRADER_VERSION, JudgeError
from phybench_grader.numbers.sentences import Sentence

State = Repair.State
rows = Repair.objects.select_related("item__study_item__item__revision__problem")


def grade(repair: Repair) -> None:
    """Grade what was meant by the key that its benchmark grades by; what is ours is no 0."""
    revision = repair.item.study_item.item.revision
    run = GradingRun.objects.get_adopted(revision.problem.benchmark_id)
    key = run.find_keys({revision.pk})[revision.pk]
    said = judge_timed(key.reference, repair.meant).said
    if isinstance(said, JudgeError):
        repair.settle(state=State.FAILED, failure_reason=said.reason, failure_message=said.message)
        return
    repair.settle(
        state=State.GRADED,
        verdict=said.verdict.value,
        accuracy=said.accuracy,
        eed=said.eed,
        judge_version=GRADER_VERSION,
    )


def give_up(repair: Repair) -> None:
    repair.settle(
        state=State.FAILED,
        failure_reason="worker_lost",
        failure_message=Sentence("trial_grading_lost"),
    )


GRADING = register(
    Kind(name="grade_repair", rows=rows.filter(state=State.QUEUED), do=grade, give_up=give_up)
)
