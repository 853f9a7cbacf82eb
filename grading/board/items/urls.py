from django.urls import path

from grading.board.items import views as items

urlpatterns = [
    path("boards/<slug:slug>/items/", items.items, name="items"),
    path("boards/<slug:slug>/items.svg", items.items_picture, name="items_picture"),
    path("boards/<slug:slug>/items.csv", items.items_csv, name="items_csv"),
    path("boards/<slug:slug>/items/<int:pk>/", items.item, name="item"),
]
