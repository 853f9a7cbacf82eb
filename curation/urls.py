from django.urls import include, path

app_name = "curation"
urlpatterns = [
    path("", include("curation.versions.urls")),
    path("", include("curation.authoring.urls")),
    path("", include("curation.problems.urls")),
    path("", include("curation.reports.urls")),
    path("", include("curation.reviewing.urls")),
    path("", include("grading.board.visitor_urls")),
    path("", include("curation.members.urls")),
    path("", include("curation.exchange.urls")),
]
