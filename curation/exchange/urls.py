from django.urls import path

from curation.exchange import import_views

urlpatterns = [
    path("imports/", import_views.imports, name="imports"),
    path("imports/new/", import_views.new_import, name="new_import"),
    path("imports/<int:pk>/", import_views.one_import, name="import"),
    path("imports/<int:pk>.csv", import_views.import_csv, name="import_csv"),
    path("imports/<int:pk>/carry-out/", import_views.carry_out_import, name="carry_out_import"),
    path("imports/<int:pk>/discard/", import_views.discard_import, name="discard_import"),
]
