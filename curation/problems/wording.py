"""Which language a reader sees a problem in, and how pages say which that is."""

from dataclasses import dataclass

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from curation.problems.models import Problem, Revision
from phybench.people.models import Language, User


@dataclass(frozen=True, slots=True)
class Wording:
    """A revision's texts in the language that somebody reads them in."""

    revision: Revision
    language: Language
    statement: str
    solution: str
    choices: list[Language]
    """All that it can be read in, its own first; alone where nothing is translated."""
    is_preferred: bool
    """Whether the reader would get this language anyway."""

    @property
    def is_translated(self) -> bool:
        return self.language != self.choices[0]


def show(revision: Revision, reader: User, asked: str | None = None) -> Wording:
    """
    Return a revision as `reader` sees it; one query.

    Args:
        asked: a language's value, from the address. One that there is no checked translation into
            is as none; then the reader's preference counts, and last the original.
    """
    own = Language(revision.problem.language)
    checked = {one.language: one for one in revision.translations.checked() if one.language != own}
    choices = [own, *(Language(language) for language in checked)]
    preferred = reader.problem_language if reader.problem_language in choices else own
    language = Language(asked if asked in choices else preferred)
    text = checked.get(language, revision)
    return Wording(
        revision, language, text.statement, text.solution, choices, language == preferred
    )


def mark_title(problem: Problem) -> SafeString:
    """Write a problem's title as words of its language, to be read out and broken as those are."""
    return format_html('<span lang="{}">{}</span>', problem.language, problem.title)


def name_in(sentence: str, problem: Problem, **names: object) -> SafeString:
    """Fill the title of a problem, and other names, into a sentence of the page's language."""
    filled = {name: escape(value) for name, value in names.items()}
    return mark_safe(escape(sentence) % {"title": mark_title(problem), **filled})
