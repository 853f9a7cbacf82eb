"""What holds of reviews: whoever was shown a key for one is written down."""

from django.db.models import Exists, OuterRef, Q

from curation.problems.exposures.models import Exposure
from curation.reviewing.rounds.models import Review
from curation.reviewing.rounds.solves.models import BlindSolve
from phybench.work.integrity import Invariant, register, those

_seen = Exposure.objects.filter(person=OuterRef("reviewer"), revision=OuterRef("round__revision"))
_lacks_a_part = Q(*(~Exists(_seen.filter(part=part)) for part in Exposure.KEY), _connector=Q.OR)

register(
    Invariant(
        BlindSolve.objects.all(),
        those(_lacks_a_part),
        "showed its reviewer the key, but that is not written down",
    ),
    Invariant(
        Review.objects.filter(round__version__shows_key=True),
        those(_lacks_a_part),
        "was given beside the key, but that its reviewer was shown it is not written down",
    ),
)
