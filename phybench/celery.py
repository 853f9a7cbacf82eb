"""The worker's side of the project: `celery -A phybench worker`."""

import os

from celery import Celery
from celery.signals import import_modules

from phybench.work import rooms

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

app = Celery("phybench")
app.config_from_object("django.conf:settings", namespace="CELERY")


@import_modules.connect
def load_tasks(**_: object) -> None:
    """Have each room register its tasks, once Django is there."""
    for app_name in rooms.APPS:
        rooms.load(app_name, "tasks")
