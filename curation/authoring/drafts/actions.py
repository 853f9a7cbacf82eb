"""What an author does to a draft: begin, save, certify, submit, withdraw, delete."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.authoring.drafts.example import is_example
from curation.authoring.drafts.missing import list_missing
from curation.authoring.drafts.models import SubmitRequest
from curation.authoring.translations import actions as translating
from curation.problems.benchmarks.models import Benchmark
from curation.problems.certificates import actions as certifying
from curation.problems.certificates.description import say_what_failed
from curation.problems.certificates.models import Certificate
from curation.problems.certificates.tasks import CERTIFYING
from curation.problems.checks import check
from curation.problems.declaring import declare_found
from curation.problems.models import Event, Problem, Revision
from curation.problems.people.models import Contribution, ContributionKind
from curation.problems.permissions import (
    can_delete,
    can_edit,
    can_name,
    can_submit,
    can_withdraw,
)
from curation.problems.similarity import list_similar
from curation.reviewing.assignments.staffing import settle_pipeline
from curation.reviewing.pipelines.models import Pipeline
from curation.reviewing.rounds.lifecycle import open_first
from curation.reviewing.rounds.models import Assignment, ReviewRound
from curation.texts.references.reference import SymbolRow
from curation.texts.schema import TEXTS
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow, Step, move
from phybench.pages.sentences import chain
from phybench.people.models import Language, User
from phybench.work.tasks import wake
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.rules import BrokenRule

OF_WHAT_IS_ACCEPTED = ("benchmark", "language")
"""What a correction leaves alone: the accepted revision is read and graded meanwhile."""


class RulesBroken(Exception):
    """A submission that can't be taken because of the rules it breaks."""

    def __init__(self, broken: list[BrokenRule]) -> None:
        super().__init__("; ".join(translate(rule.message) for rule in broken))
        self.broken = broken


class Incomplete(NotAllowedNow):
    """A submission that can't be taken before some fields are filled in."""

    def __init__(self, missing: list[tuple[str, str]]) -> None:
        super().__init__(" ".join(message for _field, message in missing))
        self.missing = missing


class NotCertified(NotAllowedNow):
    """A submission that its certificate, or the want of one, does not allow."""

    def __init__(self, message: str, certificate: Certificate | None) -> None:
        super().__init__(message)
        self.certificate = certificate


class Alike(NotAllowedNow):
    """A submission whose statement is much like others, which its author has not compared."""

    def __init__(self, revisions: list[Revision]) -> None:
        super().__init__(
            _(
                "Other problems resemble this one. Compare them below and confirm that "
                "this one is different."
            )
        )
        self.revisions = revisions


@transaction.atomic
def create_draft(
    *,
    author: User,
    benchmark: Benchmark,
    title: str,
    domain: str,
    difficulty: str,
    language: str = Language.EN,
    form_key: str = "",
    **texts: Any,
) -> Problem:
    """
    Begin a problem.

    Args:
        form_key: of the form it was typed into; sent twice, that begins one problem.
        texts: any of `TEXTS`, the draft's fields.
    """
    facts = {
        "benchmark": benchmark,
        "title": title,
        "domain": domain,
        "difficulty": difficulty,
        "language": language,
    }
    if form_key:
        problem, is_new = Problem.objects.get_or_create(
            author=author, form_key=form_key, defaults=facts
        )
        if not is_new:
            return problem
    else:
        problem = Problem.objects.create(author=author, **facts)
    revision = problem.revisions.create(number=1, **texts)
    revision.writers.add(author)
    Event.objects.create(
        problem=problem,
        revision=revision,
        actor=author,
        kind=Step.CREATE,
        to_status=move(Step.CREATE, None),
    )
    return problem


