"""Problems, their revisions, the rounds of review over them, and what is kept of each."""

from curation.models.certificates import Certificate, CertificateQuerySet
from curation.models.comments import (
    KEY_PARTS,
    PASSAGES,
    AdminNote,
    Comment,
    Part,
    ReviewDraft,
    Thread,
    ThreadQuerySet,
    ThreadStep,
)
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
    "KEY_PARTS",
    "MOST_POINTS",
    "PASSAGES",
    "SCALE",
    "AdminNote",
    "Benchmark",
    "BlindSolve",
    "Certificate",
    "CertificateQuerySet",
    "Comment",
    "Contribution",
    "ContributionKind",
    "ContributionWeight",
    "Credit",
    "CreditQuerySet",
    "Difficulty",
    "Domain",
    "Download",
    "Event",
    "Import",
    "ImportQuerySet",
    "ImportRow",
    "KeyExposure",
    "Part",
    "Pipeline",
    "Problem",
    "ProblemQuerySet",
    "Question",
    "Reveal",
    "Review",
    "ReviewDraft",
    "ReviewQuerySet",
    "ReviewRound",
    "ReviewRoundQuerySet",
    "Revision",
    "RevisionQuerySet",
    "SolveKind",
    "Stage",
    "Thread",
    "ThreadQuerySet",
    "ThreadStep",
    "Translation",
    "TranslationQuerySet",
    "has_seen_key",
]
