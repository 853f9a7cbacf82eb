"""Where Django looks for the rows of every room; each room has its own `models`."""

from grading.analyses import models as analyses
from grading.answers import models as answers
from grading.api import models as api
from grading.audits import label_models as audit_labels
from grading.audits import models as audits
from grading.board import models as board
from grading.calling import models as calling
from grading.contests import models as contests
from grading.debriefings import models as debriefings
from grading.drafts import models as drafts
from grading.first_errors import label_models as first_error_labels
from grading.first_errors import models as first_errors
from grading.hidden import models as hidden
from grading.items import models as items
from grading.judging.judgements import models as calls
from grading.judging.prompts import models as configurations
from grading.judging.rulings import models as rulings
from grading.judging.runs import models as runs
from grading.judging.uploads import models as judge_files
from grading.keys import models as keys
from grading.letters import models as letters
from grading.model_runs import models as model_runs
from grading.notices import models as notices
from grading.panels import models as panels
from grading.regrades import models as regrades
from grading.repairs import models as repairs
from grading.reported import models as reported
from grading.runs import models as grading_runs
from grading.scaling import models as scaling
from grading.sessions import models as sessions
from grading.solvers import models as solvers
from grading.studies import models as studies
from grading.submissions import models as submissions
from grading.trials import models as trials
from grading.unordered import models as unordered

__all__ = [
    "analyses",
    "answers",
    "api",
    "audit_labels",
    "audits",
    "board",
    "calling",
    "calls",
    "configurations",
    "contests",
    "debriefings",
    "drafts",
    "first_error_labels",
    "first_errors",
    "grading_runs",
    "hidden",
    "items",
    "judge_files",
    "keys",
    "letters",
    "model_runs",
    "notices",
    "panels",
    "regrades",
    "repairs",
    "reported",
    "rulings",
    "runs",
    "scaling",
    "sessions",
    "solvers",
    "studies",
    "submissions",
    "trials",
    "unordered",
]
