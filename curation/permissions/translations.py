"""Who may translate a problem, read what is not checked yet, and check it."""

from curation.people.models import CreditQuerySet
from curation.permissions.people import is_in_charge, is_translator
from curation.problems.models import Problem
from curation.workflow import CLOSED, Status
from phybench.models import User


def can_translate(user: User, problem: Problem, language: str) -> bool:
    """Whether `user` may write the translation; that it isn't checked is the action's part."""
    return list_to_translate(user).filter(problem=problem, language=language).exists()


def list_to_translate(user: User) -> CreditQuerySet:
    """Return what `user` is asked to translate, where anybody will read it yet."""
    return user.credits.of_translators().exclude(problem__status__in=CLOSED)


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
