"""Show an author what a reader and the grader make of what is typed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.authoring.drafts.forms import PreviewForm, ProblemForm
from curation.authoring.drafts.hints import say_of_statement, say_of_wanted
from curation.problems.checks import Checked, check, find_disagreement
from curation.problems.fields import LONGEST
from curation.problems.typed_answers import show_reading
from curation.reviewing.rounds.permissions import can_review, get_round
from curation.texts.conversion import convert
from curation.texts.references.dimensions import MAX_UNIT
from curation.texts.references.reference import (
    LONGEST_LISTED,
    NOTHING_WANTED,
    SIGNS_IN_WORDS,
    SymbolRow,
    Wanted,
    find_name,
)
from curation.texts.references.wanted import draft_wanted
from curation.texts.rendering import MAX_CHARACTERS
from curation.texts.schema import MAX_ANSWER
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Language, Role

CONVERTED = ("statement", "solution")
"""Fields that LaTeX can be pasted into."""
NEEDS_A_FIGURE = frozenset({"image", "figure_link", "figure"})
"""Rules that a statement breaks which is not text alone."""


@dataclass(frozen=True, slots=True)
class SymbolShown:
    """One row of the symbol table as the editor shows it, with what is wrong with it."""

    row: SymbolRow
    messages: list[str]
    is_unused: bool = False
    """Whether neither the texts nor what is asked mention it: a warning, no broken rule."""

    @property
    def is_empty(self) -> bool:
        return not self.row.latex


@dataclass(frozen=True, slots=True)
class Preview:
    """What a reader and the grader make of texts, whatever their state."""

    statement: str
    answer: str
    solution: str
    wanted: Wanted
    checked: Checked
    rows: list[SymbolRow] = field(default_factory=list)
    """The symbol table as it was sent."""
    left_out: list[str] = field(default_factory=list)
    """Symbols that the author took out of it."""
    exact: list[str] = field(default_factory=list)
    """Fractions of the answer that the author says are exact."""
    drafted: Wanted = NOTHING_WANTED
    """What the statement says is asked, where the author says none of it yet."""
    lines_there: int = 0
    """Rows on the page, the empty ones too."""
    language: str = ""
    """What the texts are written in; empty where that is none we know."""
    is_drafted: bool = False
    """Whether what is asked was filled in by the page, and nobody has written there since."""

    @property
    def filled(self) -> list[SymbolRow]:
        return self.checked.fill(self.rows, self.left_out)

    @property
    def described_symbols(self) -> list[SymbolRow]:
        """Those rows that tell a reader something, as `Revision` has them."""
        return [row for row in self.filled if not row.says_nothing]

    @property
    def is_table_changed(self) -> bool:
        return self.filled != self.rows or self.lines_there > len(self.filled) + 1

    def lines(self) -> Iterator[SymbolShown]:
        """List the rows to show, and an empty one for a symbol that was not found."""
        wrong = [(problem.number, problem.message) for problem in self.checked.rows]
        numbers = {row: number for number, row in reversed(list(enumerate(self.rows)))}
        unused = self.checked.list_unused(self.rows, self.statement, self.answer, self.wanted)
        for row in self.filled:
            messages = [text for number, text in wrong if number == numbers.get(row)]
            yield SymbolShown(row, messages, is_unused=row in unused)
        yield SymbolShown(SymbolRow(""), [])

    def hints_of_statement(self) -> list[str]:
        return list(say_of_statement(self.statement, self.answer, self.language))

    def hints_of_wanted(self) -> list[str]:
        found = say_of_wanted(self.wanted, self.rows, self.checked, self.statement, self.answer)
        return list(found)

    @property
    def signs(self) -> dict[str, Any]:
        return SIGNS_IN_WORDS

    @property
    def longest(self) -> dict[str, int]:
        return LONGEST

    @property
    def checks(self) -> list[tuple[str, str]]:
        """Return what has to be so before it can be submitted, each with how it stands."""
        checked = self.checked
        of_figures = [rule for rule in checked.statement if rule.code in NEEDS_A_FIGURE]
        is_displayed = len(of_figures) == len(checked.statement)
        is_read = checked.reading is not None
        lines = [
            _line(
                self.statement,
                (not of_figures, _("The statement is complete without a figure or link")),
                _("The statement refers to a figure or a link"),
            ),
            _line(
                self.statement,
                (is_displayed, _("The statement displays correctly")),
                _("The statement does not display correctly"),
            ),
            _line(
                self.answer,
                (is_read, _("The answer can be read")),
                _("The answer can’t be read"),
            ),
            _line(
                self.answer,
                (not checked.answer, _("The answer keeps every rule")),
                ngettext(
                    "The answer breaks %(count)d rule",
                    "The answer breaks %(count)d rules",
                    len(checked.answer),
                )
                % {"count": len(checked.answer)},
            ),
        ]
        if wanted := self.wanted:
            fits = (not checked.wanted and is_read, _("What is asked fits the answer"))
            lines.append(_line(str(wanted), fits, _("What is asked does not fit the answer")))
        if checked.rows:
            lines.append((_("A symbol is not declared correctly"), "broken"))
        if checked.solution:
            lines.append((_("The solution does not display correctly"), "broken"))
        return lines


def _line(text: str, kept: tuple[bool, str], broken: str) -> tuple[str, str]:
    """Say whether something is so: as it should be where it is, or where nothing is written yet."""
    is_kept, label = kept
    if not text.strip():
        return label, "open"
    return (label, "kept") if is_kept else (broken, "broken")


def make_preview(data: QueryDict | dict[str, Any]) -> Preview:
    form = PreviewForm(data)
    form.full_clean()
    statement = form.cleaned_data.get("statement", "")[:MAX_CHARACTERS]
    solution = form.cleaned_data.get("solution", "")[:MAX_CHARACTERS]
    answer = form.cleaned_data.get("answer", "")[: MAX_ANSWER + 1]
    rows = form.cleaned_data.get("symbols", [])
    cleaned = form.cleaned_data
    wanted = Wanted(
        cleaned.get("quantity", "")[:LONGEST_LISTED],
        cleaned.get("unit", "")[:MAX_UNIT],
        tuple(cleaned.get("terms", ())),
        tuple(cleaned.get("conditions", ())),
    )
    exact = cleaned.get("exact", [])
    checked = check(
        answer,
        statement,
        solution=solution,
        rows=rows,
        wanted=wanted,
        exact=exact,
        deadline=settings.READING_DEADLINE_SECONDS,
    )
    language = data.get("language", "")
    known = language if language in Language.values else ""
    names = {row.name for row in rows}
    left_out = [one for one in cleaned.get("left_out", []) if find_name(one) not in names]
    there = len(data.getlist("symbol_latex")) if isinstance(data, QueryDict) else 0
    is_drafted = bool(wanted) and data.get("is_drafted", "") == "1"
    drafted = draft_wanted(checked.legible) if is_drafted or not wanted else NOTHING_WANTED
    return Preview(
        statement,
        answer,
        solution,
        wanted,
        checked,
        rows,
        left_out,
        exact,
        drafted=drafted,
        lines_there=there,
        language=known,
        is_drafted=is_drafted,
    )


@dataclass(frozen=True, slots=True)
class Conversion:
    """A text that was LaTeX, and what it was before: for one step back."""

    field: str
    before: str
    left: tuple[str, ...]


def is_converting(data: QueryDict) -> bool:
    """Whether the button was one that converts a text, or takes that back."""
    return "convert" in data or "unconvert" in data


def convert_field(data: QueryDict) -> tuple[QueryDict, Conversion | None]:
    """Convert the field whose button was pressed, or take that back."""
    changed = data.copy()
    for name in CONVERTED:
        if data.get("convert") == name:
            before = data.get(name, "")
            converted = convert(before)
            changed[name] = converted.text
            return changed, Conversion(name, before, converted.left)
        if data.get("unconvert") == name:
            changed[name] = data.get(f"{name}_before", "")
    return changed, None


@require_POST
def preview(request: MemberRequest, /, **_of: object) -> HttpResponseBase:
    # It takes no time, and what came in its place would be lost with the text.
    return (_show_converted if is_converting(request.POST) else _show_preview)(request)


@few_at_once
def _show_preview(request: MemberRequest) -> HttpResponse:
    shown = make_preview(request.POST)
    context: dict[str, Any] = {"preview": shown, "is_answer": True}
    if "refused" in request.POST:
        # What keeps it from being submitted goes when it is mended.
        context["form"] = ProblemForm.check_again(request.POST, shown.checked)
    return render(request, "curation/editor.html#preview", context)


def _show_converted(request: MemberRequest) -> HttpResponse:
    data, conversion = convert_field(request.POST)
    name = conversion.field if conversion else request.POST.get("unconvert", "")
    if name not in CONVERTED:
        raise Http404
    form = ProblemForm(initial={name: data[name]})
    context = {"field": form[name], "conversion": conversion}
    answer = render(request, "curation/editor.html#source", context)
    answer["HX-Trigger-After-Settle"] = "converted"
    return answer


@require_POST
@few_at_once
def second_reading(request: MemberRequest, /, **_of: object) -> HttpResponse:
    """Show how another reader reads the answer, where that is something else."""
    answer = request.POST.get("answer", "")[: MAX_ANSWER + 1]
    second = find_disagreement(answer) if answer.strip() else None
    return render(request, "curation/_second.html", {"second": second, "writes": True})


@never_cache
@role_required(Role.REVIEWER)
@require_POST
@few_at_once
def read_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Show a reviewer how their blind answer is read while they type it."""
    review_round = get_round(request, pk)
    if not can_review(request.user, review_round):
        raise Http404
    text = request.POST.get("answer", "")[: MAX_ANSWER + 1]
    return render(request, "_read_as.html", show_reading(text, review_round.revision))