@transaction.atomic
def save_draft(*, problem: Problem, author: User, saved_at: str, **fields: Any) -> Revision:
    """
    Save the draft, beginning the next revision where the last one was submitted.

    Args:
        author: who writes, also one of its co-authors.
        saved_at: when the draft that the author started from had been saved (ISO 8601), or ""
            where there was none.
        fields: any of title, domain, difficulty, language, benchmark; and of `TEXTS`.

    Raises:
        NotAllowedNow: it is not the author's to edit now, or was saved elsewhere meanwhile.
    """
    problem = problem.locked()
    if not can_edit(author, problem):
        raise NotAllowedNow(_("This problem can't be edited now."))
    draft = problem.revisions.filter(submitted_at=None).first()
    if draft and holds(draft, problem, fields):
        return draft  # the same form sent twice, or saved without a change
    if (draft.saved_at.isoformat() if draft else "") != saved_at:
        raise NotAllowedNow(
            _(
                "This draft was saved in another window in the meantime. Your version "
                "below is not saved yet."
            )
        )
    stays = {name: fields.get(name, getattr(problem, name)) for name in OF_WHAT_IS_ACCEPTED}
    if problem.is_published and any(getattr(problem, name) != stays[name] for name in stays):
        raise NotAllowedNow(
            _(
                "The benchmark and the language of an accepted problem can’t be changed. "
                "Restore them."
            )
        )
    if draft is None:
        last = problem.revisions.latest("number")
        draft = Revision(problem=problem, number=last.number + 1)
        for name in TEXTS - {"reason"}:
            setattr(draft, name, getattr(last, name))
    for name, value in fields.items():
        setattr(draft if name in TEXTS else problem, name, value)
    problem.save()
    draft.save()
    draft.writers.add(author)
    # What its author asked to submit was the text before.
    SubmitRequest.objects.filter(problem=problem).end(SubmitRequest.Outcome.CHANGED)
    return draft


def holds(revision: Revision, problem: Problem, fields: dict[str, Any]) -> bool:
    """Whether a problem and its text are what a form says."""
    return all(
        _bare(name, getattr(revision if name in TEXTS else problem, name)) == _bare(name, value)
        for name, value in fields.items()
    )


def _bare(name: str, value: Any) -> Any:
    if name != "symbols":
        return value
    # A row that says nothing comes by itself when the draft is tried.
    rows = (SymbolRow.read(row) for row in value)
    return [row for row in rows if not row.says_nothing]


def _ready_draft(problem: Problem, author: User) -> Revision:
    """Return the draft, once it is complete and keeps the rules; raise as `submit` does."""
    draft = problem.revisions.filter(submitted_at=None).first()
    if draft is None or not can_edit(author, problem):
        raise NotAllowedNow(_("There is no draft of this problem to submit now."))
    if missing := list_missing(draft, problem):
        raise Incomplete(missing)
    if is_example(draft.statement):
        raise NotAllowedNow(
            _("This is the worked example. Replace its statement and its answer with your own.")
        )
    checked = check(
        draft.answer,
        draft.statement,
        solution=draft.solution,
        rows=draft.symbol_rows,
        wanted=draft.wanted,
        exact=draft.exact,
    )
    if checked.broken:
        raise RulesBroken(checked.broken)
    declare_found(draft, checked)
    return draft


@transaction.atomic
def certify_draft(*, problem: Problem, author: User, again: bool = False) -> Certificate:
    """
    Have the worker certify the draft's answer, unless that is done or under way.

    Args:
        again: whether to try once more what could not be told.

    Raises:
        RulesBroken, NotAllowedNow: it could not be submitted anyway, as `submit` says.
    """
    problem = problem.locked()
    return _have_certified(problem, _ready_draft(problem, author), again=again)


def _hold_to_submit(problem: Problem, author: User) -> tuple[Problem, Revision]:
    """Hold a problem with its draft, once that can be submitted; raise as `submit` does."""
    problem = problem.locked()
    if can_edit(author, problem) and not can_submit(author, problem):
        if can_name(author, problem):
            raise NotAllowedNow(_("The draft is saved. Only a contributor can submit it."))
        raise NotAllowedNow(_("The draft is saved. Only its author can submit it."))
    return problem, _ready_draft(problem, author)


@transaction.atomic
def prepare(*, problem: Problem, author: User, different_from: Collection[int] = ()) -> Certificate:
    """
    Return the certificate of a draft that is to be submitted, begun if there is none yet.

    Raises:
        Alike: there are problems much like it that are not in `different_from`.
        RulesBroken, NotAllowedNow: as `submit` says.
    """
    problem, draft = _hold_to_submit(problem, author)
    _tell_apart(problem, draft, author, different_from)
    return _have_certified(problem, draft)


def _have_certified(problem: Problem, draft: Revision, *, again: bool = False) -> Certificate:
    certificate = certifying.find(problem, draft.reference)
    is_open = certificate is not None and certificate.outcome == Certificate.Outcome.OPEN
    if certificate is None or (again and is_open):
        certificate = certifying.begin(problem, draft.reference)
        wake(CERTIFYING, [certificate])
    return certificate


