from django.urls import path

from curation.versions import draft_views as drafts
from curation.versions import views as versions
from curation.versions.benchmarks import views as benchmarks
from curation.versions.benchmarks.overview import overview
from curation.versions.benchmarks.set_up import set_up_page

urlpatterns = [
    path("b/<slug:slug>/versions/", versions.versions, name="versions"),
    path("b/<slug:slug>/versions/new/", drafts.new_version, name="new_version"),
    path("b/<slug:slug>/versions/<int:number>/", versions.version, name="version"),
    path("b/<slug:slug>/versions/<int:number>.csv", versions.version_csv, name="version_csv"),
    *(
        path(f"b/<slug:slug>/versions/<int:number>/{end}/", view, name=name)
        for end, view, name in (
            ("draft", drafts.draft_version, "draft_version"),
            ("draw", drafts.draw_hidden, "draw_hidden"),
            ("refresh", drafts.refresh_version, "refresh_version"),
            ("discard", drafts.discard_version, "discard_version"),
            ("publish", drafts.publish_version, "publish_version"),
            ("items/<int:pk>/withdraw", drafts.withdraw_item, "withdraw_item"),
        )
    ),
    path("benchmarks/", benchmarks.benchmarks, name="benchmarks"),
    path("setup/", set_up_page, name="set_up"),
    path("benchmarks/new/", benchmarks.new_benchmark, name="new_benchmark"),
    path("b/<slug:slug>/overview/", overview, name="overview"),
    path("b/<slug:slug>/settings/", benchmarks.edit_benchmark, name="edit_benchmark"),
]
