"""What an author fills in to write a problem."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.authoring.drafts.missing import list_missing
from curation.problems.benchmarks.models import Benchmark
from curation.problems.checks import Checked
from curation.problems.fields import make_field
from curation.problems.models import Problem, Revision
from curation.problems.translations.models import Translation
from curation.texts.references.reference import SymbolRow, find_name
from curation.texts.schema import TEXTS, WRITTEN, Kind
from curation.texts.sentences import translate
from curation.texts.titles import make_title

MAIN = (
    *("statement", "quantity", "unit", "terms", "conditions", "answer"),
    *("title", "domain", "difficulty"),
)
"""What the editor shows at once, beside the symbols; all else is under “More”."""
OWN_ANSWERS = ("must_accept", "must_reject")


class PreviewForm(forms.Form):
    """What the preview shows of texts that may be anything yet."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        texts = (field for field in WRITTEN if field.name in TEXTS and field.kind != Kind.CHOICE)
        self.fields = {field.name: make_field(field, is_lenient=True) for field in texts}


class ProblemForm(forms.Form):
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"), queryset=Benchmark.objects.all(), empty_label=_("choose")
    )
    problem = forms.IntegerField(required=False, widget=forms.HiddenInput)
    form_key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    saved_at = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields = {field.name: make_field(field) for field in WRITTEN} | self.fields
        # What is wrong is listed in the order of the page.
        self.order_fields(MAIN)

    def list_more(self) -> list[forms.BoundField]:
        """List what has no place of its own on the page: whatever the schema has besides."""
        placed = {*MAIN, "symbols", "left_out", "exact", "reason", "solution", *OWN_ANSWERS}
        return [self[field.name] for field in WRITTEN if field.name not in placed]

    def has_more_errors(self) -> bool:
        """Whether something is wrong in what is folded away."""
        folded = {field.name for field in self.list_more()} | {"solution", *OWN_ANSWERS}
        return not folded.isdisjoint(self.errors)

    @staticmethod
    def describe(problem: Problem, revision: Revision) -> dict[str, Any]:
        """Return what is stored, as this form's data or initial values."""
        stored = {
            field.name: getattr(problem if field.of_problem else revision, field.name)
            for field in WRITTEN
        }
        stored |= {"problem": problem.pk, "benchmark": problem.benchmark_id}
        # A submitted revision is no draft: the next one begins from it, for a new reason.
        if revision.submitted_at:
            return {**stored, "reason": "", "saved_at": ""}
        return {**stored, "saved_at": revision.saved_at.isoformat()}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if statement := cleaned.get("statement", "").strip():
            cleaned["title"] = cleaned.get("title") or make_title(statement) or gettext("Untitled")
        elif not cleaned.get("title"):
            self.add_error("title", self.fields["title"].error_messages["required"])
        translations = Translation.objects.filter(
            revision__problem=cleaned.get("problem"), language=cleaned.get("language", "")
        )
        # A revision begins with what the last one was translated into.
        if cleaned.get("problem") and translations.exists():
            self.add_error("language", gettext("It is translated into this language already."))
        if not self.errors and not cleaned["form_key"]:
            # From no page of ours: what is the same text is the same form.
            typed = sorted(self.fields_to_save().items())
            cleaned["form_key"] = hashlib.sha256(repr(typed).encode()).hexdigest()[:40]
        return cleaned

    def fields_to_save(self) -> dict[str, Any]:
        """Return what `actions.save_draft` and `create_draft` take."""
        about_saving = {"problem", "form_key", "saved_at"}
        cleaned: Mapping[str, Any] = self.cleaned_data
        if not cleaned["language"]:
            about_saving.add("language")  # a page that does not ask for it leaves it as it is
        saved = {name: cleaned[name] for name in cleaned.keys() - about_saving}
        rows: list[SymbolRow] = cleaned["symbols"]
        there = {row.name for row in rows}
        left_out = [one for one in cleaned["left_out"] if find_name(one) not in there]
        return {**saved, "symbols": [row.store() for row in rows], "left_out": left_out}

    def add_broken_rules(self, checked: Checked) -> None:
        """Put every rule's message at its field."""
        for field, rule in checked.list_broken():
            self._add(field, translate(rule.message))

    def add_missing(self, revision: Revision, problem: Problem) -> None:
        """Put at each field what is still to be filled in there."""
        for field, message in list_missing(revision, problem):
            self._add(field, message)

    @classmethod
    def check_again(cls, data: QueryDict, checked: Checked) -> "ProblemForm":
        """Say of what is typed now what keeps it from being submitted."""
        form = cls(data)
        form.full_clean()
        stored = {name: form.cleaned_data[name] for name in TEXTS if name in form.cleaned_data}
        facts = {name: data.get(name, "") for name in ("domain", "difficulty")}
        form.add_broken_rules(checked)
        # A reason is asked where there was a revision before.
        number = 2 if "reason" in data else 1
        form.add_missing(Revision(number=number, **stored), Problem(**facts))
        return form

    def _add(self, field: str, message: str) -> None:
        if message not in self.errors.get(field, []):
            self.add_error(field, message)
