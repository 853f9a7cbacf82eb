"""What holds of downloads: whoever took a key out is written down as having been shown it."""

from curation.problems.exposures.models import Exposure
from curation.problems.models import Revision
from curation.versions.exchange.exports import PART_OF
from curation.versions.exchange.models import Download
from phybench.work.integrity import Invariant, each, register


def _is_unknown(download: Download) -> bool:
    parts = {PART_OF[name] for name in download.fields if name in PART_OF} & {*Exposure.KEY}
    # Of a text that was a draft then, only its writers could take anything out.
    taken = Revision.objects.filter(
        pk__in=download.revisions_with_keys, submitted_at__lte=download.at
    )
    known = Exposure.objects.filter(person=download.person_id, revision__in=taken, part__in=parts)
    return known.values("revision", "part").distinct().count() < taken.count() * len(parts)


register(
    Invariant(
        Download.objects.filter(has_keys=True, person__isnull=False),
        each(_is_unknown),
        "holds keys, but that its person was shown them is not written down",
    ),
)
