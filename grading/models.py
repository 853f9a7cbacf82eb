"""Where Django looks for the rows of every room; each room has its own `models`."""

from grading.answers import models as answers
from grading.api import models as api
from grading.audits import label_models as audit_labels
from grading.audits import models as audits
from grading.board import models as board
from grading.calling import models as calling
from grading.contests import models as contests
from grading.drafts import models as drafts
from grading.hidden import models as hidden
from grading.judging.judgements import models as calls
from grading.judging.prompts import models as configurations
from grading.judging.rulings import models as rulings
from grading.judging.runs import models as runs
from grading.keys import models as keys
from grading.model_runs import models as model_runs
from grading.notices import models as notices
from grading.regrades import models as regrades
from grading.runs import models as grading_runs
from grading.solvers import models as solvers
from grading.submissions import models as submissions
from grading.trials import models as trials

__all__ = [
    "answers",
    "api",
    "audit_labels",
    "audits",
    "board",
    "calling",
    "calls",
    "configurations",
    "contests",
    "drafts",
    "grading_runs",
    "hidden",
    "keys",
    "model_runs",
    "notices",
    "regrades",
    "rulings",
    "runs",
    "solvers",
    "submissions",
    "trials",
]
