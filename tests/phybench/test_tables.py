"""A database whose tables are not those of the code is told from one whose tables are."""

import os
import subprocess
import sys

import pytest
from django.db import connection

from phybench.work import tables
from tests.development.checkout import ROOT, clean_environment, dev, free_port

MORE = "ALTER TABLE phybench_user ADD COLUMN later text"
FEWER = "ALTER TABLE curation_exposure DROP COLUMN id CASCADE"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("statements", "difference", "sentence"),
    [
        ([], "", ""),
        (["CREATE TABLE others (n int)"], "", ""),
        ([MORE], tables.NEWER, tables.NEWER),
        (["CREATE TABLE grading_later (n int)"], tables.NEWER, tables.NEWER),
        ([MORE, FEWER], tables.OTHER, tables.OTHER),
        ([FEWER], "", "lacks tables or columns"),
    ],
)
def test_what_is_there_is_compared_with_the_code(statements, difference, sentence):
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    assert tables.tell_difference(tables.list_expected(), tables.list_present()) == difference
    said = tables.compare()
    assert sentence in said
    assert bool(said) == bool(sentence)


@pytest.fixture
def newer(processes):
    """The address of a database that a newer version has changed."""
    with connection.cursor() as cursor:
        cursor.execute(MORE)
    yield processes.environment["DATABASE_URL"]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE phybench_user DROP COLUMN later")


SENTENCE = "The database in DATABASE_URL is from a newer version than this one: name another one."


@pytest.mark.slow
@pytest.mark.own_server
def test_a_newer_database_that_was_named_is_refused_by_run(newer, tmp_path):
    environment = {**clean_environment(), "DATABASE_URL": newer, "VAR_DIR": str(tmp_path / "var")}
    refused = dev(ROOT, "run", "--port", str(free_port()), environment=environment)
    assert (refused.returncode, refused.stderr.strip()) == (1, f"dev.py: {SENTENCE}")


@pytest.mark.own_server
def test_a_newer_database_that_was_named_is_refused_by_the_web_server(newer):
    server = [sys.executable, "-m", "gunicorn", "--config", "python:phybench.gunicorn"]
    began = subprocess.run(
        [*server, "--bind", f"127.0.0.1:{free_port()}", "phybench.wsgi"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": newer},
        capture_output=True,
        text=True,
    )
    assert began.returncode == 1
    assert began.stderr.splitlines()[-1] == f"phybench: {SENTENCE}"
