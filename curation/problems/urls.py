from django.urls import path

from curation.problems import views as comparing
from curation.problems.credits import contributors
from curation.problems.credits import views as people
from curation.problems.exposures import views as exposures

urlpatterns = [
    path("problems/<int:pk>/changes/", comparing.compare, name="compare"),
    path("problems/<int:pk>/similar/", comparing.similar, name="similar"),
    path("problems/<int:pk>/similar/count/", comparing.similar_count, name="similar_count"),
    path("exposures/", exposures.exposures, name="exposures"),
    path("exposures.csv", exposures.exposures_csv, name="exposures_csv"),
    path("problems/<int:pk>/people/", people.people, name="people"),
    path("problems/<int:pk>/people/<int:credit_pk>/remove/", people.remove, name="remove_credit"),
    path("contributors/", contributors.contributors, name="contributors"),
    path("contributors.csv", contributors.contributors_csv, name="contributors_csv"),
    path("acknowledgements.csv", contributors.acknowledgements_csv, name="acknowledgements_csv"),
    path("contributions/", contributors.my_contributions, name="my_contributions"),
    path("contributions.csv", contributors.my_contributions_csv, name="my_contributions_csv"),
]
