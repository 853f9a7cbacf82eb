"""Splits: where reviews differ, one beside its answer, and what somebody decides."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import place_at
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.exposures.models import could_know_key
from curation.problems.fields import ReasonForm
from curation.problems.interests import say_no_finding
from curation.reviewing.agreement.actions import adjudicate, count_heard, reject_all
from curation.reviewing.agreement.evidence import fetch_voices, list_disagreements
from curation.reviewing.agreement.filters import DisagreementFilter
from curation.reviewing.agreement.forms import DecisionForm
from curation.reviewing.assignments.permissions import (
    Prospects,
    count_assignable,
    list_stuck,
)
from curation.reviewing.decisions import interests
from curation.reviewing.decisions.permissions import (
    can_adjudicate,
    can_skip_stages,
    list_to_decide,
    was_shown_split,
)
from curation.reviewing.pipelines.models import VersionQuestion
from curation.reviewing.reviews.summary import Voice
from curation.reviewing.rounds.models import ReviewRound, RoundDisagreement
from curation.reviewing.rounds.permissions import Eligibility, can_open
from curation.texts.review_kinds import find_kind
from curation.texts.workflow import NotAllowedNow, SolveOutcome, Step
from phybench.pages.csv import csv_response
from phybench.pages.listing import Column, Listing, ListPage, by_index
from phybench.people import permissions
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, read_numbers, role_required
from phybench.people.models import Role
from phybench.work import sandbox
from phybench_grader import JudgeError
from phybench_grader.verdict.declarations import Undeclarable
from phybench_grader.verdict.values import compare_values

MOST_AT_ONCE = 100
"""Problems that are rejected by one click."""

SHOWN = (Part.STATEMENT, Part.ANSWER)
"""Of the revision, on the page on which a split is decided."""

# One looks for what is far apart: the first click puts it on top.
COLUMNS: list[Column[RoundDisagreement]] = [
    Column("problem", gettext_lazy("Problem")),
    Column("stage", gettext_lazy("Stage")),
    Column("reviews", gettext_lazy("Reviews")),
    *(
        Column(name, label, by_index(name, "round", begins_descending=True), is_number=True)
        for name, label in (
            ("recommendations", gettext_lazy("Recommendations")),
            ("answers", gettext_lazy("Answers")),
            ("solves", gettext_lazy("Solves")),
            ("total", gettext_lazy("Sum")),
        )
    ),
    Column(
        "opened",
        gettext_lazy("Opened"),
        by_index("round__opened_at", "round", begins_descending=True),
    ),
    Column("adjudicated", gettext_lazy("Decisions"), is_number=True),
]


class Splits(Listing[RoundDisagreement]):
    """The rounds whose reviews differ; as a file, what each reviewer said in them."""

    def describe(self) -> dict[str, Any]:
        described = super().describe()
        shown = [one.round_id for one in described["page"]]
        rejected = list_to_decide(
            self.request.user,  # type: ignore[arg-type]
            ReviewRound.objects.rejected_by_all().filter(pk__in=shown),
        )
        return {**described, "rejected": set(rejected.values_list("pk", flat=True))}

    def write(self, name: str, more: Iterable[Iterable[object]] = ()) -> HttpResponse:
        """Write what was said under letters instead of names."""
        header = ["problem", "title", "domain", "revision", "stage", "decision", "disagreement"]
        header += ["recommendations", "answers", "solves", "adjudications", "reviewer"]
        header += ["recommendation", "answers_given", "comment", "solve", "solved_with"]
        listed = list(self.rows)
        voices = fetch_voices([one.round for one in listed])
        ledger.write(self.request.user, Reason.ADJUDICATE, _list_solved(listed, voices))  # type: ignore[arg-type]
        rows = (
            [*told, *_write_voice(voice)]
            for one in listed
            for told in [_write_round(one)]
            for voice in voices[one.round_id]
        )
        return csv_response(name, header, chain(rows, more))


def _list(request: MemberRequest, slug: str) -> Splits:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    found = list_disagreements().filter(round__revision__problem__benchmark=benchmark)
    filters = DisagreementFilter(request.GET, found)
    return Splits(
        request,
        filters.qs,
        COLUMNS,
        default="-total",
        filters=filters,
        keeps={"show": "splits"},
    )


splits = role_required(Role.ADMIN)(ListPage(_list, "curation/splits.html", file="disagreements"))


@role_required(Role.ADMIN)
@require_POST
def reject(request: MemberRequest, slug: str) -> HttpResponse:
    """Ask why, once for all that were ticked, and then reject what all their reviewers reject."""
    numbers = read_numbers(request.POST.getlist("round"), MOST_AT_ONCE)
    chosen = ReviewRound.objects.rejected_by_all().of_benchmark(slug).filter(pk__in=numbers)
    related = ("revision__problem__benchmark", "version")
    rounds = list(list_to_decide(request.user, chosen).select_related(*related).order_by("pk"))
    back = redirect(reverse("curation:queue", args=[slug]) + "?show=splits&state=split")
    if not rounds:
        messages.info(request, _("Tick a problem that all its reviewers reject."))
        return back
    form = ReasonForm(request, help_text=_("The authors read it. Formulas as $…$."))
    if not form.is_valid():
        return render(request, "curation/reject.html", {"rounds": rounds, "form": form})
    done = reject_all(rounds=rounds, admin=request.user, reason=form.cleaned_data["reason"])
    text = ngettext("%(count)d problem is rejected.", "%(count)d problems are rejected.", len(done))
    messages.success(request, text % {"count": len(done)})
    if left := len(rounds) - len(done):
        text = ngettext(
            "%(count)d was left out: it was decided, or reviewed otherwise, in the meantime.",
            "%(count)d were left out: they were decided, or reviewed otherwise, in the meantime.",
            left,
        )
        messages.warning(request, text % {"count": left})
    return back


def _list_solved(
    listed: Iterable[RoundDisagreement], voices: Mapping[int, list[Voice]]
) -> Iterator[tuple[int, Part]]:
    """List the revisions of which somebody's right answer is told: it is as good as the key."""
    for one in listed:
        solves = [voice.solve for voice in voices[one.round_id]]
        if any(solve and solve.outcome == SolveOutcome.AGREES for solve in solves):
            yield one.round.revision_id, Part.ANSWER


