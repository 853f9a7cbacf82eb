from django.urls import path

from grading.board import visitor_views as visitors

urlpatterns = [
    # From the board, also without an account; a visitor comes back by a link with a secret.
    path("b/<slug:slug>/report-an-error/", visitors.board_report, name="board_report"),
    path("reports/<int:pk>/sent/<str:secret>/", visitors.sent_report, name="sent_report"),
]
