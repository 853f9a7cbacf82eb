"""Who somebody is to a problem, and who may read, write, name and translate it."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from curation.problems.exposures.models import Exposure, has_seen_key
from curation.problems.models import (
    Fact,
    Placeholder,
    Problem,
    ProblemQuerySet,
    Revision,
    RevisionQuerySet,
    among,
    find_facts,
)
from curation.problems.people.models import (
    Conflict,
    Credit,
    CreditQuerySet,
    find_institutions,
)
from curation.problems.translations.models import Translation
from curation.texts.workflow import CLOSED, Status
from phybench.people.models import Role, User, UserQuerySet


def list_closed(user: User) -> QuerySet[Problem, int]:
    """
    Return the numbers of problems that `user` may not read now.

    Studies belong to another app, which knows this one, so a setting names who says it.
    """
    found: QuerySet[Problem, int] = import_string(settings.PROBLEMS_CLOSED_BY)(user)
    return found


def refuse_closed(user: User, problems: Iterable[int]) -> None:
    """
    Refuse a file with problems of a study that `user` has still to sit.

    Raises:
        PermissionDenied: it has; the message says when it can be had.
    """
    if not set(problems).isdisjoint(list_closed(user)):
        raise PermissionDenied(
            _(
                "You take part in a study that asks some of these problems. You can download "
                "them after your session."
            )
        )


def is_writer(user: User, problem: Problem) -> bool:
    """Whether `user` writes this problem, as its author or as a co-author: `ProblemQuerySet.of`."""
    return problem.author_id == user.pk or any(
        credit.person_id == user.pk and credit.is_current and credit.role == Credit.Role.CO_AUTHOR
        for credit in problem.credits.all()
    )


def list_authored(user: User) -> ProblemQuerySet:
    """Return the problems that `user` is the author of, to withdraw or delete."""
    return Problem.objects.filter(author=user)


def is_in_charge(user: User, problem: Problem) -> bool:
    """Whether `user` writes this problem or looks after all of them: `list_in_charge`."""
    return user.has_role(Role.ADMIN) or is_writer(user, problem)


def list_in_charge(user: User) -> ProblemQuerySet:
    """Return the problems that `user` writes; all of them for an admin."""
    return Problem.objects.all() if user.has_role(Role.ADMIN) else Problem.objects.of(user)


def had_part(user: User, problem: Problem) -> bool:
    """
    Whether `user` is the author, or ever accepted a credit: `list_foreign` has the others.

    Whoever had a part knows more of it than its statement: they neither review nor answer it,
    though their name was taken off again. What is only offered to them, by whomever, bars no one.
    """
    return problem.author_id == user.pk or any(
        credit.person_id == user.pk and credit.is_accepted for credit in problem.credits.all()
    )


def list_foreign(user: User) -> ProblemQuerySet:
    """Return the problems that `user` did not write, and never accepted a credit on."""
    named = user.credits.accepted().values("problem")
    return Problem.objects.exclude(author=user).exclude(pk__in=named)


def is_translator(user: User, problem: Problem, language: str = "") -> bool:
    """Whether `user` is the one to translate this problem, into `language` if one is given."""
    return any(
        credit.person_id == user.pk
        and credit.is_current
        and credit.role == Credit.Role.TRANSLATOR
        and language in ("", credit.language)
        for credit in problem.credits.all()
    )


PROBLEMS, PEOPLE = Placeholder("problems"), Placeholder("people")
MINDS = "minds_institutions"


def list_interests() -> list[QuerySet[Any, Any]]:
    """Return for `find_facts` what people have to do with problems, by the names of `Interests`."""
    authored = Problem.objects.filter(pk__in=PROBLEMS(), author__in=PEOPLE())
    named = Credit.objects.filter(problem__in=PROBLEMS())
    wrote = Revision.writers.through.objects.filter(
        revision__problem__in=PROBLEMS(), user__in=PEOPLE()
    )
    conflicts = Conflict.objects.current().filter(person__in=PEOPLE())
    with_author = conflicts.filter(author__problems__in=PROBLEMS())
    with_writer = named.have_written().filter(person__conflicts_with__in=conflicts)
    problems = Problem.objects.filter(pk__in=PROBLEMS())
    part, conflict = Value("had_part"), Value("in_conflict")
    return [
        authored.values_list("pk", "author", part),
        named.accepted().filter(person__in=PEOPLE()).values_list("problem", "person", part),
        # An admin may write a correction.
        wrote.values_list("revision__problem", "user", part),
        conflicts.filter(problem__in=PROBLEMS()).values_list("problem", "person", conflict),
        with_author.values_list("author__problems", "person", conflict),
        with_writer.values_list("problem", "person__conflicts_with__person", conflict),
        problems.minding_institutions().values_list("pk", Value(0), Value(MINDS)),
        problems.filter(benchmark__is_demo=True).values_list("pk", Value(0), Value("of_demo")),
    ]


class Interests:
    """What each of these people have to do with each of these problems."""

    def __init__(self, problems: Collection[int], people: Collection[User]) -> None:
        numbers = [one.pk for one in people]
        self.facts = find_facts(list_interests, problems=problems, people=numbers)
        self.facts |= find_colleagues(self.facts, people)

    def had_part(self, problem: int, person: User) -> bool:
        return (problem, person.pk, "had_part") in self.facts

    def has_conflict(self, problem: int, person: User) -> bool:
        return (problem, person.pk, "in_conflict") in self.facts

    def is_free(self, problem: int, person: User) -> bool:
        """Whether they had no part in it, and are in no conflict with it."""
        return not self.had_part(problem, person) and not self.has_conflict(problem, person)

    def is_across_demo(self, problem: int, person: User) -> bool:
        """Whether one of the two is of the demo, whose people keep to themselves."""
        return person.is_demo is not ((problem, 0, "of_demo") in self.facts)


def find_colleagues(facts: Collection[Fact], people: Collection[User]) -> set[Fact]:
    """
    Add to facts which of these people are in conflict because they work where an author does.

    Three queries more, where a benchmark minds that.
    """
    minding = {problem for problem, _nobody, word in facts if word == MINDS}
    if not minding:
        return set()
    authors = Problem.objects.filter(pk__in=among(minding), author__isnull=False)
    co_authors = Credit.objects.have_written().filter(problem__in=among(minding))
    wrote = {*authors.values_list("pk", "author"), *co_authors.values_list("problem", "person")}
    pks = {one.pk for one in people}
    theirs: dict[str, set[int]] = defaultdict(set)
    of_writer: dict[int, set[str]] = defaultdict(set)
    everybody = User.objects.filter(pk__in={*pks, *(one for _, one in wrote)})
    for person, place in find_institutions(everybody):
        of_writer[person].add(place)
        theirs[place].add(person)
    return {
        (problem, person, word)
        for problem, writer in wrote
        for place in of_writer[writer]
        for person in theirs[place] & pks
        for word in ("of_institution", "in_conflict")
    }


def can_mark_conflict(
    user: User, person: User, problem: Problem | None = None, author: User | None = None
) -> bool:
    """
    Whether `user`, an admin, may say that `person` must not judge this: not of their own problems.

    Else an author who is an admin would choose who reviews them. Of oneself anybody says it.
    """
    if person.pk == user.pk:
        return True
    if problem is not None and Interests({problem.pk}, [user]).had_part(problem.pk, user):
        return False
    return author is None or author.pk != user.pk


def is_own_conflict(user: User, conflict: Conflict) -> bool:
    """Whether it is about `user`, so that another admin is to lift it."""
    return conflict.person_id == user.pk


def can_name(user: User, problem: Problem) -> bool:
    """Whether `user` may say whose work it is: its author alone."""
    return problem.author_id == user.pk and problem.is_editable


def can_assign_translator(user: User, problem: Problem) -> bool:
    is_theirs = problem.author_id == user.pk or user.has_role(Role.ADMIN)
    return is_theirs and problem.status not in CLOSED


def is_own_credit(user: User, credit: Credit) -> bool:
    return credit.person_id == user.pk


def can_answer_offer(user: User, credit: Credit) -> bool:
    """Whether a credit is offered to `user`, to accept or to decline."""
    return is_own_credit(user, credit) and credit.is_offered


def can_remove(user: User, credit: Credit) -> bool:
    """
    Whether `user` may take a name off: their own always, others' where they may name.

    An offer is withdrawn by who may name at any time: until it is accepted it changes nothing.
    """
    if credit.removed_at is not None:
        return False
    if credit.is_offered and credit.problem.author_id == user.pk:
        return True
    if credit.role == Credit.Role.TRANSLATOR and can_assign_translator(user, credit.problem):
        return True
    return is_own_credit(user, credit) or can_name(user, credit.problem)


def can_ask_to_remove(user: User, credit: Credit) -> bool:
    """Whether the name is theirs, or on a list that is theirs to keep, frozen now or not."""
    return (
        is_own_credit(user, credit)
        or credit.problem.author_id == user.pk
        or (bool(credit.language) and can_assign_translator(user, credit.problem))
    )


def list_candidates(problem: Problem) -> UserQuerySet:
    """Return everybody who may be named on a problem; demo people keep to themselves."""
    author = problem.author
    people = User.objects.get_queryset().with_role(Role.CONTRIBUTOR)
    if author is None:
        return people.none()
    return people.filter(is_demo=author.is_demo).exclude(pk=author.pk)


def list_translators(problem: Problem) -> UserQuerySet:
    """Return everybody who may translate a problem: its author too."""
    is_demo = problem.author.is_demo if problem.author else problem.benchmark.is_demo
    return User.objects.get_queryset().with_role(Role.CONTRIBUTOR).filter(is_demo=is_demo)


def can_edit(user: User, problem: Problem) -> bool:
    """Whether `user` may change it now: what `list_to_write` has, while it can be edited."""
    return problem.is_editable and (is_writer(user, problem) or can_correct(user, problem))


def can_correct(user: User, problem: Problem) -> bool:
    """Whether `user` may write a correction for its author, whom not every problem has."""
    return user.has_role(Role.ADMIN) and problem.is_in_correction


def list_to_write(user: User) -> ProblemQuerySet:
    """Return all problems that `user` writes: their own, and what an admin may correct."""
    if not user.has_role(Role.ADMIN):
        return Problem.objects.of(user)
    in_correction = Q(accepted_revision__isnull=False, status=Status.RETURNED)
    return Problem.objects.filter(in_correction | Q(pk__in=Problem.objects.of(user).values("pk")))


def can_submit(user: User, problem: Problem) -> bool:
    """
    Whether `user` may submit it: its author alone, once a contributor, but for a correction.

    Drafts are for everybody with an account: who comes to write begins at once.
    """
    is_theirs = can_name(user, problem) and user.has_role(Role.CONTRIBUTOR)
    return is_theirs or (problem.is_editable and can_correct(user, problem))


def can_withdraw(user: User, problem: Problem) -> bool:
    return problem.author_id == user.pk and problem.status == Status.IN_REVIEW


def can_delete(user: User, problem: Problem) -> bool:
    """Whether this is a draft of the user's own; `delete_draft` asks the database the rest."""
    return problem.author_id == user.pk and problem.status == Status.DRAFT


