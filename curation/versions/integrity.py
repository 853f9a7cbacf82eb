"""What holds of versions: the hashes that were published are those of what they hold."""

from curation.versions.hashes import describe_asked, hash_asked, hash_items, hash_key
from curation.versions.models import BenchmarkVersion, VersionItem
from phybench.work.integrity import Invariant, each, register

_items = VersionItem.objects.select_related("revision", "version")

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
)
