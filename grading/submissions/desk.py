"""What became of answers that an evaluator's organisations submitted."""

from collections.abc import Iterator

from django.db.models import Count, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.answers.tallies.models import SubmissionTally
from grading.solvers.permissions import list_hand_in_for
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, SetupStep, Urgency
from phybench.news.desks.registry import desk_lines, desk_sentences, setup_steps
from phybench.people.models import Role, User


def _list_own(user: User) -> QuerySet[Submission]:
    organisations = list_hand_in_for(user)
    return Submission.objects.filter(solver__organisation__in=organisations, withdrawn_at=None)


@desk_lines(Role.EVALUATOR)
def list_failed(user: User) -> Iterator[Line]:
    return count_line(
        Attempt.objects.filter(submission__in=_list_own(user), status=Attempt.Status.FAILED),
        "queued_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d of your answers could not be graded, for a reason of ours.",
            "%(count)d of your answers could not be graded, for reasons of ours.",
            "count",
        ),
        ngettext_lazy("See which one", "See which ones", "count"),
        reverse("grading:submissions"),
    )


@desk_lines(Role.EVALUATOR)
def list_results(user: User) -> Iterator[Line]:
    """Tell of submissions of which all is graded, and a grade is newer than one's last news."""
    found = _list_own(user).filter(tally__waiting=0, tally__graded_at__gt=user.news_read_at)
    return count_line(
        found,
        "tally__graded_at",
        Urgency.NEWS,
        ngettext_lazy(
            "The results of %(count)d submission are in.",
            "The results of %(count)d submissions are in.",
            "count",
        ),
        _("See the results"),
        reverse("grading:submissions"),
    )


@desk_sentences(Role.EVALUATOR)
def say_how_grading_goes(user: User) -> Iterator[str]:
    counts = SubmissionTally.objects.filter(submission__in=_list_own(user)).aggregate(
        waiting=Sum("waiting"), graded=Sum("graded"), submissions=Count("pk")
    )
    if not counts["submissions"]:
        yield _(
            "Submit a model’s answers as a file: every answer is graded, and each grade says why."
        )
        return
    text = ngettext(
        "Answers graded in %(count)d submission: %(graded)d.",
        "Answers graded in %(count)d submissions: %(graded)d.",
        counts["submissions"],
    )
    yield text % {"graded": counts["graded"], "count": counts["submissions"]}
    if waiting := counts["waiting"]:
        text = ngettext(
            "%(count)d answer is being graded.", "%(count)d answers are being graded.", waiting
        )
        yield text % {"count": waiting}


def put_on_board(slug: str) -> SetupStep:
    on_board = Submission.objects.filter(benchmark__slug=slug, withdrawn_at=None)
    published = on_board.exclude(published_at=None).exists()
    waiting = 0 if published else on_board.filter(published_at=None).count()
    state = _("Upload a file of answers, or run a model here.")
    if waiting:
        text = ngettext(
            "%(count)d submission is not on the board yet.",
            "%(count)d submissions are not on the board yet.",
            waiting,
        )
        state = text % {"count": waiting}
    return SetupStep(
        6,
        _("Put a first model on the board"),
        lambda: _("Done.") if published else state,
        published,
        _("Next: put a first model on the board."),
        _("See the submissions") if waiting else _("Add a model"),
        reverse("grading:submissions") if waiting else reverse("grading:upload"),
    )


setup_steps[6] = put_on_board
