from django.urls import path

from curation.authoring import export_views
from curation.authoring.catalogue import views as problems
from curation.authoring.drafts import autosave, preview
from curation.authoring.drafts import views as editing
from curation.authoring.translations import views as translating

urlpatterns = [
    path("problems/", problems.problems, name="problems"),
    path("problems.csv", problems.problems_csv, name="problems_csv"),
    path("problems/export/", export_views.export, name="export"),
    path("problems/new/", editing.new, name="new"),
    path("problems/autosave/", autosave.autosave, name="autosave"),
    path("problems/preview/", preview.preview, name="preview"),
    path("problems/preview/second/", preview.second_reading, name="second_reading"),
    path("problems/<int:pk>/", problems.problem, name="problem"),
    path("problems/<int:pk>/edit/", editing.edit, name="edit"),
    path("problems/<int:pk>/certificate/", editing.certificate, name="certificate"),
    path("problems/<int:pk>/submit/", editing.submit, name="submit"),
    path("problems/<int:pk>/submission/", editing.submission, name="submission"),
    path("problems/<int:pk>/withdraw/", editing.withdraw, name="withdraw"),
    path("problems/<int:pk>/delete/", editing.delete, name="delete"),
    path("problems/<int:pk>/translations/", translating.translations, name="translations"),
    path(
        "problems/<int:pk>/translations/<str:language>/",
        translating.translation,
        name="translation",
    ),
    path(
        "problems/<int:pk>/translations/<str:language>/autosave/",
        translating.autosave_translation,
        name="autosave_translation",
    ),
    path(
        "problems/<int:pk>/translations/<str:language>/preview/",
        translating.preview_translation,
        name="preview_translation",
    ),
    path(
        "problems/<int:pk>/translations/<str:language>/check/",
        translating.check_translation,
        name="check_translation",
    ),
    path("b/<slug:slug>/dataset/", export_views.export_dataset, name="export_dataset"),
    path("downloads/", export_views.downloads, name="downloads"),
    path("downloads.csv", export_views.downloads_csv, name="downloads_csv"),
    path("reviews/<int:pk>/read/", preview.read_answer, name="read_answer"),
]
