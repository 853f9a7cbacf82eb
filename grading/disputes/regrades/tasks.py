"""What workers do of grading runs: grade the parts of those that wait for a decision."""

from grading.disputes.regrades import work
from grading.disputes.regrades.models import RegradePart
from phybench.work.kinds import Kind, register

REGRADING = register(
    Kind(
        name="grade_part_of_a_run",
        rows=RegradePart.objects.to_do().select_related("run__benchmark"),
        do=work.grade_part,
        give_up=work.give_up,
    )
)
