from django.apps import AppConfig

# Tasks are put on this app's queue, so it has to be there once Django is. Not in `__init__`: then
# the children of `phybench.work.sandbox` would load all of Celery.
from phybench.celery import app as celery_app

__all__ = ["PhybenchConfig", "celery_app"]


class PhybenchConfig(AppConfig):
    name = "phybench"
    verbose_name = "People"
