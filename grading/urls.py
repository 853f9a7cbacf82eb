from django.urls import path

from grading.answers import participants
from grading.audits import label_views as labelling
from grading.audits import lists as audit_lists
from grading.audits import views as audits
from grading.baselines import asked_views as asked
from grading.baselines import checklist_views as checklists
from grading.baselines import views as baselines
from grading.calling import views as endpoints
from grading.contests import lists as contest_lists
from grading.contests import ruling_views as contest_rulings
from grading.contests import views as contests
from grading.debriefings import views as debriefings
from grading.drafts import file_views as draft_files
from grading.drafts import views as drafts
from grading.first_errors import label_views as first_error_labelling
from grading.first_errors import lists as first_error_lists
from grading.first_errors import views as first_errors
from grading.hidden import views as hidden
from grading.histories import views as histories
from grading.judging.calibration import curves
from grading.judging.calibration import views as calibration
from grading.judging.judgements import views as judgements
from grading.judging.labels import views as labels
from grading.judging.prompts import views as prompts
from grading.judging.rulings import lists as ruling_lists
from grading.judging.rulings import views as rulings
from grading.judging.runs import item_lists as run_items
from grading.judging.runs import lists as run_list
from grading.judging.runs import views as runs
from grading.judging.uploads import views as judge_files
from grading.keys import lists as key_lists
from grading.keys import views as keys
from grading.letters import views as letters
from grading.model_runs import lists as model_run_list
from grading.model_runs import views as model_runs
from grading.receipts import views as receipts
from grading.regrades import lists as regrade_lists
from grading.regrades import views as regrades
from grading.repairs import views as repairs
from grading.reported import lists as reported_lists
from grading.reported import views as reported
from grading.sessions import late_views as late
from grading.sessions import live_views as live
from grading.sessions import preview_views as preview
from grading.sessions import session_views as sessions
from grading.sessions import views as sitting
from grading.solvers import describing
from grading.solvers import lists as solver_lists
from grading.solvers import views as solvers
from grading.studies import pool_views as pool
from grading.studies import views as studies
from grading.submissions import answer_views
from grading.submissions import cancelling_views as cancelling
from grading.submissions import lists as submission_list
from grading.submissions import views as submissions
from grading.submissions.comparison import views as comparison
from grading.submissions.results import files as result_files
from grading.submissions.results import views as results
from grading.trials import views as trials

