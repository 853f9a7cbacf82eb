"""How the web server runs: `gunicorn --config python:phybench.gunicorn phybench.wsgi`."""

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


def post_worker_init(worker: Any) -> None:
    """
    Start this worker's children, so that nobody's first preview waits for SymPy to load.

    Not at once: while everything starts, the processors have enough to do.
    """
    warming = threading.Timer(WARM_AFTER_SECONDS, sandbox.warm)
    warming.daemon = True
    warming.start()
