from django.urls import path

from curation.problems import views as comparing
from curation.problems.credits import contributors
from phybench.pages.asked import Asked

urlpatterns = [
    path("p/<int:pk>/changes/", comparing.compare, name="compare"),
    path(
        "p/<int:pk>/similar/",
        Asked(comparing.similar, {"part=count": comparing.similar_count}),
        name="similar",
    ),
    path(
        "b/<slug:slug>/contributors/",
        Asked(
            contributors.contributors, {"as=acknowledgements": contributors.acknowledgements_csv}
        ),
        name="contributors",
    ),
    path("me/contributions/", contributors.my_contributions, name="my_contributions"),
]
