from django.urls import path

from grading.judging.calibration import curves
from grading.judging.calibration import views as calibration
from grading.judging.prompts import views as prompts
from grading.judging.rulings import lists as ruling_lists
from grading.judging.rulings import views as rulings
from grading.judging.runs import item_lists as run_items
from grading.judging.runs import item_views as judgements
from grading.judging.runs import lists as run_list
from grading.judging.runs import views as runs
from grading.judging.uploads import views as judge_files

urlpatterns = [
    path("submissions/<int:pk>/judge/", runs.new_judge_run, name="new_judge_run"),
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
    path("judges/calibration/", calibration.calibration, name="calibration"),
    path("judges/calibration.csv", calibration.calibration_csv, name="calibration_csv"),
    path(
        "judges/calibration/curves.csv",
        curves.calibration_curves_csv,
        name="calibration_curves_csv",
    ),
]
