from django.urls import path

from grading.submissions import answer_views
from grading.submissions import lists as submission_list
from grading.submissions import views as submissions
from grading.submissions.comparison import views as comparison
from grading.submissions.drafts import file_views as draft_files
from grading.submissions.drafts import views as drafts
from grading.submissions.hidden import views as hidden
from grading.submissions.receipts import views as receipts
from grading.submissions.solvers import describing
from grading.submissions.solvers import lists as solver_lists
from grading.submissions.solvers import views as solvers
from phybench.pages.addresses import Address

urlpatterns = [
    path("submissions/", submission_list.submissions, name="submissions"),
    path("submissions.csv", submission_list.submissions_csv, name="submissions_csv"),
    path("submissions/new/", drafts.upload, name="upload"),
    path(
        "drafts/<int:pk>/",
        Address(
            drafts.draft,
            {
                "do=add": draft_files.add,
                "do=grade": drafts.grade,
                "do=discard": drafts.discard,
                "part=first": draft_files.first,
                "as=csv": draft_files.left_out_csv,
            },
        ),
        name="draft",
    ),
    path(
        "drafts/<int:pk>/files/<int:number>/",
        Address(draft_files.fields, {"do=remove": draft_files.remove}),
        name="draft_fields",
    ),
    path("b/<slug:slug>/task/<slug:harness>/", submissions.task, name="task"),
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
    path(
        "submissions/<int:pk>/hidden/",
        Address(hidden.hidden, {"do=ask": hidden.ask_hidden, "do=again": hidden.try_hidden_again}),
        name="hidden",
    ),
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
