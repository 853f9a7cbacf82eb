"""
What a run of the tests stands on: a database and a broker, and its own part of them.

A plugin of pytest's (`-p` in pyproject.toml), since Django's settings read the environment before
any conftest does. What a variable names is used; what none names is started, and removed with all
that the tests left in it.
"""

import os
from contextlib import ExitStack

import psycopg
import pytest

from development import catalogues, services
from development.failure import Failure

QUEUE = "CELERY_TASK_DEFAULT_QUEUE"
RUN = "TEST_RUN"
"""
Names this run's databases, on a server that others may share: `tests/databases.py`.

Named beforehand it lets many runs copy one template, which they leave behind.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        os.environ[QUEUE] += f"-{worker}"
        return
    catalogues.prepare()
    own = ExitStack()
    early_config.add_cleanup(own.close)
    is_shared = bool(os.environ.get("DATABASE_URL"))
    is_ours = RUN not in os.environ
    made = own.enter_context(services.throw_away())
    try:
        made.start()
    except Failure as failure:
        raise pytest.UsageError(str(failure)) from None
    os.environ.update(made.environment)
    os.environ.setdefault(RUN, f"test_{os.getpid()}")
    # A broker that was named may have workers of others, with another database.
    os.environ.setdefault(QUEUE, f"tests-{os.getpid()}")
    if is_shared and is_ours:
        own.callback(drop_databases, os.environ["DATABASE_URL"], os.environ[RUN])


def drop_databases(server: str, run: str) -> None:
    """Leave nothing on a server that is not ours."""
    with psycopg.connect(server, autocommit=True) as connection:
        found = connection.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [f"{run}_"]
        )
        for [name] in found.fetchall():
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
