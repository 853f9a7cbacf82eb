"""A file that is no backup is refused in words, before any database is asked."""

import tarfile
from io import BytesIO

import pytest

from phybench.work.backups import BackupError, Place, restore

NOWHERE = Place("of-no-server", host="/nowhere")


@pytest.mark.parametrize(
    "said",
    ["[]", "3", "null", '"rows"', '{"rows": []}', '{"rows": {"a": null}}', "[" * 5000, "\udcff"],
)
def test_what_does_not_describe_a_backup_is_refused_in_words(tmp_path, said):
    file = tmp_path / "backup.tar"
    with tarfile.open(file, "w") as archive:
        for name in ("backup.json", "database.dump"):
            entry = tarfile.TarInfo(name)
            content = said.encode(errors="surrogateescape")
            entry.size = len(content)
            archive.addfile(entry, BytesIO(content))
    with pytest.raises(BackupError, match="no whole backup"):
        restore(NOWHERE, file)


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE]
)
@pytest.mark.parametrize("to", ["/etc/hostname", "../../../../etc/hostname"])
def test_a_backup_of_links_and_pipes_is_refused(tmp_path, kind, to):
    file = tmp_path / "backup.tar"
    with tarfile.open(file, "w") as archive:
        entry = tarfile.TarInfo("backup.json")
        entry.type, entry.linkname = kind, to
        archive.addfile(entry)
    with pytest.raises(BackupError, match="no whole backup"):
        restore(NOWHERE, file)
