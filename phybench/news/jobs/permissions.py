"""Whose jobs one sees: one’s own, since what came of them may be told to nobody else."""

from phybench.news.jobs.models import Job, JobQuerySet
from phybench.people.models import User


def is_own(user: User, job: Job) -> bool:
    return job.by_id == user.pk


def list_jobs(user: User) -> JobQuerySet:
    return Job.objects.filter(by=user)
