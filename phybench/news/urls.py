from django.urls import path

from phybench.news.jobs import views as jobs
from phybench.news.mails import views as mails

urlpatterns = [
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("e-mails/stop/<str:token>/", mails.stop_mails, name="stop_mails"),
]
