from django.urls import path

from phybench.news.desks import views as desks
from phybench.news.jobs import views as jobs
from phybench.news.mails import views as mails

urlpatterns = [
    path("inbox/", desks.inbox, name="inbox"),
    path("inbox/news/", desks.read_news, name="read_news"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("me/e-mails/", mails.choose_mails, name="choose_mails"),
    path("e-mails/stop/<str:token>/", mails.stop_mails, name="stop_mails"),
]
