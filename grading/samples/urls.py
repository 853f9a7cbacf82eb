from django.urls import path

from grading.samples.audits import label_views as labelling
from grading.samples.audits import lists as audit_lists
from grading.samples.audits import views as audits
from grading.samples.first_errors import label_views as first_error_labelling
from grading.samples.first_errors import lists as first_error_lists
from grading.samples.first_errors import views as first_errors
from grading.samples.labels import views as labels

urlpatterns = [
    path("judges/labels/", labels.label_files, name="label_files"),
    path("judges/labels/<int:pk>/", labels.label_file, name="label_file"),
    path("judges/labels/<int:pk>.csv", labels.label_file_csv, name="label_file_csv"),
    path("judges/labels/<int:pk>/take/", labels.take_labels, name="take_labels"),
    path("judges/labels/<int:pk>/discard/", labels.discard_labels, name="discard_labels"),
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
]