app_name = "grading"
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
    path("submissions/problems/<slug:slug>.json", submissions.problems_json, name="problems_json"),
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
    path("submissions/<int:pk>/judge/", runs.new_judge_run, name="new_judge_run"),
    path("studies/", studies.studies, name="studies"),
    path("studies.csv", studies.studies_csv, name="studies_csv"),
    path("studies/design/<int:pk>/", studies.design, name="design"),
    path("studies/new/", studies.new_study, name="new_study"),
    path("studies/<int:pk>/", live.study, name="study"),
    path("studies/<int:pk>.csv", live.study_csv, name="study_csv"),
    path("studies/<int:pk>/results/", baselines.results, name="study_results"),
    path("studies/<int:pk>/results.csv", baselines.results_csv, name="study_results_csv"),
    path("studies/<int:pk>/<slug:name>.svg", baselines.study_picture, name="study_picture"),
    path("studies/<int:pk>/checklist.md", checklists.checklist_md, name="checklist_md"),
    path("studies/<int:pk>/checklist.json", checklists.checklist_json, name="checklist_json"),
    path("studies/<int:pk>/asked/", asked.study_asked, name="study_asked"),
    path("studies/<int:pk>/asked.csv", asked.study_asked_csv, name="study_asked_csv"),
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
    path("studies/practice/read-as/", sitting.read_practice, name="read_practice"),
    path("studies/<int:pk>/join/", sitting.join, name="join"),
    path("studies/<int:pk>/practice/", sitting.practise, name="practise"),
    path("studies/<int:pk>/start/", sitting.start, name="start"),
    path("sessions/<int:pk>/", sessions.session, name="session"),
    path("sessions/<int:pk>/sync/", sessions.sync_session, name="sync_session"),
    path("sessions/<int:pk>/take-over/", sessions.take_over, name="take_over"),
    path("sessions/<int:pk>/hand-in/", sessions.hand_in, name="hand_in"),
    path("sessions/<int:pk>/aids/", sessions.say_aids, name="say_aids"),
    path("sessions/<int:pk>/debrief/", debriefings.debrief, name="debrief"),
    path("problems/<int:pk>/said/", debriefings.said_of_problem, name="said_of_problem"),
    path("repairs/", repairs.repairs, name="repairs"),
    path("repairs/<int:pk>/", repairs.repair, name="repair"),
    path("repairs/<int:pk>/read-as/", repairs.read_repair, name="read_repair"),
    path("studies/<int:pk>/pool/", pool.study_pool, name="study_pool"),
    path("studies/<int:pk>/pool.csv", pool.study_pool_csv, name="study_pool_csv"),
    path("studies/<int:pk>/pool/change/", pool.change_pool, name="change_pool"),
    path("studies/<int:pk>/delete/", studies.delete_study, name="delete_study"),
    path("studies/<int:pk>/preview/join/", preview.preview_join, name="preview_join"),
    path("studies/<int:pk>/preview/practice/", preview.preview_practice, name="preview_practice"),
    path("studies/<int:pk>/preview/session/", preview.preview_session, name="preview_session"),
    path("studies/items/<int:pk>/read-as/", preview.read_in_preview, name="read_in_preview"),
    path("studies/<int:pk>/letters/", letters.letters, name="letters"),
    path("studies/<int:pk>/letters/again/", letters.send_letters_again, name="send_letters_again"),
    path("studies/<int:pk>/letters/off/", letters.letters_off, name="letters_off"),
    path("studies/<int:pk>/withdraw/", sitting.withdraw, name="withdraw_from_study"),
    path(
        "studies/<int:pk>/repairs/again/", repairs.grade_repairs_again, name="grade_repairs_again"
    ),
    path("sessions/<int:pk>.json", sessions.own_data, name="own_data"),
    path(
        "sessions/<int:pk>/<int:place>/read-as/",
        sessions.read_in_session,
        name="read_in_session",
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
    path("solvers/<int:pk>/", histories.solver, name="solver"),
    path("solvers/<int:pk>.csv", histories.solver_csv, name="solver_csv"),
    path("solvers/<int:pk>.svg", histories.solver_picture, name="solver_picture"),
    path("solvers/<int:pk>/describe/", describing.describe_solver, name="describe_solver"),
    path("judges/", run_list.judge_runs, name="judge_runs"),
    path("judges.csv", run_list.judge_runs_csv, name="judge_runs_csv"),
    path("judges/<int:pk>/", runs.judge_run, name="judge_run"),
    path("judges/<int:pk>.csv", run_items.judge_run_csv, name="judge_run_csv"),
    path("judges/<int:pk>/pause/", runs.pause_judge_run, name="pause_judge_run"),
    path("judges/<int:pk>/resume/", runs.resume_judge_run, name="resume_judge_run"),
    path("judges/<int:pk>/cancel/", runs.cancel_judge_run, name="cancel_judge_run"),
    path("judges/<int:pk>/again/", runs.judge_again, name="judge_again"),
    path("judges/items/<int:pk>/", judgements.judgement, name="judgement"),
    path("judges/files/", judge_files.judge_files, name="judge_files"),
    path("judges/files/<int:pk>/", judge_files.judge_file, name="judge_file"),
    path("judges/prompts/", prompts.judge_prompts, name="judge_prompts"),
    path("judges/prompts.csv", prompts.judge_prompts_csv, name="judge_prompts_csv"),
    path("judges/prompts/<int:pk>/", prompts.judge_prompt, name="judge_prompt"),
    path("judges/prompts/<int:pk>/release/", prompts.release_prompt, name="release_prompt"),
    path("judges/rulings/", ruling_lists.rulings, name="rulings"),
    path("judges/rulings.csv", ruling_lists.rulings_csv, name="rulings_csv"),
    path("judges/rulings/<int:pk>/", rulings.rule, name="rule"),
    path("judges/rulings/given/", ruling_lists.rulings_given, name="rulings_given"),
    path("judges/rulings/given.csv", ruling_lists.rulings_given_csv, name="rulings_given_csv"),
    path("judges/labels/", labels.label_files, name="label_files"),
    path("judges/labels/<int:pk>/", labels.label_file, name="label_file"),
    path("judges/labels/<int:pk>.csv", labels.label_file_csv, name="label_file_csv"),
    path("judges/labels/<int:pk>/take/", labels.take_labels, name="take_labels"),
    path("judges/labels/<int:pk>/discard/", labels.discard_labels, name="discard_labels"),
    path("judges/calibration/", calibration.calibration, name="calibration"),
    path("judges/calibration.csv", calibration.calibration_csv, name="calibration_csv"),
    path(
        "judges/calibration/curves.csv",
        curves.calibration_curves_csv,
        name="calibration_curves_csv",
    ),
    path("attempts/<int:pk>/", answer_views.attempt, name="attempt"),
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
    path("contests/<int:pk>/read/", contest_rulings.read_as, name="read_contested"),
    path("contests/<int:pk>/take-back/", contests.take_back, name="take_back_contest"),
    path("audits/", audit_lists.audits, name="audits"),
    path("audits.csv", audit_lists.audits_csv, name="audits_csv"),
    path("audits/new/", audits.new_audit, name="new_audit"),
    path("audits/<int:pk>/", audits.audit, name="audit"),
    path("audits/<int:pk>.csv", audit_lists.audit_csv, name="audit_csv"),
    path("audits/<int:pk>/label/", labelling.label_audit, name="label_audit"),
    path("audits/<int:pk>/take-back/", labelling.take_back_label, name="take_back_label"),
    path("audits/<int:pk>/adjudicate/", labelling.adjudicate_audit, name="adjudicate_audit"),
    path("audits/<int:pk>/end/", audits.end_audit, name="end_audit"),
    path("audits/<int:pk>/ask/", audits.ask_labeller, name="ask_labeller"),
    path(
        "audits/<int:pk>/labellers/<int:number>/",
        audits.take_off_labeller,
        name="take_off_labeller",
    ),
    path("first-errors/", first_error_lists.first_errors, name="first_errors"),
    path("first-errors.csv", first_error_lists.first_errors_csv, name="first_errors_csv"),
    path("first-errors/new/", first_errors.new_first_error_sample, name="new_first_error_sample"),
    path("first-errors/<int:pk>/", first_errors.first_error_sample, name="first_error_sample"),
    path("first-errors/<int:pk>.svg", first_errors.first_error_picture, name="first_error_picture"),
    path(
        "first-errors/<int:pk>.csv",
        first_error_lists.first_error_sample_csv,
        name="first_error_sample_csv",
    ),
    path(
        "first-errors/<int:pk>/labels.csv",
        first_error_lists.first_error_labels_csv,
        name="first_error_labels_csv",
    ),
    *(
        path(f"first-errors/<int:pk>/{end}/", view, name=name)
        for end, view, name in (
            ("label", first_error_labelling.label_first_error, "label_first_error"),
            ("take-back", first_error_labelling.take_back_first_error, "take_back_first_error"),
            ("adjudicate", first_error_labelling.adjudicate_first_error, "adjudicate_first_error"),
            ("end", first_errors.end_first_errors, "end_first_errors"),
            ("ask", first_errors.ask_for_first_errors, "ask_for_first_errors"),
        )
    ),
    path(
        "first-errors/<int:pk>/labellers/<int:number>/",
        first_errors.take_off_first_errors,
        name="take_off_first_errors",
    ),
    path("keys/look-again/", keys.look_again, name="look_again"),
    path("keys/<int:pk>/", keys.key, name="key"),
    path("keys/<int:pk>/correct/", keys.correct_key, name="correct_key"),
    path("revisions/<int:pk>/tries/", trials.tries, name="tries"),
    path("answer/", participants.to_answer, name="to_answer"),
    path("answer/<int:pk>/read/", participants.read_as, name="read_as"),
    path("answer/<int:pk>/", participants.answer, name="answer"),
    path("problems/<int:pk>/trials/", trials.trials, name="trials"),
    path("problems/<int:pk>/trials.csv", trials.trials_csv, name="trials_csv"),
    path("trials/<int:pk>/cancel/", trials.cancel, name="cancel_trial"),
    path("trials/<int:pk>/again/", trials.ask_again, name="ask_again"),
    path("trials/<int:pk>/<int:number>/", trials.trial_answer, name="trial_answer"),
    path("model-runs/", model_run_list.model_runs, name="model_runs"),
    path("model-runs.csv", model_run_list.model_runs_csv, name="model_runs_csv"),
    path("model-runs/new/", model_runs.new_model_run, name="new_model_run"),
    path("model-runs/<int:pk>/", model_runs.model_run, name="model_run"),
    path("model-runs/<int:pk>.csv", model_run_list.model_run_csv, name="model_run_csv"),
    path("model-runs/<int:pk>/pause/", model_runs.pause_model_run, name="pause_model_run"),
    path("model-runs/<int:pk>/resume/", model_runs.resume_model_run, name="resume_model_run"),
    path("model-runs/<int:pk>/cancel/", model_runs.cancel_model_run, name="cancel_model_run"),
    path("model-runs/<int:pk>/again/", model_runs.ask_model_again, name="ask_model_again"),
    path("model-runs/<int:pk>/<int:number>/", model_runs.model_run_answer, name="model_run_answer"),
    # Scores that were reported elsewhere.
    path("reported/", reported_lists.reported, name="reported"),
    path("reported.csv", reported_lists.reported_csv, name="reported_csv"),
    path("reported/new/", reported.new_reported, name="new_reported"),
    path("reported/import/", reported.import_reported, name="import_reported"),
    path("reported/<int:pk>/withdraw/", reported.withdraw_reported, name="withdraw_reported"),
    path("endpoints/", endpoints.endpoints, name="endpoints"),
    path("endpoints/new/", endpoints.new_endpoint, name="new_endpoint"),
    path("endpoints/<int:pk>/", endpoints.endpoint, name="endpoint"),
    path("endpoints/<int:pk>/edit/", endpoints.edit_endpoint, name="edit_endpoint"),
    path("endpoints/<int:pk>/probe/", endpoints.probe, name="probe_endpoint"),
    path("endpoints/<int:pk>/pause/", endpoints.pause, name="pause_endpoint"),
    path("endpoints/<int:pk>/resume/", endpoints.resume, name="resume_endpoint"),
    path("endpoints/<int:pk>/models/", endpoints.offer, name="offer_models"),
    path("endpoints/<int:pk>/spending.csv", endpoints.spending_csv, name="spending_csv"),
]