def can_reopen(user: User, problem: Problem) -> bool:
    """Whether `user` may give a rejected problem back to its author: an admin without a part."""
    if not user.has_role(Role.ADMIN) or problem.status != Status.REJECTED:
        return False
    return Interests({problem.pk}, [user]).is_free(problem.pk, user)


def can_start_again(user: User, problem: Problem) -> bool:
    """Whether `user` may begin a new problem with the text of this one: its own author."""
    return (
        user.has_role(Role.CONTRIBUTOR)
        and problem.author_id == user.pk
        and problem.status == Status.REJECTED
    )


def list_visible(user: User) -> ProblemQuerySet:
    """
    Return all problems whose statement `user` may see.

    Accepted problems are there to be solved, but for those of a study that they have still to sit;
    others are their writers' and reviewers'.
    """
    if user.has_role(Role.ADMIN):
        return Problem.objects.all()
    translated = user.credits.of_translators().values("problem")
    theirs = Q(pk__in=Problem.objects.of(user).values("pk"))
    theirs |= ~Q(status=Status.DRAFT) & Q(pk__in=translated)
    open_to_read = Q(accepted_revision__isnull=False)
    if user.has_role(Role.REVIEWER):
        theirs |= Q(status=Status.IN_REVIEW)
        open_to_read |= ~Q(status=Status.DRAFT)
    return Problem.objects.filter(theirs | (open_to_read & ~Q(pk__in=list_closed(user))))


