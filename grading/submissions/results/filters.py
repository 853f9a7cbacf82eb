"""What narrows the problems on a submission's page."""

from typing import Any

import django_filters
from django import forms
from django.db.models import Count, Exists, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Difficulty, PhysicsField, Problem
from grading.answers.models import Attempt, VerdictChoice
from grading.answers.submissions.models import Submission
from grading.submissions.results.rows import MISSING, WAITING, list_graded
from phybench.pages.listing import ListFilter, choice

SHOWN = [
    *VerdictChoice.choices,
    ("FAILED", _("not graded")),
    (WAITING, _("not graded yet")),
    (MISSING, _("missing")),
]
DONE = [Attempt.Status.GRADED, Attempt.Status.FAILED]


class ScoreFilter(django_filters.Filter):
    field_class = forms.FloatField

    def __init__(self, **options: Any) -> None:
        super().__init__(
            field_name="score",
            min_value=0,
            max_value=100,
            widget=forms.NumberInput({"step": "any", "class": "short"}),
            **options,
        )


class ResultFilter(ListFilter):
    """Narrow problems to those of which an answer is like that; they come with their score."""

    q = django_filters.CharFilter(
        method="find_text",
        label=_("Search in ids, titles and answers"),
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    verdict = choice(_("Verdict"), SHOWN, method="find_verdict")
    reason = django_filters.CharFilter(method="find_reason", widget=forms.HiddenInput)
    domain = choice(_("Domain"), PhysicsField.choices)
    difficulty = choice(_("Difficulty"), Difficulty.choices)
    least = ScoreFilter(label=_("EED from"), lookup_expr="gte")
    most = ScoreFilter(label=_("EED to"), lookup_expr="lte")

    def __init__(self, data: Any, problems: QuerySet[Any], submission: Submission, *, most: int):
        super().__init__(data, problems)
        self.submission = submission
        self.most_answers = most
        if not problems.exclude(difficulty="").exists():
            del self.filters["difficulty"]

    def is_active(self) -> bool:
        # A score of 0 is one.
        return any(value not in (None, "") for value in self.form.cleaned_data.values())

    def find_text(self, found: QuerySet[Problem], name: str, text: str) -> QuerySet[Problem]:
        read = Q(graded__answer_read__icontains=text) | Q(graded__answer_typed__icontains=text)
        graded = list_graded(self.submission).filter(status=Attempt.Status.GRADED)
        called = Problem.objects.called(text).values("pk")
        return found.filter(
            Q(title__icontains=text) | Q(pk__in=called) | Exists(graded.filter(read))
        )

    def find_verdict(self, found: QuerySet[Problem], name: str, verdict: str) -> QuerySet[Problem]:
        answers = list_graded(self.submission)
        if verdict == MISSING:
            given = answers.values("submission").annotate(given=Count("pk"))
            return found.filter(~Exists(given.filter(given__gte=self.most_answers)))
        if verdict == WAITING:
            return found.filter(Exists(answers.exclude(status__in=DONE)))
        if verdict == Attempt.Status.FAILED:
            return found.filter(Exists(answers.filter(status=verdict)))
        is_so = Q(status=Attempt.Status.GRADED, graded__verdict=verdict)
        return found.filter(Exists(answers.filter(is_so)))

    def find_reason(self, found: QuerySet[Problem], name: str, reason: str) -> QuerySet[Problem]:
        answers = list_graded(self.submission)
        is_so = Q(status=Attempt.Status.GRADED, graded__reason=reason) | Q(failure_reason=reason)
        return found.filter(Exists(answers.filter(is_so)))
