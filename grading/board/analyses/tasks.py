"""What workers do with analyses: work them out."""

from grading.board.analyses import kinds
from grading.board.analyses.models import Analysis
from phybench.work.kinds import Kind, register

WORKING_OUT = register(
    Kind(
        name="work_out_analysis",
        rows=Analysis.objects.to_do().select_related("benchmark", "version", "run__benchmark"),
        do=kinds.work_out,
        give_up=kinds.give_up,
    )
)
