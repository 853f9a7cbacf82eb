"""Save a draft while its author types."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from curation.authoring.drafts import actions
from curation.authoring.drafts.forms import ProblemForm
from curation.problems.models import Problem, Revision
from curation.problems.permissions import list_authored, list_to_write
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest
from phybench.people.models import User


@require_POST
def autosave(request: MemberRequest, pk: int | None = None, slug: str = "") -> HttpResponse:
    """
    Store what the editor holds, and tell its page from what the next saving starts.

    The first saving of a new problem makes it. Nothing is refused that a draft may be; what can't
    be stored yet, or was stored elsewhere meanwhile, stays on the page, and the page says so.
    """
    form = ProblemForm(request.POST)
    if not form.is_valid():
        return _show(request, problem=_describe(form), is_alarming=False)
    pk = pk or form.cleaned_data["problem"]
    try:
        key = form.cleaned_data["form_key"]
        begun = find_begun(request.user, key) if pk is None else None
        if pk is None and begun is None:
            created = actions.create_draft(
                author=request.user, form_key=key, **form.fields_to_save()
            )
            response = _show(request, draft=created.revisions.latest("number"))
            response["HX-Replace-Url"] = reverse("curation:edit", args=[created.pk])
            return response
        problem = begun or get_object_or_404(list_to_write(request.user), pk=pk)
        draft = actions.save_draft(
            problem=problem,
            author=request.user,
            saved_at=form.cleaned_data["saved_at"],
            **form.fields_to_save(),
        )
    except NotAllowedNow:
        text = _("Not saved: it was changed elsewhere. “Save draft” shows both versions.")
        return _show(request, problem=text, is_alarming=True)
    return _show(request, draft=draft)


def find_begun(author: User, key: str) -> Problem | None:
    """Return the problem that the same form has begun, unknown to its page."""
    return list_authored(author).filter(form_key=key).first() if key else None


def _describe(form: ProblemForm) -> str:
    """Say what keeps a text from being stored: most often that it has no title yet."""
    # Of hidden ones it is made from their name.
    labels = [str(form[name].label) for name in form.errors if name in form.fields]
    return _("not saved yet: see %(fields)s") % {"fields": ", ".join(labels)}


def _show(
    request: MemberRequest,
    *,
    draft: Revision | None = None,
    problem: str = "",
    is_alarming: bool = False,
) -> HttpResponse:
    context = {"draft": draft, "problem": problem, "is_alarming": is_alarming}
    return render(request, "curation/editor.html#saved", context)
