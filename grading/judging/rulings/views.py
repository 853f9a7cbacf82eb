"""Rule on answers that judges or the grader left open, one after the other."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from grading.answers.models import Attempt, with_grade
from grading.judging.judgements.models import Judgement
from grading.judging.rulings.waiting import list_waiting
from grading.samples.labels.models import Ruling
from grading.samples.labels.permissions import list_rulable
from grading.samples.labels.rulings import CannotRule
from grading.samples.labels.rulings import rule as rule_on
from phybench.people.forms import UncutField
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User
from phybench.work import sandbox
from phybench_grader.verdict.declarations import Undeclarable
from phybench_grader.verdict.references import Readings, list_readings_of


class RulingForm(forms.Form):
    choice = forms.ChoiceField(
        label=gettext_lazy("This answer is"),
        choices=Ruling.Choice.choices,
        widget=forms.RadioSelect,
    )
    reason = UncutField(
        label=gettext_lazy("Why"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4, "data-key": "w"}),
        help_text=gettext_lazy(
            "A sentence or two. It is kept permanently beside the judges’ comments."
        ),
    )

    def list_choices(self) -> list[tuple[forms.boundfield.BoundWidget, str]]:
        """Return the choices, each with the key that picks it."""
        return [(choice, str(key)) for key, choice in enumerate(self["choice"], start=1)]


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def rule(request: MemberRequest, pk: int) -> HttpResponse:
    attempts = list_rulable(request.user).select_related("revision__problem")
    attempt = get_object_or_404(attempts, pk=pk)
    own = attempt.rulings.filter(ruled_by=request.user, label_file=None).first()
    form = RulingForm(request.POST) if request.method == "POST" else RulingForm()
    if request.method == "POST" and form.is_valid():
        try:
            rule_on(attempt=attempt, by=request.user, **form.cleaned_data)
        except CannotRule as cannot:
            # Sent twice, as by a second press of the same keys, it is the ruling that was given.
            if not attempt.rulings.filter(
                ruled_by=request.user, label_file=None, **form.cleaned_data
            ).exists():
                messages.warning(request, str(cannot))
                return redirect("grading:rule", pk)
        following = _find_next(request.user, attempt)
        address = reverse("grading:rule", args=[(following or attempt).pk])
        return redirect(f"{address}?after={pk}" if following else address)
    is_left = Attempt.objects.for_a_person().filter(pk=pk).exists()
    if own is None and not is_left and not Judgement.objects.filter(attempt=attempt).exists():
        raise Http404
    # Whoever rules is told what others said once they have ruled, so that they are not led.
    parts = ledger.ALL if own is None else (*ledger.ALL, Part.VERDICT)
    ledger.record(request.user, Reason.RULE, attempt.revision, parts=parts)
    context: dict[str, Any] = {
        "attempt": attempt,
        "problem": attempt.revision.problem,
        "form": form,
        "own": own,
        "following": _find_next(request.user, attempt),
        "readings": _read_both(attempt) if is_left else None,
    }
    if own is None:
        context["before"] = _find_before(request)
        number = _count_today(request.user) + 1
        context["number"] = number
        context["total"] = number + _others_waiting(request.user, attempt).count()
    else:
        context["judgements"] = attempt.judgements.select_related("configuration", "item__run")
        context["rulings"] = attempt.rulings.select_related("ruled_by", "label_file")
        context["graded"] = with_grade(list_rulable(request.user)).get(pk=pk)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/rule.html", context, status=status)


def _read_both(attempt: Attempt) -> Readings | None:
    """List what an answer and its key may mean, where the grader left it to a person."""
    try:
        return sandbox.run(
            list_readings_of,
            attempt.response,
            attempt.revision.answer,
            declared=attempt.revision.reference.question,
            deadline=settings.RULING_DEADLINE_SECONDS,
        )
    except (sandbox.Stopped, Undeclarable):
        return None


def _others_waiting(user: User, attempt: Attempt) -> QuerySet[Attempt]:
    return list_waiting(user).exclude(pk=attempt.pk)


def _find_next(user: User, attempt: Attempt) -> Attempt | None:
    """Return what waits after this one, or before it once the end is reached."""
    others = _others_waiting(user, attempt)
    return others.filter(pk__gt=attempt.pk).first() or others.first()


def _count_today(user: User) -> int:
    return user.rulings.filter(label_file=None, created_at__date=timezone.now().date()).count()


def _find_before(request: MemberRequest) -> Ruling | None:
    """Return the ruling that was given just before this page."""
    asked = request.GET.get("after", "")
    if not asked.isdecimal():
        return None
    own = request.user.rulings.filter(label_file=None, attempt=int(asked[:15]))
    return own.select_related("attempt__revision__problem").first()
