from django.urls import path

from grading.studies import pool_views as pool
from grading.studies import views as studies
from grading.studies.answers import participants
from grading.studies.baselines import views as baselines
from grading.studies.debriefings import views as debriefings
from grading.studies.letters import views as letters
from grading.studies.repairs import views as repairs
from grading.studies.sessions import late_views as late
from grading.studies.sessions import live_views as live
from grading.studies.sessions import preview_views as preview
from grading.studies.sessions import session_views as sessions
from grading.studies.sessions import views as sitting
from grading.studies.withdrawals import views as withdrawals

urlpatterns = [
    path("studies/", studies.studies, name="studies"),
    path("studies.csv", studies.studies_csv, name="studies_csv"),
    path("studies/design/<int:pk>/", studies.design, name="design"),
    path("studies/new/", studies.new_study, name="new_study"),
    path("studies/<int:pk>/", live.study, name="study"),
    path("studies/<int:pk>.csv", live.study_csv, name="study_csv"),
    path("studies/<int:pk>/results/", baselines.results, name="study_results"),
    path("studies/<int:pk>/results.csv", baselines.results_csv, name="study_results_csv"),
    path("studies/<int:pk>/<slug:name>.svg", baselines.study_picture, name="study_picture"),
    path("studies/<int:pk>/late/", late.study_late, name="study_late"),
    path("studies/<int:pk>/late.csv", late.study_late_csv, name="study_late_csv"),
    path("studies/late/<int:pk>/count/", late.count_late, name="count_late"),
    path("studies/<int:pk>/edit/", studies.edit_study, name="edit_study"),
    path("studies/<int:pk>/report/", studies.report_study, name="report_study"),
    path("studies/<int:pk>/open/", studies.open_study, name="open_study"),
    path("studies/<int:pk>/end/", studies.end_study, name="end_study"),
    path("studies/<int:pk>/baseline/", studies.name_baseline, name="name_baseline"),
    path("studies/<int:pk>/invite/", studies.invite, name="invite"),
    path("studies/<int:pk>/preregistration.json", studies.preregistration, name="preregistration"),
    path("studies/people/<int:pk>/extend/", live.extend, name="extend"),
    path("studies/people/<int:pk>/leave-out/", live.leave_out, name="leave_out"),
    path("studies/mine/", sitting.sittings, name="sittings"),
    path("studies/<int:pk>/join/", sitting.join, name="join"),
    path("studies/<int:pk>/practice/", sitting.practise, name="practise"),
    path("studies/<int:pk>/start/", sitting.start, name="start"),
    path("sessions/<int:pk>/", sessions.session, name="session"),
    path("sessions/<int:pk>/sync/", sessions.sync_session, name="sync_session"),
    path("sessions/<int:pk>/take-over/", sessions.take_over, name="take_over"),
    path("sessions/<int:pk>/hand-in/", sessions.hand_in, name="hand_in"),
    path("sessions/<int:pk>/aids/", sessions.say_aids, name="say_aids"),
    path("sessions/<int:pk>/debrief/", debriefings.debrief, name="debrief"),
    path("p/<int:pk>/said/", debriefings.said_of_problem, name="said_of_problem"),
    path("repairs/", repairs.repairs, name="repairs"),
    path("repairs/<int:pk>/", repairs.repair, name="repair"),
    path("studies/<int:pk>/pool/", pool.study_pool, name="study_pool"),
    path("studies/<int:pk>/pool.csv", pool.study_pool_csv, name="study_pool_csv"),
    path("studies/<int:pk>/pool/change/", pool.change_pool, name="change_pool"),
    path("studies/<int:pk>/delete/", studies.delete_study, name="delete_study"),
    path("studies/<int:pk>/preview/join/", preview.preview_join, name="preview_join"),
    path("studies/<int:pk>/preview/practice/", preview.preview_practice, name="preview_practice"),
    path("studies/<int:pk>/preview/session/", preview.preview_session, name="preview_session"),
    path("studies/<int:pk>/letters/", letters.letters, name="letters"),
    path("studies/<int:pk>/letters/again/", letters.send_letters_again, name="send_letters_again"),
    path("studies/<int:pk>/letters/off/", letters.letters_off, name="letters_off"),
    path("studies/<int:pk>/withdraw/", withdrawals.withdraw, name="withdraw_from_study"),
    path(
        "studies/<int:pk>/repairs/again/", repairs.grade_repairs_again, name="grade_repairs_again"
    ),
    path("sessions/<int:pk>.json", sessions.own_data, name="own_data"),
    path("answer/", participants.to_answer, name="to_answer"),
    path("answer/<int:pk>/", participants.answer, name="answer"),
]
