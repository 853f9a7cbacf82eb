"""Where Django looks for the rows of every room; each room has its own `models`."""

from curation.benchmarks import models as benchmarks
from curation.certificates import models as certificates
from curation.drafts import models as drafts
from curation.errors import models as errors
from curation.exchange import models as exchange
from curation.exposures import models as exposures
from curation.invitations import models as invitations
from curation.members import models as members
from curation.people import models as people
from curation.problems import models as problems
from curation.reviewing.agreement import models as agreement
from curation.reviewing.assignments import models as assignments
from curation.reviewing.discussion import models as discussion
from curation.reviewing.pipelines import models as pipelines
from curation.reviewing.rounds import models as rounds
from curation.translations import models as translations
from curation.versions import models as versions

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
