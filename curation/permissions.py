"""Who may do and see what of a problem. One place; views and templates ask here."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from curation.errors.models import ErrorReport, ErrorReportQuerySet
from curation.exposures.models import Exposure, has_seen_key
from curation.people.models import Credit
from curation.problems.models import Problem, ProblemQuerySet, Revision, RevisionQuerySet
from curation.reviewing.discussion.models import KEY_PARTS, Comment, Thread
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.workflow import Status
from phybench.models import Role, User

CLOSED = frozenset({Status.REJECTED, Status.RETIRED})
"""Nobody will read these any more, in whichever language."""


def is_writer(user: User, problem: Problem) -> bool:
    """Tell whether `user` writes this problem, as its author or as a co-author."""
    return problem.author_id == user.pk or any(
        credit.person_id == user.pk and credit.is_current and credit.role == Credit.Role.CO_AUTHOR
        for credit in problem.credits.all()
    )


def had_part(user: User, problem: Problem) -> bool:
    """
    Tell whether `user` is the author, or was ever named on the problem.

    Whoever had a part knows more of it than its statement: they neither review nor answer it,
    though their name was taken off again.
    """
    return problem.author_id == user.pk or any(
        credit.person_id == user.pk for credit in problem.credits.all()
    )


def is_translator(user: User, problem: Problem, language: str = "") -> bool:
    """Tell whether `user` is the one to translate this problem, into `language` if one is given."""
    return any(
        credit.person_id == user.pk
        and credit.is_current
        and credit.role == Credit.Role.TRANSLATOR
        and language in ("", credit.language)
        for credit in problem.credits.all()
    )


def can_translate(user: User, problem: Problem, language: str) -> bool:
    """Tell whether `user` may write the translation; that it isn't checked is the action's part."""
    return problem.status not in CLOSED and is_translator(user, problem, language)


def can_see_translations(user: User, problem: Problem) -> bool:
    """Tell whether `user` may see translations that nobody has checked yet."""
    return (
        user.has_role(Role.ADMIN)
        or is_writer(user, problem)
        or (is_translator(user, problem) and problem.status != Status.DRAFT)
    )


def can_check_translation(user: User, problem: Problem, language: str) -> bool:
    """
    Tell whether `user` may say that a translation is right.

    That is for those who answer for the problem, or an admin, and for nobody who had a hand in it.
    """
    if not user.has_role(Role.ADMIN) and not is_writer(user, problem):
        return False
    wrote = user.translations.filter(revision__problem=problem, language=language)
    return not is_translator(user, problem, language) and not wrote.exists()


def can_assign_translator(user: User, problem: Problem) -> bool:
    is_theirs = problem.author_id == user.pk or user.has_role(Role.ADMIN)
    return is_theirs and problem.status not in CLOSED


def can_edit(user: User, problem: Problem) -> bool:
    return problem.is_editable and (is_writer(user, problem) or can_correct(user, problem))


def can_correct(user: User, problem: Problem) -> bool:
    """Tell whether `user` may write a correction for its author, whom not every problem has."""
    return user.has_role(Role.ADMIN) and problem.is_in_correction


def list_to_write(user: User) -> ProblemQuerySet:
    """Return all problems that `user` writes: their own, and what an admin may correct."""
    if not user.has_role(Role.ADMIN):
        return Problem.objects.of(user)
    in_correction = Q(accepted_revision__isnull=False, status=Status.RETURNED)
    return Problem.objects.filter(in_correction | Q(pk__in=Problem.objects.of(user).values("pk")))


def can_submit(user: User, problem: Problem) -> bool:
    """Tell whether `user` may submit it: its author alone, but for a correction."""
    return can_name(user, problem) or (problem.is_editable and can_correct(user, problem))


def can_name(user: User, problem: Problem) -> bool:
    """Tell whether `user` may say whose work it is: its author alone."""
    return problem.author_id == user.pk and problem.is_editable


def can_withdraw(user: User, problem: Problem) -> bool:
    return problem.author_id == user.pk and problem.status == Status.IN_REVIEW


def can_delete(user: User, problem: Problem) -> bool:
    """Tell whether this is a draft of the user's own; `delete_draft` asks the database the rest."""
    return problem.author_id == user.pk and problem.status == Status.DRAFT


def can_remove(user: User, credit: Credit) -> bool:
    """Tell whether `user` may take a name off: their own always, others' where they may name."""
    if not credit.is_current:
        return False
    if credit.role == Credit.Role.TRANSLATOR and can_assign_translator(user, credit.problem):
        return True
    return credit.person_id == user.pk or can_name(user, credit.problem)


def can_review(user: User, review_round: ReviewRound) -> bool:
    """Tell whether `user` may review this round; that they haven't yet is the query's part."""
    return (
        user.has_role(Role.REVIEWER)
        and review_round.closed_at is None
        and not had_part(user, review_round.revision.problem)
        and ReviewRound.objects.reviewable_by(user).filter(pk=review_round.pk).exists()
    )


