"""Where Django looks for the back office of every room; each room has its own `admin`."""

from curation.benchmarks import admin as benchmarks
from curation.certificates import admin as certificates
from curation.drafts import admin as drafts
from curation.errors import admin as errors
from curation.exchange import admin as exchange
from curation.exposures import admin as exposures
from curation.invitations import admin as invitations
from curation.members import admin as members
from curation.people import admin as people
from curation.problems import admin as problems
from curation.reviewing.agreement import admin as agreement
from curation.reviewing.assignments import admin as assignments
from curation.reviewing.discussion import admin as discussion
from curation.reviewing.pipelines import admin as pipelines
from curation.reviewing.rounds import admin as rounds
from curation.translations import admin as translations
from curation.versions import admin as versions

__all__ = [
    "agreement",
    "assignments",
    "benchmarks",
    "certificates",
    "discussion",
    "drafts",
    "errors",
    "exchange",
    "exposures",
    "invitations",
    "members",
    "people",
    "pipelines",
    "problems",
    "rounds",
    "translations",
    "versions",
]