@transaction.atomic
def submit(
    *,
    problem: Problem,
    author: User,
    confirmed: int | None = None,
    different_from: Collection[int] = (),
    needs_certificate: bool = True,
    pipeline: Pipeline | None = None,
) -> ReviewRound:
    """
    Freeze the draft and open the first round of review that it has yet to pass.

    Args:
        confirmed: the certificate whose open cases the author has confirmed to have looked at.
        different_from: the problems much like this one that the author has compared with it.
        needs_certificate: False for what is made in bulk; the history then says that it has none
            yet, and `manage.py certify` makes it later. Nor is it compared with others.
        pipeline: the stages to pass, where they are not those of the benchmark.

    Raises:
        RulesBroken: the grader could not grade against this reference; each rule says why.
        NotCertified: its certificate is missing, not finished or not green.
        Alike: there are problems much like it that are not in `different_from`.
        NotAllowedNow: there is no draft to submit, nothing in it to review, or it is another's.
    """
    problem, draft = _hold_to_submit(problem, author)
    if needs_certificate:
        said = [_rely_on(certifying.find(problem, draft.reference), confirmed)]
        said += _tell_apart(problem, draft, author, different_from)
    else:
        said = [Sentence("not_certified")]
    draft.submitted_at = timezone.now()
    draft.save()
    message = chain("followed", said)
    problem.take_step(Step.SUBMIT, revision=draft, actor=author, message=message)
    if _was_returned(draft):
        Contribution.objects.record(ContributionKind.REVISED, draft.writers.all(), draft)
    translating.take_over(draft)
    return open_first(draft, pipeline or settle_pipeline(problem.benchmark))


def _was_returned(draft: Revision) -> bool:
    """Whether reviewers asked for it: to withdraw and submit again is no revision."""
    before = ReviewRound.objects.filter(
        revision__problem=draft.problem_id, revision__number__lt=draft.number
    )
    # Of several rounds over one revision the last one decided.
    last = before.order_by("-revision__number", "-number").first()
    return last is not None and last.decision == Step.RETURN


def _rely_on(certificate: Certificate | None, confirmed: int | None) -> Sentence:
    """Return what the history says of the certificate; raise `NotCertified` if it won't do."""
    if certificate is None or not certificate.is_finished:
        message = _("Its answer is not checked yet. Have it checked, and submit it then.")
        raise NotCertified(message, certificate)
    if certificate.outcome == Certificate.Outcome.FAILED:
        raise NotCertified(say_what_failed(certificate), certificate)
    figures = {
        "number": str(certificate.pk),
        "passed": str(certificate.passed),
        "cases": str(len(certificate.rows)),
    }
    if certificate.outcome == Certificate.Outcome.PASSED:
        return Sentence.of("certified", **figures)
    if confirmed != certificate.pk:
        message = _("Some cases are undecided. Try them again, or confirm them below.")
        raise NotCertified(message, certificate)
    confirmation = Sentence("confirmation")
    return Sentence.of("certified_and_confirmed", **figures, confirmation=confirmation)


def _tell_apart(
    problem: Problem, draft: Revision, author: User, different_from: Collection[int]
) -> list[Sentence]:
    """Return what the history says of problems like this one; raise `Alike` if some are new."""
    alike = list_similar(problem, draft.statement, seen_by=author)
    if any(other.problem_id not in different_from for other in alike):
        raise Alike(alike)
    if not alike:
        return []
    compared = ", ".join(other.problem.identifier for other in alike)
    return [Sentence.of("compared", problems=compared)]


@transaction.atomic
def withdraw(*, problem: Problem, author: User) -> None:
    """Take a submitted problem back before its round has decided."""
    problem = problem.locked()
    if not can_withdraw(author, problem):
        raise NotAllowedNow(_("This problem is not in review, so it can't be withdrawn."))
    review_round = ReviewRound.objects.open().get(revision__problem=problem)
    review_round.closed_at = timezone.now()
    review_round.decision = Step.WITHDRAW
    review_round.save()
    Assignment.objects.filter(round=review_round).end()
    problem.take_step(Step.WITHDRAW, revision=review_round.revision, actor=author)


@transaction.atomic
def delete_draft(*, problem: Problem, author: User) -> None:
    """Delete a problem that was never submitted."""
    problem = problem.locked()
    if not can_delete(author, problem) or problem.revisions.submitted().exists():
        raise NotAllowedNow(_("Only a draft that was never submitted can be deleted."))
    problem.delete()
