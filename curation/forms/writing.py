"""What an author fills in to write a problem."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.checking import Checked
from curation.models import Benchmark, Difficulty, Domain, Problem, Revision, Translation
from curation.references import MAX_ROWS, SymbolRow
from curation.sentences import translate
from curation.texts.rendering import MAX_CHARACTERS
from grading.expressions import BrokenRule
from phybench.forms import UncutField
from phybench.models import Language

MAX_ANSWER = 4096
MAX_LINES = 20
"""Answers that an author says must be accepted or rejected, of each."""
LONGEST = {"latex": 40, "meaning": 200, "unit": 40, "sign": 20, "low": 40, "high": 40}
"""Characters of each field of a symbol's row."""


class SourceField(UncutField):
    """Text that somebody typed, with one kind of line end."""

    def __init__(self, *, classes: str = "code", rows: int = 3, **options: Any) -> None:
        attributes = {"class": classes, "rows": rows, "spellcheck": "true"}
        super().__init__(widget=forms.Textarea(attributes), required=False, **options)

    def to_python(self, value: Any) -> str:
        # Browsers send \r\n: the places of broken rules would be off by one a line.
        return str(super().to_python(value)).replace("\r\n", "\n")


class LinesField(SourceField):
    """A list of answers, one a line."""

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else "\n".join(value or [])

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        if isinstance(value, list):
            value = "\n".join(value)
        return [line.strip() for line in super().to_python(value).split("\n") if line.strip()]

    def validate(self, value: Any) -> None:
        if len(value) > MAX_LINES:
            message = gettext("At most %(most)d lines.")
            raise ValidationError(message, params={"most": MAX_LINES})

    def run_validators(self, value: Any) -> None:
        for line in value:
            super().run_validators(line)


class SymbolTable(forms.Widget):
    """The rows of the symbol table: one list of values a column, as `_symbols.html` names them."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[dict[str, str]]:
        if not hasattr(data, "getlist"):
            stored: list[dict[str, str]] = data.get(name, [])
            return stored
        columns = [data.getlist(f"symbol_{column}") for column in LONGEST]
        return [dict(zip(LONGEST, row, strict=True)) for row in zip(*columns, strict=False)]


class SymbolTableField(forms.Field):
    """What is declared of each symbol; a row without a symbol is none."""

    widget = SymbolTable

    def to_python(self, value: Any) -> list[SymbolRow]:
        rows = [
            SymbolRow.read({name: str(text).strip() for name, text in row.items()})
            for row in value or []
            if str(row.get("latex", "")).strip()
        ]
        if len(rows) > MAX_ROWS:
            message = gettext("At most %(most)d symbols.")
            raise ValidationError(message, params={"most": MAX_ROWS})
        for row in rows:
            for one in fields(row):
                if (
                    len(getattr(row, one.name)) > LONGEST[one.name]
                    or "\x00" in asdict(row)[one.name]
                ):
                    message = gettext("The row of %(symbol)s is too long: keep each field short.")
                    raise ValidationError(message, params={"symbol": row.latex[:40]})
        return rows


class PreviewForm(forms.Form):
    """What the preview shows of texts that may be anything yet."""

    statement = SourceField()
    answer = SourceField()
    solution = SourceField()
    label = forms.CharField(required=False)
    symbols = SymbolTableField(required=False)


class ProblemForm(forms.Form):
    title = forms.CharField(label=_("Title"), max_length=120)
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"), queryset=Benchmark.objects.all(), empty_label=None
    )
    domain = forms.ChoiceField(label=_("Domain"), choices=[("", _("choose")), *Domain.choices])
    difficulty = forms.ChoiceField(
        label=_("Difficulty"), choices=[("", _("choose")), *Difficulty.choices]
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=Language.choices, initial=Language.EN, required=False
    )
    statement = SourceField(
        label=_("Statement"),
        max_length=MAX_CHARACTERS,
        classes="code tall",
        rows=10,
        help_text=_(
            "Markdown, with formulas as $…$ or on their own as $$…$$. Introduce every symbol "
            "of the answer; describe in words what a figure would show."
        ),
    )
    label = forms.CharField(
        label=_("Name"),
        max_length=40,
        required=False,
        widget=forms.TextInput({"class": "code", "placeholder": "F"}),
    )
    answer = SourceField(
        label=_("Reference answer"),
        max_length=MAX_ANSWER,
        classes="code short",
        rows=2,
        help_text=_(
            "One expression in LaTeX: no equation, exact numbers, no units. "
            r"For example \frac{m v_0^2}{2 k}"
        ),
    )
    symbols = SymbolTableField(label=_("Symbols"), required=False)
    must_accept = LinesField(
        label=_("Also right"),
        max_length=MAX_ANSWER,
        classes="code short",
        rows=2,
        help_text=_("Other ways to write the answer, one a line. Each must score 100."),
    )
    must_reject = LinesField(
        label=_("Wrong"),
        max_length=MAX_ANSWER,
        classes="code short",
        rows=2,
        help_text=_("Answers that a usual mistake gives, one a line. Each must score less."),
    )
    solution = SourceField(
        label=_("Solution"),
        max_length=MAX_CHARACTERS,
        rows=6,
        help_text=_("How to get there, for reviewers. Written like the statement."),
    )
    reason = forms.CharField(
        label=_("What this revision changes, and why"), max_length=300, required=False
    )
    problem = forms.IntegerField(required=False, widget=forms.HiddenInput)
    form_key = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    saved_at = forms.CharField(required=False, widget=forms.HiddenInput)

    @staticmethod
    def describe(problem: Problem, revision: Revision) -> dict[str, Any]:
        """Return what is stored, as this form's data or initial values."""
        return {
            "problem": problem.pk,
            "title": problem.title,
            "benchmark": problem.benchmark_id,
            "domain": problem.domain,
            "difficulty": problem.difficulty,
            "language": problem.language,
            "statement": revision.statement,
            "label": revision.label,
            "answer": revision.answer,
            "symbols": revision.symbols,
            "must_accept": revision.must_accept,
            "must_reject": revision.must_reject,
            "solution": revision.solution,
            # A submitted revision is no draft: the next one begins from it, for a new reason.
            "reason": "" if revision.submitted_at else revision.reason,
            "saved_at": "" if revision.submitted_at else revision.saved_at.isoformat(),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        translations = Translation.objects.filter(
            revision__problem=cleaned.get("problem"), language=cleaned.get("language", "")
        )
        # A revision begins with what the last one was translated into.
        if cleaned.get("problem") and translations.exists():
            self.add_error("language", gettext("It is translated into this language already."))
        return cleaned

    def fields_to_save(self) -> dict[str, Any]:
        """Return what `actions.save_draft` and `create_draft` take."""
        about_saving = {"problem", "form_key", "saved_at"}
        cleaned: Mapping[str, Any] = self.cleaned_data
        if not cleaned["language"]:
            about_saving.add("language")  # a page that does not ask for it leaves it as it is
        saved = {name: cleaned[name] for name in cleaned.keys() - about_saving}
        return {**saved, "symbols": [row.store() for row in cleaned["symbols"]]}

    def add_broken_rules(self, checked: Checked) -> None:
        """Put every rule's message at its field."""
        self._add("statement", checked.statement)
        self._add("answer", checked.answer)
        self._add("solution", checked.solution)
        for problem in checked.rows:
            self.add_error("symbols", problem.message)

    def _add(self, field: str, broken: Iterable[BrokenRule]) -> None:
        for rule in broken:
            message = translate(rule.message)
            if message not in self.errors.get(field, []):
                self.add_error(field, message)
