"""The worker's side of the project: `celery -A phybench worker`."""

import os
import sys

from celery import Celery
from celery.signals import beat_init, import_modules, worker_init
from django.conf import settings

from phybench.work import environment, rooms

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
