from django.urls import path

from grading.board.first_errors import views as drawing

urlpatterns = [
    path("first-errors/new/", drawing.new_first_error_sample, name="new_first_error_sample"),
]
