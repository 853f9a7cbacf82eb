from django.urls import path

from grading.board.results import views as results
from grading.submissions import cancelling_views as cancelling
from grading.submissions import views as submissions
from grading.submissions.results import files
from phybench.pages.addresses import Address

urlpatterns = [
    path(
        "submissions/<int:pk>/",
        Address(
            results.submission,
            {
                "as=csv": files.submission_csv,
                "as=jsonl": files.submission_jsonl,
                "do=publish": submissions.publish,
                "do=withdraw": submissions.withdraw,
                "do=try_again": submissions.try_again,
                "do=cancel": cancelling.cancel,
                "do=go_on": cancelling.go_on,
            },
        ),
        name="submission",
    ),
]
