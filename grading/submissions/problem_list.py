"""The problems of a version as PHYBench publishes them, for whoever has models answer them."""

from collections.abc import Iterable, Mapping

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.permissions import refuse_closed
from curation.versions.models import VersionItem
from phybench.people.models import User


def give_problems(items: Iterable[VersionItem], person: User) -> list[Mapping[str, str]]:
    """
    Write down that somebody is shown what these items ask, and return it, without keys.

    Beside each statement stands what is asked, as a sentence to put behind it.
    """
    items = list(items)
    refuse_closed(person, [item.problem_id for item in items])
    ledger.record(person, Reason.EXPORT, *(item.revision for item in items))
    return [
        {
            "id": item.identifier,
            "tag": item.problem.domain,
            "content": item.revision.statement,
            "asked": item.revision.wanted.write() if item.revision.wanted else "",
        }
        for item in items
    ]
