from django.urls import path

from curation.versions.exchange.downloads import version_jsonl

urlpatterns = [
    path("b/<slug:slug>/versions/<int:number>.jsonl", version_jsonl, name="version_jsonl"),
]
