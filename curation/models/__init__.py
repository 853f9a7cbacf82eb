"""Problems, their revisions, the rounds of review over them, and what is kept of each."""

from curation.models.adjudications import Adjudication, RoundDisagreement
from curation.models.assignments import (
    Assignment,
    AssignmentPlan,
    AssignmentQuerySet,
    Conflict,
    Digest,
    PlannedAssignment,
)
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
from curation.models.errors import Erratum, ErrorReport, ErrorReportQuerySet, ReportReply
from curation.models.exposures import Exposure, ExposureQuerySet, find_key_exposure, has_seen_key
from curation.models.history import Event
from curation.models.pipelines import SCALE, Pipeline, Question, Reveal, Stage
from curation.models.problems import (
    OUR_OWN_ID,
    Benchmark,
    Difficulty,
    Domain,
    Problem,
    ProblemQuerySet,
    Revision,
    RevisionQuerySet,
)
from curation.models.reviews import (
    Review,
    ReviewQuerySet,
    ReviewRound,
    ReviewRoundQuerySet,
)
from curation.models.solves import BlindSolve, SolveKind
from curation.models.transfers import Download, Import, ImportQuerySet, ImportRow
from curation.models.translations import Translation, TranslationQuerySet

__all__ = [
    "DEFAULT_POINTS",
    "KEY_PARTS",
    "MOST_POINTS",
    "OUR_OWN_ID",
    "PASSAGES",
    "SCALE",
    "Adjudication",
    "AdminNote",
    "Assignment",
    "AssignmentPlan",
    "AssignmentQuerySet",
    "Benchmark",
    "BlindSolve",
    "Certificate",
    "CertificateQuerySet",
    "Comment",
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
    "Erratum",
    "ErrorReport",
    "ErrorReportQuerySet",
    "Event",
    "Exposure",
    "ExposureQuerySet",
    "Import",
    "ImportQuerySet",
    "ImportRow",
    "Part",
    "Pipeline",
    "PlannedAssignment",
    "Problem",
    "ProblemQuerySet",
    "Question",
    "ReportReply",
    "Reveal",
    "Review",
    "ReviewDraft",
    "ReviewQuerySet",
    "ReviewRound",
    "ReviewRoundQuerySet",
    "Revision",
    "RevisionQuerySet",
    "RoundDisagreement",
    "SolveKind",
    "Stage",
    "Thread",
    "ThreadQuerySet",
    "ThreadStep",
    "Translation",
    "TranslationQuerySet",
    "find_key_exposure",
    "has_seen_key",
]
