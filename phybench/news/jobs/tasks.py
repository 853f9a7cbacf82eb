"""What workers do with jobs: carry them out, each as its room says."""

from phybench.news.jobs.kinds import carry_out, give_up
from phybench.news.jobs.models import Job
from phybench.work.kinds import Kind, register

CARRYING_OUT = register(
    Kind(
        name="job",
        rows=Job.objects.open().select_related("by"),
        do=carry_out,
        give_up=give_up,
    )
)
