"""
What holds of versions and downloads: published hashes are those of what they stand for, and whoever
took a key out is written down as having been shown it.
"""

from curation.problems.exposures.models import Exposure
from curation.problems.models import Revision
from curation.versions.exchange.exports import PART_OF
from curation.versions.exchange.models import Download
from curation.versions.hashes import describe_asked, hash_asked, hash_items, hash_key
from curation.versions.models import BenchmarkVersion, VersionItem
from phybench.work.integrity import Invariant, each, register

_items = VersionItem.objects.select_related("revision", "version")


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
        _items,
        each(lambda one: one.asked_sha256 != hash_asked(describe_asked(one.revision))),
        "has another hash than what solvers are asked",
    ),
    Invariant(
        _items.filter(version__published_at__isnull=False),
        each(lambda one: one.key_sha256 != hash_key(one.revision, one.version.salt)),
        "has another hash than its reference answer",
    ),
    Invariant(
        BenchmarkVersion.objects.published(),
        each(lambda one: one.sha256 != hash_items(one.items.all())),
        "has another hash than its items together",
    ),
    Invariant(
        Download.objects.filter(has_keys=True, person__isnull=False),
        each(_is_unknown),
        "holds keys, but that its person was shown them is not written down",
    ),
)
