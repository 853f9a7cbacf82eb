"""Where home and e-mails look for what every room tells people; each room has its own."""

from grading.answers import desk as answers
from grading.audits import desk as audits
from grading.contests import desk as contests
from grading.contests import news as contest_news
from grading.drafts import desk as drafts
from grading.first_errors import desk as first_errors
from grading.judging.rulings import desk as rulings
from grading.judging.runs import desk as judge_runs
from grading.keys import desk as keys
from grading.letters import desk as letters
from grading.letters import kind as letter_kind
from grading.model_runs import desk as model_runs
from grading.notices import kind as notice_kind
from grading.regrades import desk as regrades
from grading.repairs import desk as repairs
from grading.reported import desk as reported
from grading.sessions import desk as sessions
from grading.solvers import desk as solvers
from grading.submissions import desk as submissions
from grading.submissions import news as submission_news

__all__ = [
    "answers",
    "audits",
    "contest_news",
    "contests",
    "drafts",
    "first_errors",
    "judge_runs",
    "keys",
    "letter_kind",
    "letters",
    "model_runs",
    "notice_kind",
    "regrades",
    "repairs",
    "reported",
    "rulings",
    "sessions",
    "solvers",
    "submission_news",
    "submissions",
]