def can_list_reviewed(user: User) -> bool:
    """Whether `user` may list everything that is in review."""
    return user.has_role(Role.REVIEWER) or user.has_role(Role.ADMIN)


def list_readable_revisions(user: User) -> RevisionQuerySet:
    """
    Return all texts that `user` may read, of the problems that they may see at all.

    What the writers have not submitted is theirs and the admins' alone. What they have replaced is
    for who may see the key: to others a correction is secret until it is accepted.
    """
    if user.has_role(Role.ADMIN):
        return Revision.objects.all()
    theirs = Q(problem__in=Problem.objects.of(user))
    with_key = Q(problem__in=list_with_key(user), submitted_at__isnull=False)
    current = Q(Exists(Revision.objects.current().filter(pk=OuterRef("pk"))))
    current &= Q(problem__status=Status.IN_REVIEW) | ~Q(problem__in=list_closed(user))
    return Revision.objects.filter(theirs | with_key | current)


def can_see_key(user: User, problem: Problem) -> bool:
    """Whether `list_with_key` has it: pages ask this often, so mostly without a query."""
    if is_in_charge(user, problem):
        return True
    return _reviews(user, problem) or (
        is_translator(user, problem) and problem.status != Status.DRAFT
    )


def _reviews(user: User, problem: Problem) -> bool:
    return (
        user.has_role(Role.REVIEWER)
        and problem.status == Status.IN_REVIEW
        # Somebody who only had the idea has no review to give, so nothing to compare.
        and not had_part(user, problem)
        and has_seen_key(user, problem)
    )


