"""`dev.py run` on data that another version of this checkout has left."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.development.checkout import Run, copy_checkout, dev, free_port

NEXT = """
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("curation", "{newest}")]
    operations = [migrations.RunSQL("CREATE TABLE next (n int)")]
"""
BEFORE = (
    "from django.db import connection as c; c.cursor().execute("
    "'''update django_migrations set name = '0001_tables' where name = '0001_initial' ''')"
)
COUNT = (
    "from django.db import connection as c; q = c.cursor(); "
    "q.execute('select count(*) from next'); print('rows:', q.fetchone()[0])"
)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with data of this version."""
    checkout = copy_checkout(tmp_path_factory.mktemp("original") / "checkout")
    made = dev(checkout, "manage", "migrate", "-v", "0")
    assert made.returncode == 0, made.stderr
    return checkout


@pytest.fixture
def checkout(original: Path, tmp_path: Path) -> Path:
    # As nothing of Python's copies it: the data may be another user's.
    subprocess.run(["cp", "-a", original, tmp_path], check=True)
    return tmp_path / original.name


def set_aside(checkout: Path, sentence: str) -> Path:
    """Start what refuses to, and do what it says; return where the data is then."""
    refused = dev(checkout, "run", "--port", str(free_port()))
    assert refused.returncode == 1, refused.stdout
    before, command, after = refused.stderr.strip().split("`")
    assert (before, after) == (f"dev.py: {sentence} set it aside with ", ", then start again.")
    subprocess.run(command, shell=True, cwd=checkout, check=True)
    assert not (checkout / "var").exists()
    return checkout / command.split()[-1]


@pytest.mark.slow
def test_older_data_are_brought_up_and_newer_ones_refused(checkout: Path) -> None:
    migrations = checkout / "curation" / "migrations"
    newest = max(path.stem for path in migrations.glob("0*.py"))
    migration = migrations / "9999_next.py"
    migration.write_text(NEXT.format(newest=newest))
    run = Run(checkout, free_port())
    run.end(signal.SIGINT)
    counted = dev(checkout, "manage", "shell", "--no-imports", "-c", COUNT)
    assert "rows: 0" in counted.stdout, counted.stderr

    migration.unlink()
    aside = set_aside(checkout, "The data in var is from a newer version than this one:")
    assert list(aside.glob("pg*"))


@pytest.mark.slow
def test_data_from_before_all_tables_were_made_anew_are_refused(checkout: Path) -> None:
    (checkout / "var-before-1").mkdir()
    assert dev(checkout, "manage", "shell", "--no-imports", "-c", BEFORE).returncode == 0
    aside = set_aside(
        checkout,
        "The data in var is from before all tables were made anew, and can’t be brought up to this"
        " version:",
    )
    assert aside.name == "var-before-2"
