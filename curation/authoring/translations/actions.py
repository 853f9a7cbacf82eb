"""Translate a problem: assign, take over, save, check."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems import permissions
from curation.problems.checks import check_texts
from curation.problems.credits.actions import accept_credit, check_not_declined, remove_credit
from curation.problems.models import Problem, Revision
from curation.problems.people.models import Contribution, ContributionKind, Credit
from curation.problems.permissions import (
    can_assign_translator,
    can_check_translation,
    can_translate,
    is_own_credit,
    list_translators,
)
from curation.problems.translations.models import Translation
from curation.reviewing.assignments import undoing
from curation.texts.formulas import FormulaComparison, compare_formulas, list_formulas
from curation.texts.schema import WRITTEN
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Language, User
from phybench_grader.reading.rules import BrokenRule

NAMES = tuple(field.name for field in WRITTEN if field.is_translated)
"""The texts of a translation."""


@dataclass(frozen=True, slots=True)
class TextShown:
    """One text of a translation beside its original, with what keeps it from being checked."""

    name: str
    """`statement` or `solution`."""
    original: str
    text: str
    formulas: FormulaComparison
    broken: list[BrokenRule]
    """Rules that the translation breaks and the original does not."""
    complaint: str = ""
    """What is wrong with it as a whole, in a sentence."""

    @property
    def is_kept(self) -> bool:
        return self.formulas.is_same and not self.broken and not self.complaint


def compare(revision: Revision, statement: str, solution: str) -> list[TextShown]:
    """Hold a translation's texts against those of its revision."""
    deadline = settings.GRADING_DEADLINE_SECONDS
    originals, texts = (revision.statement, revision.solution), (statement, solution)
    of_originals = check_texts(*originals, deadline=deadline)
    of_texts = check_texts(*texts, deadline=deadline)
    compared = zip(NAMES, originals, texts, of_originals, of_texts, strict=True)
    return [_compare(*one) for one in compared]


def _compare(
    name: str,
    original: str,
    text: str,
    of_original: list[BrokenRule],
    of_text: list[BrokenRule],
) -> TextShown:
    excused = {rule.code for rule in of_original}
    return TextShown(
        name,
        original,
        text,
        compare_formulas(original, text),
        [rule for rule in of_text if rule.code not in excused],
        _complain(original, text),
    )


def _complain(original: str, text: str) -> str:
    if original.strip() and not text.strip():
        return _("It is not translated yet.")
    if text.strip() and not original.strip():
        return _("The original has no solution: leave it empty.")
    return _("This is the original’s text.") if _is_untranslated(original, text) else ""


def _is_untranslated(original: str, text: str) -> bool:
    """Whether it is the original again, and that has words."""
    is_same = " ".join(original.split()) == " ".join(text.split())
    return is_same and any(one.isalpha() for one in _strip_formulas(text))


def _strip_formulas(text: str) -> str:
    for formula in reversed(list_formulas(text)):
        text = text[: formula.start] + text[formula.end :]
    return text


def list_languages(problem: Problem) -> list[Language]:
    """Return the languages that a problem can be translated into."""
    return [language for language in Language if language != problem.language]


def find_revision(problem: Problem) -> Revision | None:
    """Return what there is to translate: the newest submitted revision, or the accepted one."""
    if problem.is_published and not problem.is_in_correction:
        # A correction that was given up stays behind.
        return problem.accepted_revision
    return problem.revisions.submitted().order_by("-number").first()


def take_over(revision: Revision) -> None:
    """Begin a new revision's translations with those of the one before, as drafts."""
    before = (
        Revision.objects.submitted()
        .filter(problem=revision.problem_id, number__lt=revision.number)
        .order_by("-number")
        .first()
    )
    if before is None:
        return
    Translation.objects.bulk_create(
        [
            Translation(
                revision=revision,
                language=last.language,
                **{name: getattr(last, name) for name in NAMES},
                # Never checked for the one it was taken into, it is still made for an earlier one.
                made_for=before if last.is_checked else last.made_for or before,
            )
            for last in before.translations.all()
        ]
    )


