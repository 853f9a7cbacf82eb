"""Which language a reader sees a problem in."""

from dataclasses import dataclass

from curation.problems.models import Revision
from phybench.models import Language, User


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
