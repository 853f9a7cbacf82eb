"""Work done here and now, as by a worker that finds one row and nothing else."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from curation.exchange.tasks import IMPORTING
from curation.problems.certificates.tasks import CERTIFYING
from grading.answers import tasks as answers
from grading.answers.models import Attempt
from grading.board.analyses.tasks import WORKING_OUT
from grading.board.scaling.tasks import SORTING
from grading.judging.runs.tasks import JUDGING
from grading.model_runs.trials import tasks as trials
from phybench.news.jobs.models import Job
from phybench.news.jobs.tasks import CARRYING_OUT
from phybench.news.mails.gathering import gather
from phybench.news.mails.models import Mail
from phybench.news.mails.tasks import SENDING
from phybench.work.kinds import Kind
from phybench.work.leases import carry_out
from phybench.work.rooms import APPS, load


def do(kind: Kind[Any], pk: int) -> None:
    row = kind.claim(pk)
    if row is not None:
        carry_out(kind, [row])


def grade_together(attempts: QuerySet[Attempt]) -> None:
    """Grade those of them that wait, many at a time as a worker takes them: it is much quicker."""
    some = {"pk__in": list(attempts.values_list("pk", flat=True))}
    kind = replace(answers.GRADING, rows=answers.GRADING.rows.filter(**some))
    while rows := kind.claim_some():
        carry_out(kind, rows)


def work_out_analyses() -> None:
    """Work out all that pages have asked for."""
    while (row := WORKING_OUT.claim()) is not None:
        carry_out(WORKING_OUT, [row])


def carry_out_jobs() -> list[Job]:
    """Do what pages had begun, oldest first; return those jobs as they ended."""
    for app in APPS:
        load(app, "tasks")
    pks = list(Job.objects.open().order_by("pk").values_list("pk", flat=True))
    for pk in pks:
        do(CARRYING_OUT, pk)
    return list(Job.objects.filter(pk__in=pks).order_by("pk"))


def sort_answers() -> None:
    """Compare all wrong answers that wait for it."""
    while (row := SORTING.claim()) is not None:
        SORTING.do(row)


def send_mails(at: datetime | None = None) -> None:
    """Make the e-mails that are due, and send all that wait."""
    gather(at or timezone.now())
    for pk in Mail.objects.to_send().values_list("pk", flat=True):
        do(SENDING, pk)


make_certificate = partial(do, CERTIFYING)
run_import = partial(do, IMPORTING)
grade_attempt = partial(do, answers.GRADING)
ask_model = partial(do, trials.ASKING)
grade_trial_answer = partial(do, trials.GRADING)
judge_item = partial(do, JUDGING)
