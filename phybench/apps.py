import gc

from django.apps import AppConfig

# To load all apps makes some 200,000 objects and hardly any garbage: to look for it again and again
# took a fifth of the time.
gc.disable()

# Tasks are put on this app's queue, so it has to be there once Django is. Not in `__init__`: then
# the children of `phybench.work.sandbox` would load all of Celery.
from phybench.celery import app as celery_app  # noqa: E402

__all__ = ["PhybenchConfig", "celery_app"]


class PhybenchConfig(AppConfig):
    name = "phybench"
    verbose_name = "People"

    def ready(self) -> None:
        """Look for garbage from here on, but not among what is loaded for good, models and all."""
        gc.freeze()
        gc.enable()
