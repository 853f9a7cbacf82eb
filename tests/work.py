"""Work done here and now, as by a worker that finds one row and nothing else."""

from functools import partial
from typing import Any

from curation.certificates.tasks import CERTIFYING
from curation.exchange.tasks import IMPORTING
from grading.analyses.tasks import WORKING_OUT
from grading.answers import tasks as answers
from grading.judging.tasks import JUDGING
from grading.trials import tasks as trials
from phybench.work.kinds import Kind
from phybench.work.leases import carry_out


def do(kind: Kind[Any], pk: int) -> None:
    row = kind.claim(pk)
    if row is not None:
        carry_out(kind, [row])


def work_out_analyses() -> None:
    """Work out all that pages have asked for."""
    while (row := WORKING_OUT.claim()) is not None:
        carry_out(WORKING_OUT, [row])


make_certificate = partial(do, CERTIFYING)
run_import = partial(do, IMPORTING)
grade_attempt = partial(do, answers.GRADING)
ask_model = partial(do, trials.ASKING)
grade_trial_answer = partial(do, trials.GRADING)
judge_item = partial(do, JUDGING)
