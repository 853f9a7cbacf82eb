"""What a run asks: which problems of a version, and with which words."""

from curation.problems.models import Revision
from curation.versions.models import BenchmarkVersion, VersionItemQuerySet
from grading.endpoints import Message
from grading.model_runs.prompt import write_prompt


def list_asked(version: BenchmarkVersion, *, includes_hidden: bool) -> VersionItemQuerySet:
    """Return the items that a run asks, with their texts."""
    found = version.items.select_related("revision").order_by("problem")
    return found if includes_hidden else found.public()


def write_messages(words: str, revision: Revision) -> list[Message]:
    """Write what is sent: our words, the statement, and what is asked."""
    asked = revision.wanted.write() if revision.wanted else ""
    return [Message("user", write_prompt(words, statement=revision.statement, asked=asked))]
