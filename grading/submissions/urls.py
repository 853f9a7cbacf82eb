from django.urls import path

from grading.submissions import answer_views
from grading.submissions import cancelling_views as cancelling
from grading.submissions import lists as submission_list
from grading.submissions import views as submissions
from grading.submissions.comparison import views as comparison
from grading.submissions.drafts import file_views as draft_files
from grading.submissions.drafts import views as drafts
from grading.submissions.hidden import views as hidden
from grading.submissions.receipts import views as receipts
from grading.submissions.results import files as result_files
from grading.submissions.results import views as results
from grading.submissions.solvers import describing
from grading.submissions.solvers import lists as solver_lists
from grading.submissions.solvers import views as solvers

urlpatterns = [
    path("submissions/", submission_list.submissions, name="submissions"),
    path("submissions.csv", submission_list.submissions_csv, name="submissions_csv"),
    path("submissions/new/", drafts.upload, name="upload"),
    path("drafts/<int:pk>/", drafts.draft, name="draft"),
    path("drafts/<int:pk>/grade/", drafts.grade, name="grade_draft"),
    path("drafts/<int:pk>/discard/", drafts.discard, name="discard_draft"),
    path("drafts/<int:pk>/first/", draft_files.first, name="first_answers"),
    path("drafts/<int:pk>/left-out.csv", draft_files.left_out_csv, name="left_out_csv"),
    path("drafts/<int:pk>/files/", draft_files.add, name="add_file"),
    path("drafts/<int:pk>/files/<int:number>/", draft_files.fields, name="draft_fields"),
    path("drafts/<int:pk>/files/<int:number>/remove/", draft_files.remove, name="remove_file"),
    path("b/<slug:slug>/task/<slug:harness>/", submissions.task, name="task"),
    path("submissions/<int:pk>/", results.submission, name="submission"),
    path("submissions/<int:pk>.csv", result_files.submission_csv, name="submission_csv"),
    path("submissions/<int:pk>.jsonl", result_files.submission_jsonl, name="submission_jsonl"),
    path("submissions/<int:pk>/receipt/", receipts.receipt, name="receipt"),
    path("submissions/<int:pk>/receipt.json", receipts.receipt_json, name="receipt_json"),
    path(
        "submissions/<int:pk>/full-receipt.json",
        receipts.full_receipt_json,
        name="full_receipt_json",
    ),
    path("submissions/<int:pk>/compare/", comparison.choose, name="choose_comparison"),
    path("submissions/<int:pk>/compare/<int:other>/", comparison.compare, name="comparison"),
    path(
        "submissions/<int:pk>/compare/<int:other>.csv",
        comparison.comparison_csv,
        name="comparison_csv",
    ),
    path("submissions/<int:pk>/publish/", submissions.publish, name="publish"),
    path("submissions/<int:pk>/withdraw/", submissions.withdraw, name="withdraw"),
    path("submissions/<int:pk>/try-again/", submissions.try_again, name="try_again"),
    path("submissions/<int:pk>/cancel/", cancelling.cancel, name="cancel"),
    path("submissions/<int:pk>/go-on/", cancelling.go_on, name="go_on"),
    path("submissions/<int:pk>/hidden/", hidden.hidden, name="hidden"),
    path("submissions/<int:pk>/hidden/ask/", hidden.ask_hidden, name="ask_hidden"),
    path("submissions/<int:pk>/hidden/again/", hidden.try_hidden_again, name="try_hidden_again"),
    path("organisations/", solver_lists.organisations, name="organisations"),
    path("organisations.csv", solver_lists.organisations_csv, name="organisations_csv"),
    path("organisations/new/", solvers.new_organisation, name="new_organisation"),
    path("organisations/<int:pk>/", solvers.organisation, name="organisation"),
    path("organisations/<int:pk>/models.csv", solver_lists.solvers_csv, name="solvers_csv"),
    path("organisations/<int:pk>/join/", solvers.ask_to_join, name="ask_to_join"),
    path(
        "organisations/<int:pk>/members/<int:number>/",
        solvers.settle_membership,
        name="settle_membership",
    ),
    path(
        "organisations/<int:pk>/confirm/", solvers.confirm_organisation, name="confirm_organisation"
    ),
    path("organisations/<int:pk>/rename/", solvers.rename_organisation, name="rename_organisation"),
    path("organisations/<int:pk>/merge/", solvers.merge_organisation, name="merge_organisation"),
    path("solvers/<int:pk>/describe/", describing.describe_solver, name="describe_solver"),
    path("attempts/<int:pk>/", answer_views.attempt, name="attempt"),
]