def can_override(user: User, review_round: ReviewRound) -> bool:
    """Tell whether `user` may decide this round instead of its rule."""
    return list_to_decide(user).filter(pk=review_round.pk).exists()


def list_to_decide(user: User) -> ReviewRoundQuerySet:
    """Return all rounds that `user` may decide instead of their rule."""
    return _list_to_adjudicate(user).open()


def can_adjudicate(user: User, review_round: ReviewRound) -> bool:
    """
    Tell whether `user` may say what a disagreement comes to.

    Never where they had a part, nor where they are in conflict: `interests` says who can instead.
    """
    return _list_to_adjudicate(user).filter(pk=review_round.pk).exists()


def _list_to_adjudicate(user: User) -> ReviewRoundQuerySet:
    if not user.has_role(Role.ADMIN):
        return ReviewRound.objects.none()
    return ReviewRound.objects.without_part_of(user).without_conflict(user)


def can_see_statement(user: User, problem: Problem) -> bool:
    """Accepted problems are there to be solved; others are their writers' and reviewers'."""
    if problem.is_published:
        return True
    if user.has_role(Role.ADMIN) or is_writer(user, problem):
        return True
    is_called = user.has_role(Role.REVIEWER) or is_translator(user, problem)
    return is_called and problem.status != Status.DRAFT


def list_visible(user: User) -> ProblemQuerySet:
    """Return all problems whose statement `user` may see, as `can_see_statement` tells of one."""
    if user.has_role(Role.ADMIN):
        return Problem.objects.all()
    visible = Q(accepted_revision__isnull=False)
    visible |= Q(pk__in=Problem.objects.of(user).values("pk"))
    if user.has_role(Role.REVIEWER):
        visible |= ~Q(status=Status.DRAFT)
    else:
        translated = user.credits.of_translators().values("problem")
        visible |= ~Q(status=Status.DRAFT) & Q(pk__in=translated)
    return Problem.objects.filter(visible)


def list_readable_revisions(user: User) -> RevisionQuerySet:
    """
    Return all texts that `user` may read, of the problems that they may see at all.

    What the writers have not submitted is theirs and the admins' alone. What they have replaced is
    for who may see the key, as `can_see_key` tells: to others a correction is secret until it is
    accepted.
    """
    if user.has_role(Role.ADMIN):
        return Revision.objects.all()
    theirs = Q(problem__author=user) | Q(problem__in=user.credits.of_co_authors().values("problem"))
    translated = Q(problem__in=user.credits.of_translators().values("problem"))
    with_key = translated & ~Q(problem__status=Status.DRAFT)
    if user.has_role(Role.REVIEWER):
        seen = Exposure.objects.of_key().filter(person=user).values("revision__problem")
        reviewed = Q(problem__status=Status.IN_REVIEW, problem__in=seen)
        with_key |= reviewed & ~Q(problem__in=user.credits.values("problem"))
    current = Q(Exists(Revision.objects.current().filter(pk=OuterRef("pk"))))
    return Revision.objects.filter(theirs | (with_key & Q(submitted_at__isnull=False)) | current)


def choose_readable(
    user: User, problem: Problem, rounds: Iterable[ReviewRound]
) -> list[ReviewRound]:
    """
    Return those of a problem's rounds whose reviews and solves `user` may read.

    They could sway those to come. Writers read them once the round is closed. Reviewers as well,
    and some rounds show them to whoever has reviewed; but nobody who may still be the next to
    review the problem reads any.
    """
    if user.has_role(Role.ADMIN):
        return list(rounds)
    closed = [one for one in rounds if one.closed_at is not None]
    if is_writer(user, problem):
        return closed
    # Who has another part in it, as a translator, is no judge of it.
    if had_part(user, problem) or not can_see_key(user, problem) or is_asked(user, problem):
        return []
    own = set(user.reviews.filter(round__revision__problem=problem).values_list("round", flat=True))
    return [one for one in rounds if one in closed or (one.shows_others_early and one.pk in own)]


def can_see_stages(user: User, problem: Problem) -> bool:
    """Tell whether `user` may see how far the problem has come in review, without any verdict."""
    return (
        user.has_role(Role.ADMIN) or user.has_role(Role.REVIEWER) or is_writer(user, problem)
    ) and problem.status != Status.DRAFT


def is_asked(user: User, problem: Problem) -> bool:
    """
    Tell whether `user` may still be the next to review this problem.

    That somebody else is assigned, or they are in conflict, may change before the round closes.
    """
    return (
        user.has_role(Role.REVIEWER)
        and ReviewRound.objects.unreviewed_by(user).filter(revision__problem=problem).exists()
    )


def can_see_notes(user: User, problem: Problem) -> bool:
    """Tell whether `user` may read what the history says of each step, verdicts and all."""
    if user.has_role(Role.ADMIN) or is_writer(user, problem):
        return True
    return can_see_key(user, problem) and not is_asked(user, problem)


