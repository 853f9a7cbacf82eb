"""The worker's side of the project: `celery -A phybench worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")

app = Celery("phybench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "curation.certificates",
        "curation.drafts",
        "curation.exchange",
        "curation.invitations",
        "grading.analyses",
        "grading.answers",
        "grading.api",
        "grading.board",
        "grading.compare",
        "grading.domains",
        "grading.drafts",
        "grading.eed",
        "grading.hidden",
        "grading.items",
        "grading.judging",
        "grading.keys",
        "grading.letters",
        "grading.model_runs",
        "grading.notices",
        "grading.panels",
        "grading.regrades",
        "grading.scaling",
        "grading.repairs",
        "grading.sessions",
        "grading.trials",
        "grading.unordered",
        "phybench.mails",
        "phybench.work",
    ]
)
