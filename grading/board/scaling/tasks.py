"""What workers do for pages about samples: sort answers; `figures` registers the analysis."""

from grading.board.scaling import figures, sorting
from grading.board.scaling.models import AnswerSorting
from phybench.work.kinds import Kind, register

__all__ = ["SORTING", "figures"]

SORTING = register(
    Kind(
        name="sort_answers",
        rows=AnswerSorting.objects.to_do().select_related("run__benchmark"),
        do=sorting.sort,
        give_up=sorting.give_up,
    )
)
