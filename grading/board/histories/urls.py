from django.urls import path

from grading.board.histories import views as histories

urlpatterns = [
    path("solvers/<int:pk>/", histories.solver, name="solver"),
    path("solvers/<int:pk>.csv", histories.solver_csv, name="solver_csv"),
    path("solvers/<int:pk>.svg", histories.solver_picture, name="solver_picture"),
]
