"""What is asked of an author next, for each of their problems."""

from django.db.models import CharField, Count, Exists, F, IntegerField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from curation.problems.certificates.models import Certificate
from curation.problems.models import Problem, ProblemQuerySet
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import Status


def with_next_step(problems: ProblemQuerySet) -> ProblemQuerySet:
    """Add what `say_next_step` needs to know of each problem, in the same query."""
    certificates = Certificate.objects.filter(problem=OuterRef("pk")).order_by("-pk")
    rounds = ReviewRound.objects.open().filter(revision__problem=OuterRef("pk"))
    counted = rounds.annotate(count=Count("reviews__reviewer", distinct=True)).values("count")
    return problems.annotate(
        last_outcome=Coalesce(
            Subquery(certificates.values("outcome")[:1]), Value("NONE"), output_field=CharField()
        ),
        is_split=Exists(rounds.split()),
        reviews_given=Subquery(counted[:1], output_field=IntegerField()),
        reviews_needed=Subquery(rounds.annotate(n=F("reviews_needed")).values("n")[:1]),
    )


def say_next_step(problem: Problem) -> str:
    """Say it in a few words; "" where nothing is asked."""
    if problem.is_split:  # type: ignore[attr-defined]
        return _("wait: someone else decides, since its reviews do not settle it")
    if problem.status == Status.IN_REVIEW:
        return _("wait for reviewers: %(given)d of %(needed)d done") % {
            "given": problem.reviews_given,  # type: ignore[attr-defined]
            "needed": problem.reviews_needed,  # type: ignore[attr-defined]
        }
    if not problem.is_editable:
        return ""
    by_outcome = {
        "": _("wait: the grader tries its answer"),
        Certificate.Outcome.PASSED: _("submit it"),
        Certificate.Outcome.OPEN: _("confirm what could not be told, and submit it"),
        Certificate.Outcome.FAILED: _("fix its answer: the grader does not accept it"),
    }
    if problem.is_in_correction:
        return _("correct it: an error was found in the accepted text")
    if problem.status == Status.RETURNED:
        return _("revise it as the reviewers ask, and submit it again")
    outcome: str = problem.last_outcome  # type: ignore[attr-defined]
    return by_outcome.get(outcome, _("finish it, and submit it"))
