"""What an author fills in to write a problem."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.authoring.drafts.missing import list_missing
from curation.problems.benchmarks.models import Benchmark
from curation.problems.checks import Checked
from curation.problems.fields import (
    ExactField,
    FormulaField,
    InlineListField,
    LeftOutField,
    LinesField,
    SourceField,
    SymbolTableField,
)
from curation.problems.models import Difficulty, PhysicsField, Problem, Revision
from curation.problems.translations.models import Translation
from curation.texts.origin import LONGEST_SOURCE, Adaptation
from curation.texts.references.dimensions import MAX_UNIT
from curation.texts.references.reference import LONGEST_LISTED, MAX_LISTED, SymbolRow, find_name
from curation.texts.references.wanted import FIELD_OF_RULE
from curation.texts.rendering import MAX_CHARACTERS
from curation.texts.sentences import translate
from phybench.people.models import Language
from phybench_grader.reading.rules import BrokenRule

MAX_ANSWER = 4096


class PreviewForm(forms.Form):
    """What the preview shows of texts that may be anything yet."""

    statement = SourceField()
    answer = SourceField()
    solution = SourceField()
    quantity = FormulaField(required=False)
    unit = forms.CharField(required=False)
    terms = InlineListField(required=False)
    conditions = InlineListField(required=False)
    symbols = SymbolTableField(required=False)
    left_out = LeftOutField(required=False)
    exact = ExactField(required=False)


class ProblemForm(forms.Form):
    title = forms.CharField(label=_("Title"), max_length=120)
    benchmark = forms.ModelChoiceField(
        label=_("Benchmark"), queryset=Benchmark.objects.all(), empty_label=_("choose")
    )
    domain = forms.ChoiceField(
        label=_("Domain"), choices=[("", _("choose")), *PhysicsField.choices]
    )
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
    quantity = FormulaField(
        label=_("Find"),
        max_length=LONGEST_LISTED,
        required=False,
        widget=forms.TextInput({"class": "code", "placeholder": r"\Omega", "spellcheck": "false"}),
    )
    unit = forms.CharField(
        label=_("in the unit"),
        max_length=MAX_UNIT,
        required=False,
        widget=forms.TextInput({"class": "code", "placeholder": "1/s", "spellcheck": "false"}),
    )
    terms = InlineListField(
        label=_("in terms of"),
        max_length=MAX_LISTED * LONGEST_LISTED,
        required=False,
        widget=forms.TextInput(
            {"class": "code", "placeholder": r"\omega, g, R", "spellcheck": "false"}
        ),
    )
    conditions = InlineListField(
        label=_("where"),
        max_length=MAX_LISTED * LONGEST_LISTED,
        required=False,
        widget=forms.TextInput(
            {"class": "code", "placeholder": r"g < \omega^2 R", "spellcheck": "false"}
        ),
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
    left_out = LeftOutField(required=False)
    exact = ExactField(required=False)
    must_accept = LinesField(
        label=_("Right answers"),
        max_length=MAX_ANSWER,
        classes="code short",
        rows=2,
        help_text=_("Other ways to write the answer, one a line. Each must score 100."),
    )
    must_reject = LinesField(
        label=_("Wrong answers"),
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
    adaptation = forms.ChoiceField(
        label=_("How far it is adapted"),
        choices=[("", _("not said")), *Adaptation.choices],
        required=False,
    )
    source = forms.CharField(
        label=_("Adapted from"),
        max_length=LONGEST_SOURCE,
        required=False,
        help_text=_(
            "Book, paper, contest or address, with the number of the problem. Reviewers see it "
            "with the answer; solvers do not."
        ),
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
            "quantity": revision.quantity,
            "unit": revision.unit,
            "terms": revision.terms,
            "conditions": revision.conditions,
            "answer": revision.answer,
            "symbols": revision.symbols,
            "left_out": revision.left_out,
            "exact": revision.exact,
            "must_accept": revision.must_accept,
            "must_reject": revision.must_reject,
            "solution": revision.solution,
            "adaptation": revision.adaptation,
            "source": revision.source,
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
        self._add("statement", checked.statement)
        self._add("answer", checked.answer)
        self._add("solution", checked.solution)
        for rule in checked.wanted:
            self.add_error(FIELD_OF_RULE[rule.code], translate(rule.message))
        for problem in checked.rows:
            self.add_error("symbols", problem.message)

    def add_missing(self, revision: Revision) -> None:
        """Put at each field what is still to be filled in there."""
        for field, message in list_missing(revision):
            if message not in self.errors.get(field, []):
                self.add_error(field, message)

    def choose_only_benchmark(self, benchmarks: list[Benchmark]) -> None:
        """Begin with the benchmark that there is, and say so; of several its author chooses."""
        if len(benchmarks) == 1:
            self.initial["benchmark"] = benchmarks[0].pk
            self.fields["benchmark"].help_text = gettext("Chosen for you: it is the only one.")

    def _add(self, field: str, broken: Iterable[BrokenRule]) -> None:
        for rule in broken:
            message = translate(rule.message)
            if message not in self.errors.get(field, []):
                self.add_error(field, message)
