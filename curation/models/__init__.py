"""Problems, their revisions, the rounds of review over them, and what is kept of each."""

from curation.models.assignments import (
    Assignment,
    AssignmentPlan,
    AssignmentQuerySet,
    Conflict,
    Digest,
    PlannedAssignment,
)
from curation.models.certificates import Certificate, CertificateQuerySet
from curation.models.credit import (
    DEFAULT_POINTS,
    MOST_POINTS,
    Contribution,
    ContributionKind,
    ContributionWeight,
    Credit,
    CreditQuerySet,
)
from curation.models.history import Event
from curation.models.pipelines import SCALE, Pipeline, Question, Reveal, Stage
from curation.models.problems import (
    Benchmark,
    Difficulty,
    Domain,
    Problem,
    ProblemQuerySet,
    Revision,
    RevisionQuerySet,
)
from curation.models.reviews import (
    KeyExposure,
    Review,
    ReviewQuerySet,
    ReviewRound,
    ReviewRoundQuerySet,
    has_seen_key,
)
from curation.models.solves import BlindSolve, SolveKind
from curation.models.transfers import Download, Import, ImportQuerySet, ImportRow
from curation.models.translations import Translation, TranslationQuerySet

__all__ = [
    "DEFAULT_POINTS",
    "MOST_POINTS",
    "SCALE",
    "Assignment",
    "AssignmentPlan",
    "AssignmentQuerySet",
    "Benchmark",
    "BlindSolve",
    "Certificate",
    "CertificateQuerySet",
    "Conflict",
    "Contribution",
    "ContributionKind",
    "ContributionWeight",
    "Credit",
    "CreditQuerySet",
    "Difficulty",
    "Digest",
    "Domain",
    "Download",
    "Event",
    "Import",
    "ImportQuerySet",
    "ImportRow",
    "KeyExposure",
    "Pipeline",
    "PlannedAssignment",
    "Problem",
    "ProblemQuerySet",
    "Question",
    "Reveal",
    "Review",
    "ReviewQuerySet",
    "ReviewRound",
    "ReviewRoundQuerySet",
    "Revision",
    "RevisionQuerySet",
    "SolveKind",
    "Stage",
    "Translation",
    "TranslationQuerySet",
    "has_seen_key",
]
