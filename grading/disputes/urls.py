from django.urls import path

from grading.disputes.contests import lists as contest_lists
from grading.disputes.contests import ruling_views as contest_rulings
from grading.disputes.contests import views as contests
from grading.disputes.keys import lists as key_lists
from grading.disputes.keys import views as keys
from grading.disputes.regrades import lists as regrade_lists
from grading.disputes.regrades import views as regrades

urlpatterns = [
    path("regrades/", regrade_lists.regrades, name="regrades"),
    path("regrades.csv", regrade_lists.regrades_csv, name="regrades_csv"),
    path("regrades/begin/<slug:slug>/", regrades.begin_regrade, name="begin_regrade"),
    path("regrades/<int:pk>/", regrades.regrade, name="regrade"),
    path("regrades/<int:pk>.csv", regrade_lists.regrade_csv, name="regrade_csv"),
    path("regrades/<int:pk>/adopt/", regrades.adopt_regrade, name="adopt_regrade"),
    path("regrades/<int:pk>/discard/", regrades.discard_regrade, name="discard_regrade"),
    path("regrades/<int:pk>/renew/", regrades.renew_regrade, name="renew_regrade"),
    path("keys/", key_lists.keys, name="keys"),
    path("keys.csv", key_lists.keys_csv, name="keys_csv"),
    path("attempts/<int:pk>/contest/", contests.contest, name="new_contest"),
    path("contests/", contest_lists.contests, name="contests"),
    path("contests.csv", contest_lists.contests_csv, name="contests_csv"),
    path("contests/to-rule/", contest_lists.contests_to_rule, name="contests_to_rule"),
    path("contests/to-rule.csv", contest_lists.contests_to_rule_csv, name="contests_to_rule_csv"),
    path("contests/<int:pk>/", contest_rulings.contest, name="contest"),
    path("contests/<int:pk>/values/", contest_rulings.values, name="contest_values"),
    path("contests/<int:pk>/take-back/", contests.take_back, name="take_back_contest"),
    path("keys/look-again/", keys.look_again, name="look_again"),
    path("keys/<int:pk>/", keys.key, name="key"),
    path("keys/<int:pk>/correct/", keys.correct_key, name="correct_key"),
]
