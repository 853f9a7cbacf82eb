from django.urls import path

from curation.benchmarks import views as benchmarks
from curation.catalogue import views as problems
from curation.drafts import autosave, preview
from curation.drafts import views as editing
from curation.errors import lists as report_lists
from curation.errors import views as reports
from curation.errors import visitor_views as visitors
from curation.exchange import export_views, import_views
from curation.exposures import views as exposures
from curation.invitations import lists as invitation_lists
from curation.invitations import views as inviting
from curation.members import lists as member_lists
from curation.members import own_views as own
from curation.members import views as members
from curation.people import contributors
from curation.people import views as people
from curation.problems import views as comparing
from curation.reviewing.agreement import disagreement_views
from curation.reviewing.agreement import views as agreement
from curation.reviewing.assignments import conflicts, distribution_views, queue
from curation.reviewing.assignments import lists as assignment_lists
from curation.reviewing.assignments import views as assigning
from curation.reviewing.discussion import views as comments
from curation.reviewing.pipelines import stage_views
from curation.reviewing.pipelines import views as pipelines
from curation.reviewing.rounds import draft_views, remark_views
from curation.reviewing.rounds import views as reviewing
from curation.translations import views as translating
from curation.versions import draft_views as drafts
from curation.versions import views as versions

app_name = "curation"
urlpatterns = [
    path("boards/<slug:slug>/versions/", versions.versions, name="versions"),
    path("boards/<slug:slug>/versions/new/", drafts.new_version, name="new_version"),
    path("boards/<slug:slug>/versions/<int:number>/", versions.version, name="version"),
    path("boards/<slug:slug>/versions/<int:number>.csv", versions.version_csv, name="version_csv"),
    path(
        "boards/<slug:slug>/versions/<int:number>.jsonl",
        versions.version_jsonl,
        name="version_jsonl",
    ),
    *(
        path(f"boards/<slug:slug>/versions/<int:number>/{end}/", view, name=name)
        for end, view, name in (
            ("draft", drafts.draft_version, "draft_version"),
            ("draw", drafts.draw_hidden, "draw_hidden"),
            ("refresh", drafts.refresh_version, "refresh_version"),
            ("discard", drafts.discard_version, "discard_version"),
            ("publish", drafts.publish_version, "publish_version"),
            ("items/<int:pk>/withdraw", drafts.withdraw_item, "withdraw_item"),
        )
    ),
    path("problems/", problems.problems, name="problems"),
    path("problems.csv", problems.problems_csv, name="problems_csv"),
    path("problems/export/", export_views.export, name="export"),
    path("problems/new/", editing.new, name="new"),
    path("problems/autosave/", autosave.autosave, name="autosave"),
    path("problems/preview/", preview.preview, name="preview"),
    path("problems/preview/second/", preview.second_reading, name="second_reading"),
    path("problems/<int:pk>/", problems.problem, name="problem"),
    path("problems/<int:pk>/changes/", comparing.compare, name="compare"),
    path("problems/<int:pk>/similar/", comparing.similar, name="similar"),
    path("problems/<int:pk>/similar/count/", comparing.similar_count, name="similar_count"),
    path("problems/<int:pk>/report/", reports.new_report, name="new_report"),
    path("problems/<int:pk>/keep/", reports.keep, name="keep"),
    path("problems/<int:pk>/reopen/", reviewing.reopen, name="reopen"),
    path("reports/", report_lists.reports, name="reports"),
    path("reports.csv", report_lists.reports_csv, name="reports_csv"),
    path("reports/<int:pk>/", reports.report, name="report"),
    path("reports/<int:pk>/decide/", reports.decide_report, name="decide_report"),
    # From the board, also without an account; a visitor comes back by a link with a secret.
    path("boards/<slug:slug>/report-an-error/", visitors.board_report, name="board_report"),
    path("reports/<int:pk>/sent/<str:secret>/", visitors.sent_report, name="sent_report"),
    path("exposures/", exposures.exposures, name="exposures"),
    path("exposures.csv", exposures.exposures_csv, name="exposures_csv"),
    path("problems/<int:pk>/edit/", editing.edit, name="edit"),
    path("problems/<int:pk>/certificate/", editing.certificate, name="certificate"),
    path("problems/<int:pk>/submit/", editing.submit, name="submit"),
    path("problems/<int:pk>/submission/", editing.submission, name="submission"),
    path(
        "problems/<int:pk>/remarks/<str:kind>/<int:remark_pk>/",
        remark_views.answer_remark,
        name="answer_remark",
    ),
    path("problems/<int:pk>/withdraw/", editing.withdraw, name="withdraw"),
    path("problems/<int:pk>/delete/", editing.delete, name="delete"),
    path("problems/<int:pk>/translations/", translating.translations, name="translations"),
    path(
        "problems/<int:pk>/translations/<str:language>/",
        translating.translation,
        name="translation",
    ),
    path(
        "problems/<int:pk>/translations/<str:language>/autosave/",
        translating.autosave_translation,
        name="autosave_translation",
    ),
    path(
        "problems/<int:pk>/translations/<str:language>/preview/",
        translating.preview_translation,
        name="preview_translation",
    ),
    path(
        "problems/<int:pk>/translations/<str:language>/check/",
        translating.check_translation,
        name="check_translation",
    ),
    path("people/", member_lists.members, name="members"),
    path("people.csv", member_lists.members_csv, name="members_csv"),
    path("people/give-a-role/", members.give_role, name="give_role"),
    path("people/changes/", member_lists.person_changes, name="person_changes"),
    path("people/changes.csv", member_lists.person_changes_csv, name="person_changes_csv"),
    path("people/<int:pk>/", members.member, name="member"),
    path("people/<int:pk>/roles/", members.set_roles, name="set_roles"),
    path("people/<int:pk>/institution/", members.set_institution, name="set_institution"),
    path("people/<int:pk>/deactivate/", members.deactivate, name="deactivate"),
    path("people/<int:pk>/reactivate/", members.reactivate, name="reactivate"),
    path("role-requests/", member_lists.role_requests, name="role_requests"),
    path("role-requests/<int:pk>/grant/", members.grant_request, name="grant_request"),
    path("role-requests/<int:pk>/decline/", members.decline_request, name="decline_request"),
    path("role-requests/<int:pk>/take-back/", own.take_back_request, name="take_back_request"),
    path("profile/roles/", own.my_roles, name="my_roles"),
    path("profile/roles/ask/", own.ask_for_role, name="ask_for_role"),
    path("profile/institution/", own.my_institution, name="my_institution"),
    path("invitations/", invitation_lists.invitations, name="invitations"),
    path("invitations.csv", invitation_lists.invitations_csv, name="invitations_csv"),
    path("invitations/new/", inviting.invite, name="invite"),
    path("invitations/again/", inviting.send_failed_again, name="send_failed_again"),
    path("invitations/<int:pk>/again/", inviting.send_again, name="send_again"),
    path("invitations/<int:pk>/withdraw/", inviting.withdraw, name="withdraw_invitation"),
    # Also without an account: whoever has the link was sent the e-mail, or was forwarded it.
    path("invitations/open/<str:secret>/", inviting.invitation, name="invitation"),
    path("problems/<int:pk>/people/", people.people, name="people"),
    path("problems/<int:pk>/people/<int:credit_pk>/remove/", people.remove, name="remove_credit"),
    path("contributors/", contributors.contributors, name="contributors"),
    path("contributors.csv", contributors.contributors_csv, name="contributors_csv"),
    path("acknowledgements.csv", contributors.acknowledgements_csv, name="acknowledgements_csv"),
    path("contributions/", contributors.my_contributions, name="my_contributions"),
    path("contributions.csv", contributors.my_contributions_csv, name="my_contributions_csv"),
    path("imports/", import_views.imports, name="imports"),
    path("imports/new/", import_views.new_import, name="new_import"),
    path("imports/<int:pk>/", import_views.one_import, name="import"),
    path("imports/<int:pk>.csv", import_views.import_csv, name="import_csv"),
    path("imports/<int:pk>/carry-out/", import_views.carry_out_import, name="carry_out_import"),
    path("imports/<int:pk>/discard/", import_views.discard_import, name="discard_import"),
    path("benchmarks/", benchmarks.benchmarks, name="benchmarks"),
    path("benchmarks/new/", benchmarks.new_benchmark, name="new_benchmark"),
    path("benchmarks/<slug:slug>/", benchmarks.benchmark, name="benchmark"),
    path("benchmarks/<slug:slug>/edit/", benchmarks.edit_benchmark, name="edit_benchmark"),
    path("benchmarks/<slug:slug>/dataset/", export_views.export_dataset, name="export_dataset"),
    path("downloads/", export_views.downloads, name="downloads"),
    path("downloads.csv", export_views.downloads_csv, name="downloads_csv"),
    path("reviews/", queue.queue, name="queue"),
    path("reviews/take-next/", queue.take_next, name="take_next"),
    path("reviews/<int:pk>/take/", queue.take, name="take"),
    path("reviews/<int:pk>/", reviewing.review, name="review"),
    path("reviews/<int:pk>/answer/", reviewing.show_answer, name="show_answer"),
    path("reviews/<int:pk>/solve/", reviewing.solve, name="solve"),
    path("reviews/<int:pk>/decide/", reviewing.decide, name="decide"),
    path("disagreements/", disagreement_views.disagreements, name="disagreements"),
    path("disagreements.csv", disagreement_views.disagreements_csv, name="disagreements_csv"),
    path("disagreements/<int:pk>/", disagreement_views.disagreement, name="disagreement"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement.csv", agreement.agreement_csv, name="agreement_csv"),
    path("pipelines/", pipelines.pipelines, name="pipelines"),
    path("pipelines/new/", pipelines.new_pipeline, name="new_pipeline"),
    path("pipelines/<int:pk>/", pipelines.pipeline, name="pipeline"),
    path("pipelines/<int:pk>/default/", pipelines.default_pipeline, name="default_pipeline"),
    path("pipelines/<int:pk>/give/", pipelines.give_pipeline, name="give_pipeline"),
    path("pipelines/<int:pk>/delete/", pipelines.delete_pipeline, name="delete_pipeline"),
    path("pipelines/<int:pk>/stages/new/", stage_views.new_stage, name="new_stage"),
    path("stages/<int:pk>/", stage_views.stage, name="stage"),
    path("stages/<int:pk>/move/", stage_views.move_stage, name="move_stage"),
    path("stages/<int:pk>/delete/", stage_views.delete_stage, name="delete_stage"),
    path("reviews/<int:pk>/read/", preview.read_answer, name="read_answer"),
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
    path("profile/reviewing/", queue.reviewing_profile, name="reviewing_profile"),
]
