"""Who is named on a problem: its author says so, and everybody may take their own name off."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.problems.benchmarks.places import get_placed
from curation.problems.credits import actions as crediting
from curation.problems.models import Problem
from curation.problems.people.models import Credit
from curation.problems.permissions import (
    can_answer_offer,
    can_ask_to_remove,
    can_name,
    can_see_translations,
    is_own_credit,
    list_candidates,
    list_visible,
)
from curation.problems.wording import name_in
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User, UserQuerySet

MOST_FOUND = 10


_NAMED = [(role.value, role.label) for role in crediting.NAMED]


class CreditForm(forms.Form):
    """Whom to name as what; a page that somebody made by hand can send anything."""

    person = forms.ModelChoiceField(queryset=User.objects.none())
    role = forms.ChoiceField(choices=_NAMED)

    def __init__(self, *args: Any, problem: Problem, **options: Any) -> None:
        super().__init__(*args, **options)
        candidates = list_candidates(problem)
        self.fields["person"].queryset = candidates  # type: ignore[attr-defined]


def find_people(people: UserQuerySet, wanted: str) -> tuple[list[User], bool]:
    """Find a few by a part of their display name, and say whether there are more."""
    if not wanted:
        return [], False
    found = people.filter(display_name__icontains=wanted).order_by("display_name", "pk")
    some = list(found[: MOST_FOUND + 1])
    return some[:MOST_FOUND], len(some) > MOST_FOUND


def describe_people(user: User, problem: Problem, *, wanted: str = "") -> dict[str, Any]:
    """Return what `_people.html` needs; `wanted` is a part of the display name looked for."""
    named = list(problem.credits.standing().select_related("person"))
    can_change = can_name(user, problem)
    found: list[tuple[User, list[tuple[str, str, bool]]]] = []
    is_cut = False
    if can_change and wanted:
        candidates, is_cut = find_people(list_candidates(problem), wanted)
        taken = {(credit.person_id, credit.role) for credit in named}
        found = [
            (one, [(value, label, (one.pk, value) in taken) for value, label in _role_labels()])
            for one in candidates
        ]
    return {
        "credits": named,
        "can_change_people": can_change,
        "wanted": wanted,
        "found": found,
        "is_cut": is_cut,
    }


def _role_labels() -> list[tuple[str, str]]:
    return [(value, str(label)) for value, label in _NAMED]


def _show(request: MemberRequest, problem: Problem, **more: Any) -> HttpResponse:
    wanted = request.GET.get("q", "").strip()[:60]
    context = {
        "problem": problem,
        **describe_people(request.user, problem, wanted=wanted),
        **more,
    }
    template = "curation/_people.html" if request.htmx else "curation/people.html"
    return render(request, template, context)


@role_required(Role.CONTRIBUTOR)
@require_http_methods(["GET", "POST"])
def people(request: MemberRequest, pk: int) -> HttpResponse:
    """Show who is named on a problem, find others, and name one."""
    problem = get_placed(request, Problem.objects.of(request.user).with_people(), pk)
    if request.method == "GET":
        return _show(request, problem)
    form = CreditForm(request.POST, problem=problem)
    if not form.is_valid():
        return _say(request, problem, _("They can’t be credited here. Search again."), "error")
    person = form.cleaned_data["person"]
    try:
        credit = crediting.give_credit(
            problem=problem, author=request.user, person=person, role=form.cleaned_data["role"]
        )
    except NotAllowedNow as refusal:
        return _say(request, problem, str(refusal), "error")
    text = _("%(name)s is asked, and credited once they accept: %(role)s.") % {
        "name": person,
        "role": credit.get_role_display(),
    }
    return _say(request, problem, text, "success")


@require_http_methods(["GET", "POST"])
def remove(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a name off: the author where they may change the list, and its owner always."""
    number = request.GET.get("credit", "")
    found = Credit.objects.select_related("problem__benchmark", "person")
    credit = get_object_or_404(found, pk=number if number.isdecimal() else 0, problem=pk)
    problem = credit.problem
    if not can_ask_to_remove(request.user, credit):
        raise Http404
    if can_answer_offer(request.user, credit):
        # Not a word of the problem before it is accepted.
        return redirect(reverse("profile") + "?tab=credits")
    if request.method == "GET":
        return _ask(request, credit)
    try:
        crediting.remove_credit(credit=credit, by=request.user)
    except NotAllowedNow as refusal:
        text, level = str(refusal), "error"
    else:
        text, level = _("%(name)s is no longer credited.") % {"name": credit.person}, "success"
    if credit.language and can_see_translations(request.user, problem):
        messages.add_message(request, _LEVELS[level], text)
        return redirect("curation:translations", pk)
    if not is_own_credit(request.user, credit):
        return _say(request, problem, text, level)
    messages.add_message(request, _LEVELS[level], text)
    if list_visible(request.user).filter(pk=pk).exists():
        return redirect(problem)
    # Without their name on it, a draft is not theirs to read.
    return redirect("curation:problems", problem.benchmark.slug)


def _ask(request: MemberRequest, credit: Credit) -> HttpResponse:
    if is_own_credit(request.user, credit):
        title = _("Remove your name from “%(title)s”")
        text = _("You are credited as %(role)s.")
    else:
        title = _("Remove %(name)s from “%(title)s”")
        text = _("%(name)s is credited as %(role)s.")
    words = {"name": credit.person, "role": credit.get_role_display()}
    after = _(
        "Only its author can add the name again, and only while the problem can be "
        "edited. Points already counted stay."
    )
    if credit.language:
        after = _("Their translation stays. The author or an admin can ask someone else.")
    context = {
        "problem": credit.problem,
        "title": name_in(title, credit.problem, **words),
        "text": text % words,
        "after": after,
        "button": _("Remove the name"),
    }
    return render(request, "curation/confirm.html", context)


_LEVELS = {"success": messages.SUCCESS, "error": messages.ERROR}


def _say(request: MemberRequest, problem: Problem, text: str, level: str) -> HttpResponse:
    """Answer in the list itself where it is a part of a page, else on its own page."""
    if request.htmx:
        return _show(request, problem, said=text, is_refusal=level == "error")
    messages.add_message(request, _LEVELS[level], text)
    return redirect(f"{problem.get_absolute_url()}?part=people")