def _write_round(one: RoundDisagreement) -> list[object]:
    problem = one.round.revision.problem
    return [
        problem.identifier,
        problem.title,
        problem.domain,
        one.round.revision.number,
        one.round.version.title,
        one.round.decision or "OPEN",
        *("" if part is None else f"{part:.1f}" for part in one.parts.values()),
        one.adjudicated,  # type: ignore[attr-defined]
    ]


def _write_voice(voice: Voice) -> list[object]:
    review, solve = voice.review, voice.solve
    return [
        voice.name,
        review.recommendation if review else "",
        "; ".join(f"{question} {answer}" for question, answer in voice.answers),
        review.comment if review else "",
        solve.outcome if solve else "",
        solve.answer if solve else "",
    ]


@never_cache
@role_required(Role.REVIEWER)
@require_http_methods(["GET", "POST"])
def decide(request: MemberRequest, pk: int) -> HttpResponse:
    """
    Show what was said in a round beside its answer; take what somebody makes of it.

    To a reviewer only where they are to decide it, and once they have asked for the answer; who was
    shown it comes back to the page, though somebody else decides or has.
    """
    rounds = ReviewRound.objects.select_related(
        "revision__problem__author",
        "revision__problem__benchmark",
        "version__stage",
        "disagreement",
        "decided_by",
    )
    review_round = get_object_or_404(rounds, pk=pk)
    problem = review_round.revision.problem
    place_at(request, problem.benchmark_id)
    is_admin = permissions.is_admin(request.user)
    may_say = can_adjudicate(request.user, review_round)
    if not is_admin and not may_say and not was_shown_split(request.user, review_round):
        # Whoever was to decide it may come too late.
        was_theirs = review_round.decided_by_id is not None and review_round.was_split
        if not was_theirs or not can_open(request.user, review_round):
            raise Http404
        messages.info(request, _("That stage is closed."))
        return redirect(review_round.get_queue_url())
    if not is_admin and not could_know_key(request.user, problem):
        if "show" not in request.POST:
            ledger.record(request.user, Reason.READ, review_round.revision)
            told = {"review_round": review_round, "problem": problem}
            return render(request, "curation/decide.html", told)
        ledger.record(request.user, Reason.ADJUDICATE, review_round.revision, parts=SHOWN)
        return redirect("curation:decide", pk)
    is_stuck = bool(list_stuck(ReviewRound.objects.filter(pk=pk)))
    prospects = Prospects([review_round])
    known = list(review_round.adjudications.select_related("by").order_by("number"))
    form = DecisionForm(
        request.POST if request.method == "POST" else None,
        review_round=review_round,
        is_last=prospects.is_last(review_round),
        may_skip=can_skip_stages(request.user),
        left=count_assignable(review_round) if review_round.was_split else 0,
        smaller=prospects.find_smaller(review_round) if is_stuck else None,
        initial={"known": len(known), "heard": count_heard(review_round)},
    )
    sent = request.POST.get("step"), request.POST.get("reason", "").strip()
    if any(one.by == request.user and (one.step, one.reason) == sent for one in known):
        return _leave(request, review_round, sent[0] or "")  # the same form, sent twice
    if (is_admin or may_say) and form.is_valid():
        said = {"step": "", **form.cleaned_data}
        with form_says_why_not(form, NotAllowedNow):
            adjudicate(review_round=review_round, admin=request.user, **said)
            return _leave(request, review_round, said["step"])
        review_round = rounds.get(pk=pk)
        may_say = can_adjudicate(request.user, review_round)
    ledger.record(request.user, Reason.ADJUDICATE, review_round.revision, parts=SHOWN)
    voices = fetch_voices([review_round])[review_round.pk]
    if "values" in request.GET:
        return _show_values(request, review_round, voices)
    context = {
        "is_shown": True,
        "is_admin": is_admin,
        "is_stuck": is_stuck,
        "barred_by": Eligibility([review_round], [request.user]).list_obstacles(
            review_round, request.user
        ),
        "may_say": may_say,
        "review_round": review_round,
        "problem": problem,
        "adjudications": known,
        "form": form,
        "why_not": _say_why_not(request, review_round) if is_admin and not may_say else "",
        "voices": voices,
        "questions": [
            (asked, [(one.name, _say_given(one, asked)) for one in voices])
            for asked in review_round.questions
        ],
    }
    return render(request, "curation/decide.html", context)


