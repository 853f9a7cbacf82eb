"""The worker's side of the project: `celery -A phybench worker`."""

import os

from celery import Celery
from celery.signals import import_modules, setup_logging, task_postrun, task_prerun

from phybench.work import logs, rooms

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

app = Celery("phybench")
app.config_from_object("django.conf:settings", namespace="CELERY")


@import_modules.connect
def load_tasks(**_: object) -> None:
    """Have each room register its tasks, once Django is there."""
    for app_name in rooms.APPS:
        rooms.load(app_name, "tasks")


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
