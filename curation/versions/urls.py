from django.urls import path

from curation.versions import draft_views as drafts
from curation.versions import views as versions
from curation.versions.benchmarks import views as benchmarks
from curation.versions.benchmarks.overview import overview
from curation.versions.benchmarks.set_up import set_up_page
from curation.versions.exchange.downloads import version_jsonl
from phybench.pages.addresses import Address

urlpatterns = [
    path(
        "b/<slug:slug>/versions/",
        Address(versions.versions, {"do=new": drafts.new_version}),
        name="versions",
    ),
    path(
        "b/<slug:slug>/versions/<int:number>/",
        Address(
            versions.version,
            {
                "as=csv": versions.version_csv,
                "as=jsonl": version_jsonl,
                "do=edit": drafts.draft_version,
                "do=draw": drafts.draw_hidden,
                "do=refresh": drafts.refresh_version,
                "do=discard": drafts.discard_version,
                "do=withdraw": drafts.withdraw_item,
            },
        ),
        name="version",
    ),
    path(
        "b/<slug:slug>/versions/<int:number>/publish/",
        drafts.publish_version,
        name="publish_version",
    ),
    path("setup/", set_up_page, name="set_up"),
    path("benchmarks/new/", benchmarks.new_benchmark, name="new_benchmark"),
    path("b/<slug:slug>/overview/", overview, name="overview"),
    path("b/<slug:slug>/settings/", benchmarks.edit_benchmark, name="edit_benchmark"),
]