def may_be_told_answer(user: User, problem: Problem) -> bool:
    """Whether to learn the answer takes nothing from `user`: it is seen, or not theirs to solve."""
    if can_see_key(user, problem) or has_seen_key(user, problem):
        return True
    return problem.status == Status.ACCEPTED and not user.has_role(Role.PARTICIPANT)


def can_compare_answers(user: User, problem: Problem) -> bool:
    """
    Whether `user` is told which other problems have the same answer as this one.

    Whoever writes it is not: with one draft after another they would find others' keys.
    """
    if user.has_role(Role.ADMIN):
        return True
    return can_see_key(user, problem) and not had_part(user, problem)


def list_with_key(user: User) -> ProblemQuerySet:
    """
    Return all problems whose reference answer and solution `user` may see.

    A reviewer sees those of what is in review once their review page has shown them: until then
    they may be the one to solve it blind. A translator sees those of what was submitted. Once it is
    accepted the key is for its writers, its translators and admins: everybody else may come to
    answer it, or to hand in a model's answers.
    """
    if user.has_role(Role.ADMIN):
        return Problem.objects.all()
    translated = user.credits.of_translators().values("problem")
    found = Q(pk__in=Problem.objects.of(user).values("pk"))
    found |= Q(pk__in=translated) & ~Q(status=Status.DRAFT)
    if user.has_role(Role.REVIEWER):
        named = user.credits.accepted().values("problem")
        found |= Q(status=Status.IN_REVIEW, pk__in=_list_seen(user)) & ~Q(pk__in=named)
    return Problem.objects.filter(found)


def _list_seen(user: User) -> QuerySet[Any, Any]:
    """Return the problems of which `user` was shown answer or solution, for queries."""
    return Exposure.objects.of_key().filter(person=user).values("revision__problem")


def can_translate(user: User, problem: Problem, language: str) -> bool:
    """Whether `user` may write the translation; that it isn't checked is the action's part."""
    return list_to_translate(user).filter(problem=problem, language=language).exists()


def list_to_translate(user: User) -> CreditQuerySet:
    """Return what `user` is asked to translate, where anybody will read it yet."""
    return user.credits.of_translators().exclude(problem__status__in=CLOSED)


def list_translations_to_check(user: User) -> ProblemQuerySet:
    """Return the problems with a translation that waits for `user`: see `can_check_translation`."""
    named = Credit.objects.of_translators().filter(
        person=user, problem=OuterRef("revision__problem"), language=OuterRef("language")
    )
    waiting = (
        Translation.objects.filter(checked_at=None, revision__in=Revision.objects.current())
        .exclude(Exists(named) | Q(translators=user) | Q(statement=""))
        .values("revision__problem")
    )
    in_charge = Problem.objects.all() if user.has_role(Role.ADMIN) else Problem.objects.of(user)
    return in_charge.filter(pk__in=waiting)


def can_see_translations(user: User, problem: Problem) -> bool:
    """Whether `user` may see translations that nobody has checked yet."""
    return is_in_charge(user, problem) or (
        is_translator(user, problem) and problem.status != Status.DRAFT
    )


def can_check_translation(user: User, problem: Problem, language: str) -> bool:
    """
    Whether `user` may say that a translation is right.

    That is for those who answer for the problem, or an admin, and for nobody who had a hand in it.
    """
    if not is_in_charge(user, problem):
        return False
    wrote = user.translations.filter(revision__problem=problem, language=language)
    return not is_translator(user, problem, language) and not wrote.exists()
