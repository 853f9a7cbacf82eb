"""Where Django looks for the back office of every room; each room has its own `admin`."""

from grading.answers import admin as answers
from grading.api import admin as api
from grading.audits import admin as audits
from grading.calling import admin as calling
from grading.contests import admin as contests
from grading.drafts import admin as drafts
from grading.hidden import admin as hidden
from grading.judging import admin as judging
from grading.keys import admin as keys
from grading.model_runs import admin as model_runs
from grading.notices import admin as notices
from grading.regrades import admin as regrades
from grading.runs import admin as runs
from grading.solvers import admin as solvers
from grading.submissions import admin as submissions
from grading.trials import admin as trials

__all__ = [
    "answers",
    "api",
    "audits",
    "calling",
    "contests",
    "drafts",
    "hidden",
    "judging",
    "keys",
    "model_runs",
    "notices",
    "regrades",
    "runs",
    "solvers",
    "submissions",
    "trials",
]
