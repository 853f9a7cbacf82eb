from django.urls import path

from curation.reports import lists as report_lists
from curation.reports import views as reports

urlpatterns = [
    path("p/<int:pk>/report/", reports.new_report, name="new_report"),
    path("reports/", report_lists.reports, name="reports"),
    path("reports/<int:pk>/", reports.report, name="report"),
    path("reports/<int:pk>/decide/", reports.decide_report, name="decide_report"),
]
