"""Translate problems: who does it, the two texts side by side, and that somebody checks it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from curation.authoring.translations import actions as translating
from curation.problems.benchmarks.places import get_placed
from curation.problems.credits.views import find_people
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.fields import SourceField
from curation.problems.models import Problem, Revision
from curation.problems.permissions import (
    can_assign_translator,
    can_check_translation,
    can_see_translations,
    can_translate,
    list_translators,
    list_visible,
)
from curation.problems.translations.models import Translation
from curation.texts.rendering import MAX_CHARACTERS
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, few_at_once, saying_why_not
from phybench.people.models import Language, User


class TranslationForm(forms.Form):
    statement = SourceField(
        label=gettext_lazy("Statement"), max_length=MAX_CHARACTERS, classes="code tall", rows=12
    )
    solution = SourceField(
        label=gettext_lazy("Solution"), max_length=MAX_CHARACTERS, classes="code tall", rows=12
    )
    saved_at = forms.CharField(required=False, widget=forms.HiddenInput)


class TranslatorForm(forms.Form):
    """Whom to ask for which language; a page that somebody made by hand can send anything."""

    person = forms.ModelChoiceField(queryset=User.objects.none())
    language = forms.ChoiceField(choices=Language.choices)

    def __init__(self, *args: Any, problem: Problem, **options: Any) -> None:
        super().__init__(*args, **options)
        people = list_translators(problem)
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


def _find(request: MemberRequest, pk: int) -> Problem:
    problem = get_placed(request, list_visible(request.user).with_people(), pk)
    if not can_see_translations(request.user, problem):
        raise Http404
    return problem


def _find_revision(problem: Problem, language: str) -> Revision:
    revision = translating.find_revision(problem)
    if revision is None or language not in translating.list_languages(problem):
        raise Http404
    # Of this one, who writes it is known already.
    revision.problem = problem
    return revision


@require_http_methods(["GET", "POST"])
def translations(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how each translation of a problem stands, and ask somebody to make one."""
    problem = _find(request, pk)
    if request.method == "POST":
        return _assign(request, problem)
    revision = translating.find_revision(problem)
    made = {one.language: one for one in revision.translations.all()} if revision else {}
    standing = [one for one in problem.credits.all() if one.removed_at is None]
    translators = {one.language: one for one in standing if one.language}
    wanted = request.GET.get("q", "").strip()[:60]
    can_assign = can_assign_translator(request.user, problem)
    found, is_cut = find_people(list_translators(problem), wanted)
    context = {
        "problem": problem,
        "revision": revision,
        "rows": [
            (language, made.get(language), translators.get(language))
            for language in translating.list_languages(problem)
        ],
        "can_assign": can_assign,
        "wanted": wanted,
        "found": found if can_assign else [],
        "is_cut": is_cut,
    }
    return render(request, "curation/translations.html", context)


def _assign(request: MemberRequest, problem: Problem) -> HttpResponse:
    form = TranslatorForm(request.POST, problem=problem)
    if not form.is_valid():
        messages.error(request, _("They can’t be asked. Search again."))
        return redirect("curation:translations", problem.pk)
    with saying_why_not(request, NotAllowedNow):
        credit = translating.assign_translator(
            problem=problem, by=request.user, **form.cleaned_data
        )
        text = _("%(name)s translates it into %(language)s.")
        if credit.is_offered:
            text = _("%(name)s is asked to translate it into %(language)s.")
        words = {"name": credit.person, "language": credit.get_language_display()}
        messages.success(request, text % words)
    return redirect("curation:translations", problem.pk)


@require_http_methods(["GET", "POST"])
def translation(request: MemberRequest, pk: int, language: str) -> HttpResponse:
    """Show original and translation side by side, to write in or to check."""
    problem = _find(request, pk)
    revision = _find_revision(problem, language)
    stored = revision.translations.filter(language=language).select_related("made_for").first()
    if request.method == "GET":
        return _show(request, revision, language, stored, _fill(revision, stored))
    form = TranslationForm(request.POST)
    if not form.is_valid():
        return _show(request, revision, language, stored, form, is_unsaved=True)
    try:
        _store(request, problem, language, form)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        revision = _find_revision(problem, language)
        stored = revision.translations.filter(language=language).first()
        # Saving once more then replaces what is shown as stored.
        typed = request.POST.copy()
        typed["saved_at"] = stored.saved_at.isoformat() if stored else ""
        form.data = typed
        return _show(request, revision, language, stored, form, conflicting=stored, is_unsaved=True)
    messages.success(request, _("The translation is saved."))
    return redirect("curation:translation", pk, language)


