"""What an admin has put on the board beside the grader's figures."""

from django.db import models
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from grading.judging.prompts.models import JudgeConfiguration
from phybench.people.models import User


class PublishedColumn(models.Model):
    """A judge whose figures everybody sees beside those of a benchmark."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, db_index=False)
    configuration = models.ForeignKey(
        JudgeConfiguration, on_delete=models.PROTECT, related_name="published_columns"
    )
    published_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "configuration"], name="one_column_a_judge"
            )
        ]

    def __str__(self) -> str:
        return f"{self.configuration} on {self.benchmark}"