@transaction.atomic
def save_translation(
    *, problem: Problem, language: str, translator: User, saved_at: str, **texts: Any
) -> Translation:
    """
    Save the translation of what was submitted last.

    Args:
        saved_at: when the text that the translator started from had been saved (ISO 8601), or ""
            where there was none.
        texts: statement and solution.

    Raises:
        NotAllowedNow: it is not theirs to translate, is checked, or was saved elsewhere meanwhile.
    """
    problem = problem.locked()
    revision = find_revision(problem)
    if revision is None or not can_translate(translator, problem, language):
        raise NotAllowedNow(_("This translation can’t be edited now."))
    translation = revision.translations.filter(language=language).first()
    if translation and translation.is_checked:
        raise NotAllowedNow(_("This translation is checked, so it can’t be edited any more."))
    if (translation.saved_at.isoformat() if translation else "") != saved_at:
        if translation and all(getattr(translation, key) == text for key, text in texts.items()):
            return translation  # the same form, sent twice
        raise NotAllowedNow(
            _(
                "It was saved in another window in the meantime. Your version below is not "
                "saved yet."
            )
        )
    if translation is None:
        translation = Translation(revision=revision, language=language)
    for name, value in texts.items():
        setattr(translation, name, value)
    translation.save()
    translation.translators.add(translator)
    return translation


@transaction.atomic
def check_translation(
    *, problem: Problem, language: str, checker: User, saved_at: str
) -> Translation:
    """
    Confirm that a translation says what its original says; it is frozen then.

    Args:
        saved_at: when what the checker has read had been saved (ISO 8601).

    Raises:
        NotAllowedNow: it is not theirs to check, its formulas are not those of the original, or
            it was saved again meanwhile.
    """
    problem = problem.locked()
    revision = find_revision(problem)
    translation = revision and revision.translations.filter(language=language).first()
    if not revision or not translation or translation.is_checked:
        raise NotAllowedNow(_("There is no translation to check now."))
    if not can_check_translation(checker, problem, language):
        raise NotAllowedNow(
            _("Only an author or an admin who did not make the translation can check it.")
        )
    if translation.saved_at.isoformat() != saved_at:
        raise NotAllowedNow(_("The translation was changed in the meantime. Read it again."))
    parts = compare(revision, translation.statement, translation.solution)
    if not all(part.is_kept for part in parts):
        raise NotAllowedNow(
            _(
                "It can’t be marked as checked yet: the points to fix are listed beside "
                "the translation."
            )
        )
    translation.checked_by = checker
    translation.checked_at = timezone.now()
    # Not `saved_at`: that is when it was written.
    translation.save(update_fields=["checked_by", "checked_at"])
    people = translation.translators.all()
    Contribution.objects.record(ContributionKind.TRANSLATED, people, revision, translation.language)
    return translation


def list_to_translate(translator: User) -> list[Credit]:
    """Return what somebody is to translate and is not checked yet, the oldest first."""
    done = Translation.objects.checked().filter(
        revision__in=Revision.objects.current(),
        revision__problem=OuterRef("problem"),
        language=OuterRef("language"),
    )
    submitted = Revision.objects.submitted().filter(problem=OuterRef("problem"))
    return list(
        permissions.list_to_translate(translator)
        .filter(Exists(submitted), ~Exists(done))
        .select_related("problem")
    )


@transaction.atomic
def assign_translator(*, problem: Problem, by: User, person: User, language: str) -> Credit:
    """
    Ask a person to translate a problem into a language, instead of whoever was asked before.

    It counts once they accept it; who takes it on themselves has.

    Raises:
        NotAllowedNow: it is not theirs to assign, the person can't be asked, declined it a while
            ago, or takes on themselves what they are a reviewer of.
    """
    problem = problem.locked()
    if not can_assign_translator(by, problem):
        raise NotAllowedNow(_("Only its author or an admin can choose the translator."))
    if language not in list_languages(problem):
        raise NotAllowedNow(_("It is already written in this language."))
    if not list_translators(problem).filter(pk=person.pk).exists():
        raise NotAllowedNow(
            _("%(name)s is not a contributor and can’t be asked.") % {"name": person}
        )
    before = problem.credits.standing().filter(language=language).first()
    if before and before.person_id == person.pk:
        return before
    check_not_declined(problem, person, Credit.Role.TRANSLATOR)
    if before:
        remove_credit(credit=before, by=by)
    credit = problem.credits.create(
        person=person, role=Credit.Role.TRANSLATOR, language=language, given_by=by
    )
    if not is_own_credit(by, credit):
        return credit
    if undoing.list_touched_by_credit(credit).exists():
        raise NotAllowedNow(_("You review this problem. Ask somebody else to translate it."))
    return accept_credit(credit=credit, by=by)
