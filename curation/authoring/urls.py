from django.urls import path

from curation.authoring import export_views
from curation.authoring.catalogue import views as problems
from curation.authoring.drafts import autosave, preview
from curation.authoring.drafts import views as editing
from curation.authoring.translations import views as translating
from curation.problems.credits import views as people
from curation.problems.exposures import views as exposures
from curation.reports import views as reports
from curation.reviewing.decisions import views as decisions
from phybench.pages.addresses import Address, View

WHILE_TYPING: dict[str, View] = {
    "part=save": autosave.autosave,
    "part=preview": preview.preview,
    "part=second": preview.second_reading,
}
urlpatterns = [
    path("b/<slug:slug>/problems/", problems.problems, name="problems"),
    path(
        "b/<slug:slug>/problems/export/",
        Address(export_views.export, {"of=dataset": export_views.export_dataset}),
        name="export",
    ),
    path("b/<slug:slug>/problems/new/", Address(editing.new, WHILE_TYPING), name="new"),
    path(
        "p/<int:pk>/",
        Address(problems.problem, {"part=people": people.people, "do=uncredit": people.remove}),
        name="problem",
    ),
    path(
        "p/<int:pk>/edit/",
        Address(
            editing.edit,
            {
                **WHILE_TYPING,
                "part=certificate": editing.certificate,
                "part=submission": editing.submission,
            },
        ),
        name="edit",
    ),
    path("p/<int:pk>/submit/", editing.submit, name="submit"),
    path(
        "p/<int:pk>/leave/",
        Address(
            editing.withdraw,
            {"do=delete": editing.delete, "do=keep": reports.keep, "do=reopen": decisions.reopen},
        ),
        name="leave",
    ),
    path("p/<int:pk>/translate/", translating.translations, name="translations"),
    path(
        "p/<int:pk>/translate/<str:language>/",
        Address(
            translating.translation,
            {
                "part=save": translating.autosave_translation,
                "part=preview": translating.preview_translation,
                "do=check": translating.check_translation,
            },
        ),
        name="translation",
    ),
    path(
        "records/",
        Address(exposures.exposures, {"of=downloads": export_views.downloads}),
        name="records",
    ),
]
