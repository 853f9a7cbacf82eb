from django.urls import path

from curation.reviewing.agreement import disagreement_views
from curation.reviewing.agreement import views as agreement
from curation.reviewing.assignments import conflicts, distribution_views, queue
from curation.reviewing.assignments import lists as assignment_lists
from curation.reviewing.assignments import views as assigning
from curation.reviewing.decisions import views as decisions
from curation.reviewing.discussion import views as comments
from curation.reviewing.pipeline_editor import stage_views
from curation.reviewing.pipeline_editor import views as pipelines
from curation.reviewing.reviews import draft_views, remark_views
from curation.reviewing.reviews import views as reviewing

urlpatterns = [
    path("problems/<int:pk>/reopen/", decisions.reopen, name="reopen"),
    path(
        "problems/<int:pk>/remarks/<str:kind>/<int:remark_pk>/",
        remark_views.answer_remark,
        name="answer_remark",
    ),
    path("reviews/", queue.queue, name="queue"),
    path("reviews/take-next/", queue.take_next, name="take_next"),
    path("reviews/<int:pk>/take/", queue.take, name="take"),
    path("reviews/<int:pk>/", reviewing.review, name="review"),
    path("reviews/<int:pk>/answer/", reviewing.show_answer, name="show_answer"),
    path("reviews/<int:pk>/solve/", reviewing.solve, name="solve"),
    path("reviews/<int:pk>/decide/", disagreement_views.decide, name="decide"),
    path("disagreements/", disagreement_views.disagreements, name="disagreements"),
    path("disagreements.csv", disagreement_views.disagreements_csv, name="disagreements_csv"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement.csv", agreement.agreement_csv, name="agreement_csv"),
    path("pipelines/", pipelines.pipelines, name="pipelines"),
    path("pipelines/new/", pipelines.new_pipeline, name="new_pipeline"),
    path("pipelines/<int:pk>/", pipelines.pipeline, name="pipeline"),
    path("pipelines/<int:pk>/delete/", pipelines.delete_pipeline, name="delete_pipeline"),
    path("pipelines/<int:pk>/stages/new/", stage_views.new_stage, name="new_stage"),
    path("stages/<int:pk>/", stage_views.stage, name="stage"),
    path("stages/<int:pk>/move/", stage_views.move_stage, name="move_stage"),
    path("stages/<int:pk>/delete/", stage_views.delete_stage, name="delete_stage"),
    path("reviews/<int:pk>/skip/", draft_views.skip, name="skip_review"),
    path("reviews/<int:pk>/note/", draft_views.note, name="admin_note"),
    path("reviews/<int:pk>/draft/", draft_views.draft, name="review_draft"),
    path("reviews/<int:pk>/draft/save/", draft_views.save, name="save_review_draft"),
    path("reviews/<int:pk>/comments/new/", comments.new_comment, name="new_comment"),
    path("comments/<int:pk>/reply/", comments.reply, name="reply"),
    path("comments/<int:pk>/settle/", comments.settle, name="settle"),
    path("assignments/", assigning.assignments, name="assignments"),
    path("assignments.csv", assignment_lists.assignments_csv, name="assignments_csv"),
    path("assignments/all/", assignment_lists.assignment_list, name="assignment_list"),
    path("assignments/assign/", assigning.assign, name="assign"),
    path("assignments/by-rule/", distribution_views.distribute, name="distribute"),
    path("assignments/plans/<int:pk>/", distribution_views.assignment_plan, name="assignment_plan"),
    path("assignments/<int:pk>/decline/", queue.decline, name="decline"),
    path("assignments/<int:pk>/revoke/", assigning.revoke, name="revoke"),
    path("conflicts/", conflicts.conflicts, name="conflicts"),
    path("conflicts/<int:pk>/lift/", conflicts.lift_conflict, name="lift_conflict"),
    path("b/<slug:slug>/settings/review/", conflicts.review_settings, name="review_settings"),
    path("profile/reviewing/", queue.reviewing_profile, name="reviewing_profile"),
]
