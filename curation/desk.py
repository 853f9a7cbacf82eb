"""Where home and e-mails look for what every room tells people; each room has its own."""

from curation.benchmarks import desk as benchmarks
from curation.errors import desk as errors
from curation.errors import news as error_news
from curation.members import desk as members
from curation.members import news as member_news
from curation.problems import desk as problems
from curation.problems import news as problem_news
from curation.reviewing.agreement import desk as agreement
from curation.reviewing.agreement import news as agreement_news
from curation.reviewing.assignments import desk as assignments
from curation.reviewing.assignments import reminders
from curation.reviewing.discussion import desk as discussion
from curation.reviewing.discussion import news as discussion_news
from curation.translations import desk as translations

__all__ = [
    "agreement",
    "agreement_news",
    "assignments",
    "benchmarks",
    "discussion",
    "discussion_news",
    "error_news",
    "errors",
    "member_news",
    "members",
    "problem_news",
    "problems",
    "reminders",
    "translations",
]
