from django.urls import path

from grading.board.items import views as items

urlpatterns = [
    path("b/<slug:slug>/items/", items.items, name="items"),
    path("b/<slug:slug>/items.svg", items.items_picture, name="items_picture"),
    path("b/<slug:slug>/items.csv", items.items_csv, name="items_csv"),
    path("b/<slug:slug>/items/<int:pk>/", items.item, name="item"),
]
