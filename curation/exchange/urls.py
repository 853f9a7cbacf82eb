from django.urls import path

from curation.exchange import import_views
from phybench.pages.addresses import Address

urlpatterns = [
    path("b/<slug:slug>/problems/import/", import_views.imports, name="imports"),
    path(
        "b/<slug:slug>/problems/import/<int:pk>/",
        Address(
            import_views.one_import,
            {
                "as=csv": import_views.import_csv,
                "do=fill_in": import_views.fill_in_import,
                "do=carry_out": import_views.carry_out_import,
                "do=discard": import_views.discard_import,
            },
        ),
        name="import",
    ),
]