def can_see_key(user: User, problem: Problem) -> bool:
    """
    Tell whether `user` may see the reference answer and the solution.

    A reviewer sees those of what is in review once their review page has shown them: until then
    they may be the one to solve it blind. A translator sees those of what was submitted. Once it is
    accepted the key is for its writers, its translators and admins: everybody else may come to
    answer it, or to hand in a model's answers.
    """
    if user.has_role(Role.ADMIN) or is_writer(user, problem):
        return True
    # Somebody who only had the idea has no review to give, so nothing to compare.
    return _reviews(user, problem) or (
        is_translator(user, problem) and problem.status != Status.DRAFT
    )


def _reviews(user: User, problem: Problem) -> bool:
    return (
        user.has_role(Role.REVIEWER)
        and problem.status == Status.IN_REVIEW
        and not had_part(user, problem)
        and has_seen_key(user, problem)
    )


def may_answer(user: User, revision: Revision) -> bool:
    """
    Tell whether `user` may answer for the human baseline; who has seen the key may not.

    Nor does anybody while it is being corrected: there is one try, and it may be for nothing.
    """
    return (
        user.has_role(Role.PARTICIPANT)
        and revision.problem.status == Status.ACCEPTED
        and not had_part(user, revision.problem)
        and not has_seen_key(user, revision.problem)
    )


def list_to_answer(user: User) -> ProblemQuerySet:
    """Return all problems that a participant may answer, as `may_answer` tells of one."""
    seen = Exposure.objects.of_key().filter(person=user).values("revision__problem")
    return Problem.objects.filter(status=Status.ACCEPTED).without_part_of(user).exclude(pk__in=seen)


def can_export_key(user: User, problem: Problem) -> bool:
    """Tell whether answer and solution may leave with `user`: its writers and admins alone."""
    return user.has_role(Role.ADMIN) or is_writer(user, problem)


def can_report(user: User, problem: Problem) -> bool:
    """Tell whether `user` may report an error: whoever reads what is accepted and in use."""
    return problem.is_published and problem.status != Status.RETIRED


def list_reports(user: User) -> ErrorReportQuerySet:
    """Return the error reports that `user` may read, and so take part in."""
    reports = ErrorReport.objects.all()
    return reports if user.has_role(Role.ADMIN) else reports.readable_by(user)


def list_reports_on(user: User, problem: Problem) -> ErrorReportQuerySet:
    """Return those on one problem, of which it is known already who writes it."""
    reports = ErrorReport.objects.filter(revision__problem=problem)
    if user.has_role(Role.ADMIN) or is_writer(user, problem):
        return reports
    return reports.of_reader(user)


TALKING = frozenset({Status.IN_REVIEW, Status.RETURNED})
"""While a problem stands so, what is said of it can still change it."""


def can_comment(user: User, review_round: ReviewRound, part: str) -> bool:
    """Tell whether `user` may raise a matter in this round: of the key only who may see it."""
    return can_review(user, review_round) and (
        part not in KEY_PARTS or can_see_key(user, review_round.revision.problem)
    )


def choose_comments(user: User, problem: Problem, comments: Iterable[Comment]) -> list[Comment]:
    """
    Return those of a problem's comments that `user` may read.

    Others' are read when the reviews of the round they were written in may be. What the problem's
    writers answer a reviewer is no verdict: they read it in their own threads though they are asked
    again, once they have seen the key. Comments on the key are for who may see it.
    """
    shows_key = can_see_key(user, problem)
    found = [one for one in comments if shows_key or one.thread.part not in KEY_PARTS]
    rounds = {one.round for one in found}
    # Nor does an admin who reviews begin with what others said.
    readable = set() if is_asked(user, problem) else {*choose_readable(user, problem, rounds)}
    writers = {one.writer for one in found if is_writer(one.writer, problem)}
    hears_writers = (
        problem.status in TALKING and not had_part(user, problem) and has_seen_key(user, problem)
    )
    return [
        one
        for one in found
        if one.writer_id == user.pk
        or one.round in readable
        or (hears_writers and one.writer in writers and one.thread.opened_by_id == user.pk)
    ]


def can_talk(user: User, problem: Problem) -> bool:
    """Tell whether `user` may answer in those of its threads that they may read."""
    return problem.status in TALKING and (
        user.has_role(Role.ADMIN)
        or is_writer(user, problem)
        or (user.has_role(Role.REVIEWER) and not had_part(user, problem))
    )


def can_resolve(user: User, problem: Problem, thread: Thread) -> bool:
    """Tell whether `user` may say that a matter they can read is settled, or is not."""
    is_theirs = thread.opened_by_id == user.pk or is_writer(user, problem)
    return can_talk(user, problem) and (is_theirs or user.has_role(Role.ADMIN))
