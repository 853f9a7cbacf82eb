"""The worker's side of the project: `celery -A phybench worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

app = Celery("phybench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "curation.certificates",
        "curation.exchange",
        "curation.reviewing.assignments",
        "grading.answers",
        "grading.api",
        "grading.contests",
        "grading.drafts",
        "grading.hidden",
        "grading.judging",
        "grading.keys",
        "grading.model_runs",
        "grading.notices",
        "grading.regrades",
        "grading.trials",
        "phybench.work",
    ]
)
