"""What workers do with analyses: work them out."""

from grading.analyses import kinds
from grading.analyses.models import Analysis
from phybench.work.kinds import Kind, register

WORKING_OUT = register(
    Kind(
        name="work_out_analysis",
        rows=Analysis.objects.to_do().select_related("benchmark", "version", "run__benchmark"),
        do=kinds.work_out,
        give_up=kinds.give_up,
    )
)
