"""The worker's side of the project: `celery -A phybench worker`."""

import os
import sys

from celery import Celery
from celery.signals import (
    beat_init,
    import_modules,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
)
from django.conf import settings

from phybench.work import environment, logs, rooms

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

app = Celery("phybench")
app.config_from_object("django.conf:settings", namespace="CELERY")


@import_modules.connect
def load_tasks(**_: object) -> None:
    """Have each room register its tasks, once Django is there."""
    for app_name in rooms.APPS:
        rooms.load(app_name, "tasks")


@worker_init.connect
@beat_init.connect
def refuse_unsafe_settings(**_: object) -> None:
    """End before anything is done, as the web server does."""
    if unsafe := list(environment.list_unsafe(settings)):
        sys.exit("\n".join(f"phybench: {one}" for one in unsafe))


@task_prerun.connect
def begin_task(task_id: str, **_: object) -> None:
    logs.task_id.set(task_id)


@task_postrun.connect
def end_task(**_: object) -> None:
    logs.task_id.set("")


if os.environ.get("LOG_FORMAT") == "json":

    @setup_logging.connect
    def log_as_json(loglevel: int, **_: object) -> None:
        """Take the place of Celery's own logging: that there is a receiver switches it off."""
        logs.take_over(loglevel)
