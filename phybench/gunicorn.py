"""How the web server runs: `gunicorn --config python:phybench.gunicorn phybench.wsgi`."""

import sys
import threading
from typing import Any

from phybench import sandbox

worker_class = "gthread"
workers = 2
threads = 8
graceful_timeout = 3
# The workers are forked from a process that has loaded everything: one loading instead of two.
preload_app = True
# It would be put into the home folder, where one checkout disturbs another.
control_socket_disable = True

WARM_AFTER_SECONDS = 5.0


def on_starting(server: Any) -> None:
    """Refuse tables that are not those of the code; a database that is away will be back."""
    # What needs settings is loaded by now, with the application.
    from django.db import OperationalError, connections

    from phybench import tables

    try:
        sentence = tables.compare()
    except OperationalError:
        return
    finally:
        # No connection is shared with the workers.
        connections.close_all()
    if sentence:
        sys.exit(f"phybench: {sentence}")


def post_worker_init(worker: Any) -> None:
    """
    Start this worker's children, so that nobody's first preview waits for SymPy to load.

    Not at once: while everything starts, the processors have enough to do.
    """
    warming = threading.Timer(WARM_AFTER_SECONDS, sandbox.warm)
    warming.daemon = True
    warming.start()
