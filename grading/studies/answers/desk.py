"""Answers that could not be graded, and problems that a participant may answer."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from curation.versions import permissions
from grading.answers.models import Attempt
from grading.answers.permissions import list_own_answers
from grading.studies.sessions.permissions import list_problems_of_studies
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines, desk_sentences
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_failed(user: User) -> Iterator[Line]:
    """Tell of answers that we could not grade; those of withdrawn submissions wait no more."""
    return count_line(
        Attempt.objects.filter(status=Attempt.Status.FAILED, submission__withdrawn_at=None),
        "queued_at",
        Urgency.NOW,
        ngettext_lazy(
            "%(count)d answer could not be graded.",
            "%(count)d answers could not be graded.",
            "count",
        ),
        ngettext_lazy("See which one", "See which ones", "count"),
        reverse("grading:submissions"),
    )


@desk_lines(Role.PARTICIPANT)
def list_to_answer(user: User) -> Iterator[Line]:
    """Tell of problems that somebody may answer outside of studies, and has not."""
    answered = list_own_answers(user).values("revision__problem")
    closed = list_problems_of_studies(user)
    return count_line(
        permissions.list_to_answer(user).exclude(pk__in=answered).exclude(pk__in=closed),
        "accepted_at",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d problem is open for you to answer.",
            "%(count)d problems are open for you to answer.",
            "count",
        ),
        _("Answer a problem"),
        reverse("grading:to_answer"),
    )


@desk_sentences(Role.PARTICIPANT)
def say_how_answering_goes(user: User) -> Iterator[str]:
    count = list_own_answers(user).count()
    text = ngettext(
        "You have answered %(count)d problem.", "You have answered %(count)d problems.", count
    )
    yield text % {"count": count}
