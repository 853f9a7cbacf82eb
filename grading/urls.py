from django.urls import include, path

from curation.authoring.drafts.preview import read_answer
from grading.disputes.contests.ruling_views import read_contested
from grading.studies.answers.participants import read_as
from grading.studies.repairs.views import read_repair
from grading.studies.sessions.preview_views import read_in_preview
from grading.studies.sessions.session_views import read_in_session
from grading.studies.sessions.views import read_practice
from phybench.pages.addresses import Address

app_name = "grading"
typed = Address(
    read_as,
    {
        "of=review": read_answer,
        "of=session": read_in_session,
        "of=preview": read_in_preview,
        "of=practice": read_practice,
        "of=repair": read_repair,
        "of=contest": read_contested,
    },
)
"""How what somebody types is read: each by who may type there, with what they may know."""
urlpatterns = [
    path("read-as/<int:pk>/", typed, name="read_as"),
    path("", include("grading.submissions.urls")),
    path("", include("grading.judging.urls")),
    path("", include("grading.studies.urls")),
    path("", include("grading.board.baselines.urls")),
    path("", include("grading.board.first_errors.urls")),
    path("", include("grading.board.histories.urls")),
    path("", include("grading.board.reported.urls")),
    path("", include("grading.board.results.urls")),
    path("", include("grading.samples.urls")),
    path("", include("grading.disputes.urls")),
    path("", include("grading.model_runs.urls")),
    path("", include("grading.model_runs.trials.urls")),
    path("", include("grading.runs.urls")),
]