def _leave(request: MemberRequest, review_round: ReviewRound, step: str) -> HttpResponse:
    """Say to who has just decided a round, or noted something of it, what came of that."""
    if not step:
        said = _("Noted. Nothing is decided yet.")
    elif step == Step.ASK:
        said = _("One more person is asked. You decide again if that does not settle it.")
    elif step == Step.SHRINK:
        said = _("It goes on with fewer reviews. The history says so.")
    elif review_round.was_split:
        said = _("Decided. Your reason is in the history.")
    else:
        said = _("Decided instead of the reviewers. The history says so.")
    messages.success(request, said)
    if not permissions.is_admin(request.user):
        return redirect(review_round.get_queue_url())
    return redirect(review_round.revision.problem) if step else redirect(request.path)


def _show_values(
    request: MemberRequest, review_round: ReviewRound, voices: list[Voice]
) -> HttpResponse:
    """Show what one reviewer's answer and the reference come to at a few points."""
    solves = [one.solve for one in voices if one.solve and one.name == request.GET["values"]]
    if not solves or not solves[0].answer:
        raise Http404
    reference = review_round.revision.reference
    try:
        values = sandbox.run(
            compare_values,
            solves[0].answer,
            reference.answer,
            declared=reference.question,
            deadline=settings.RULING_DEADLINE_SECONDS,
        )
    except (JudgeError, Undeclarable, sandbox.Stopped):
        return render(request, "curation/_values.html", {})
    return render(request, "curation/_values.html", {"points": values.points})


def _say_why_not(request: MemberRequest, review_round: ReviewRound) -> str:
    """Say why an admin adds nothing, and who decides instead while it is open."""
    if review_round.closed_at is None:
        return interests.say_who_decides(request.user, review_round.revision.problem)
    return say_no_finding(request.user, review_round.revision.problem)


def _say_given(voice: Voice, asked: VersionQuestion) -> str:
    given = voice.review.answers.get(asked.key) if voice.review else None
    return "" if given is None else find_kind(asked.kind).say(given)
