from django.urls import path

from curation.problems import views as comparing
from curation.problems.credits import contributors
from phybench.pages.addresses import Address

urlpatterns = [
    path("p/<int:pk>/changes/", comparing.compare, name="compare"),
    path(
        "p/<int:pk>/similar/",
        Address(comparing.similar, {"part=count": comparing.similar_count}),
        name="similar",
    ),
    path(
        "b/<slug:slug>/contributors/",
        Address(
            contributors.contributors, {"as=acknowledgements": contributors.acknowledgements_csv}
        ),
        name="contributors",
    ),
    path("me/contributions/", contributors.my_contributions, name="my_contributions"),
]
