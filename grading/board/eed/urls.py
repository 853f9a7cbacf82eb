from django.urls import path

from grading.board.eed import files as eed_files
from grading.board.eed import views as eed

urlpatterns = [
    path("b/<slug:slug>/eed/", eed.eed, name="eed"),
    path("b/<slug:slug>/eed.csv", eed_files.eed_csv, name="eed_csv"),
    path("b/<slug:slug>/eed/unordered.csv", eed_files.unordered_csv, name="unordered_csv"),
    path("b/<slug:slug>/eed/measure-again/", eed.measure_again, name="measure_again"),
    path("b/<slug:slug>/eed/<slug:name>.svg", eed.eed_picture, name="eed_picture"),
]
