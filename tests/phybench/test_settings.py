"""What the environment says is read, or refused in a sentence that names it."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.db import connection

from phybench.work.environment import RANDOM_PAGE_COST, list_unsafe, read_database
from tests.development.checkout import ROOT


def read(setting: str, **environment: str) -> str:
    """Load the settings afresh, and return one of them, or else the last thing that was said."""
    code = f"from phybench import settings; print(settings.{setting})"
    # What is empty counts as not set.
    named = {"PORT": "", "SITE_URL": "", **environment}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **named},
        capture_output=True,
        text=True,
    )
    return (done.stdout or done.stderr).strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"PORT": "8001"}, "http://127.0.0.1:8001"),
        ({"PORT": "8001", "SITE_URL": "https://bench.example/"}, "https://bench.example"),
    ],
)
def test_links_lead_to_the_address_that_was_named_else_to_the_port(environment, address):
    assert read("SITE_URL", **environment) == address


@pytest.mark.parametrize("text", ["ten", "-1", "1.5", "inf"])
def test_what_is_no_whole_number_is_refused_by_name(text):
    assert read("REVIEWS_OPEN_AT_MOST", REVIEWS_OPEN_AT_MOST=text).endswith(
        f"REVIEWS_OPEN_AT_MOST is '{text}', and has to be a whole number from 0 up: correct it, or"
        " unset it (10)."
    )


@pytest.mark.parametrize("text", ["soon", "nan", "-0.5"])
def test_what_is_no_number_is_refused_by_name(text):
    assert read("WORK_LEASE_SECONDS", WORK_LEASE_SECONDS=text).endswith(
        f"WORK_LEASE_SECONDS is '{text}', and has to be a number from 0 up: correct it, or unset it"
        " (15.0)."
    )


@pytest.mark.parametrize(
    "url", ["hello", "sqlite:///here.db", "postgres://host:port/name", "postgres://host"]
)
def test_an_address_that_is_no_databases_is_refused(url):
    assert "DATABASE_URL is not the address of a PostgreSQL database" in read(
        "DATABASES", DATABASE_URL=url
    )


@pytest.mark.django_db
def test_the_database_takes_an_index_for_cheap_unless_its_address_says_otherwise():
    with connection.cursor() as cursor:
        cursor.execute("SHOW random_page_cost")
        assert cursor.fetchone() == (f"{RANDOM_PAGE_COST}",)
    said = read_database("postgres://host/name?options=-c%20random_page_cost%3D4")
    assert said["OPTIONS"]["options"] == "-c random_page_cost=4"


def test_an_address_that_is_no_brokers_is_refused():
    assert "CELERY_BROKER_URL is not the address of a broker" in read(
        "CELERY_BROKER_URL", CELERY_BROKER_URL="hello"
    )


SAFE = {
    "DEBUG": False,
    "SECRET_KEY": "x7Q" * 20,
    "ALLOWED_HOSTS": ["bench.example"],
    "SITE_URL": "https://bench.example",
    "BEHIND_TLS": True,
    "FIELD_KEYS": "",
}
LOCAL = {"ALLOWED_HOSTS": ["localhost", "127.0.0.1"], "SITE_URL": "http://127.0.0.1:8000"}


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"DEBUG": True}, "DEBUG"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"SECRET_KEY": "django-insecure-" + "x7Q" * 20}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": ["*"]}, "ALLOWED_HOSTS"),
        ({"SITE_URL": "http://bench.example"}, "SITE_URL"),
        ({"BEHIND_TLS": False}, "SITE_URL"),
        ({"SITE_URL": "bench.example"}, "SITE_URL"),
        ({"FIELD_KEYS": "not-a-key"}, "FIELD_KEYS"),
        ({**LOCAL, "BEHIND_TLS": False, "FIELD_KEYS": "not-a-key"}, "FIELD_KEYS"),
    ],
)
def test_an_unsafe_setting_is_named_with_what_to_do(changed, named):
    [sentence] = list_unsafe(SimpleNamespace(**{**SAFE, **changed}))
    assert sentence.partition(" ")[0] == named or f"of {named}" in sentence


@pytest.mark.parametrize(
    "settings",
    [SAFE, {**SAFE, **LOCAL, "BEHIND_TLS": False, "DEBUG": True, "SECRET_KEY": "x"}],
    ids=["a server", "this machine alone"],
)
def test_what_is_safe_is_not_complained_of(settings):
    assert list(list_unsafe(SimpleNamespace(**settings))) == []


@pytest.mark.parametrize(
    "command",
    [
        "gunicorn --config python:phybench.gunicorn --bind 127.0.0.1:0 phybench.wsgi",
        "celery --app phybench worker --queues none --concurrency 1",
        "celery --app phybench beat --pidfile=",
    ],
    ids=["web", "worker", "beat"],
)
def test_no_process_starts_with_unsafe_settings(command, tmp_path):
    path = os.environ.get("PYTHONPATH", "")
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        # The clock begins a file where it is, before anything is looked at.
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{path}", "ALLOWED_HOSTS": "*"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert "ALLOWED_HOSTS is *" in done.stdout + done.stderr