def _store(
    request: MemberRequest, problem: Problem, language: str, form: TranslationForm
) -> Translation:
    given = form.cleaned_data
    return translating.save_translation(
        problem=problem, language=language, translator=request.user, **given
    )


def _fill(revision: Revision, stored: Translation | None) -> TranslationForm:
    """Begin with the original where there is nothing yet: its formulas are to survive."""
    text = stored or revision
    return TranslationForm(
        initial={
            "statement": text.statement,
            "solution": text.solution,
            "saved_at": stored.saved_at.isoformat() if stored else "",
        }
    )


def _show(
    request: MemberRequest,
    revision: Revision,
    language: str,
    stored: Translation | None,
    form: TranslationForm,
    *,
    conflicting: Translation | None = None,
    is_unsaved: bool = False,
) -> HttpResponse:
    problem = revision.problem
    is_frozen = stored is not None and stored.is_checked
    can_write = can_translate(request.user, problem, language) and not is_frozen
    typed = {name: form[name].value() for name in translating.NAMES}
    # Where it can't be written any more, what is stored counts; what was typed is shown beside.
    shown = (
        typed if can_write or stored is None else {n: getattr(stored, n) for n in translating.NAMES}
    )
    parts = translating.compare(revision, *(_tidy(shown[name]) for name in translating.NAMES))
    _record(request, revision)
    context = {
        "problem": problem,
        "revision": revision,
        "language": Language(language),
        "translation": stored,
        "form": form,
        "parts": [(part, form[part.name]) for part in parts],
        "is_kept": all(part.is_kept for part in parts),
        "can_write": can_write,
        "can_check": stored is not None
        and not stored.is_checked
        and can_check_translation(request.user, problem, language),
        "conflicting": conflicting if can_write else None,
        "typed": typed.values() if is_unsaved and not can_write else (),
        "is_unsaved": is_unsaved,
    }
    return render(request, "curation/translation.html", context)


def _record(request: MemberRequest, revision: Revision) -> None:
    parts = (Part.STATEMENT, Part.SOLUTION)
    ledger.record(request.user, Reason.TRANSLATE, revision, parts=parts)


def _tidy(text: str | None) -> str:
    """Return what was typed with one kind of line end, as it would be stored."""
    return (text or "").replace("\r\n", "\n")[:MAX_CHARACTERS]


@require_POST
@few_at_once
def preview_translation(request: MemberRequest, pk: int, language: str) -> HttpResponse:
    """Show what is typed as a reader sees it, and which formulas differ."""
    revision = _find_revision(_find(request, pk), language)
    _record(request, revision)
    parts = translating.compare(
        revision,
        *(_tidy(request.POST.get(name, "")) for name in translating.NAMES),
    )
    context = {"parts": parts, "language": language}
    return render(request, "curation/translation.html#parts", context)


@require_POST
def autosave_translation(request: MemberRequest, pk: int, language: str) -> HttpResponse:
    """Store what the page holds while its translator types."""
    problem = _find(request, pk)
    form = TranslationForm(request.POST)
    context: dict[str, Any] = {}
    if not form.is_valid():
        why = " ".join(str(one[0]) for one in form.errors.values())
        context["problem"] = _("not saved yet: %(why)s") % {"why": why}
    else:
        try:
            context["translation"] = _store(request, problem, language, form)
        except NotAllowedNow:
            context["problem"] = _("Not saved: it was changed elsewhere. “Save” shows both.")
            context["is_alarming"] = True
    return render(request, "curation/translation.html#saved", context)


@require_POST
def check_translation(request: MemberRequest, pk: int, language: str) -> HttpResponse:
    problem = _find(request, pk)
    with saying_why_not(request, NotAllowedNow):
        translating.check_translation(
            problem=problem,
            language=language,
            checker=request.user,
            saved_at=request.POST.get("saved_at", ""),
        )
        messages.success(request, _("The translation is checked: readers can choose it now."))
    return redirect("curation:translation", pk, language)
