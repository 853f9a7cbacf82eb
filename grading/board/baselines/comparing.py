"""Collect what people of a study saw beside what models are sent."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.board.baselines.asked import (
    Differences,
    Kind,
    SentToModels,
    ShownToPeople,
    find_differences,
)
from grading.model_runs.asking import write_messages
from grading.model_runs.models import ModelRun
from grading.model_runs.prompt import PROMPT, PROMPT_SHA256, WORDS
from grading.studies.models import Study, StudyItem
from phybench.people.models import Language


@dataclass(frozen=True, slots=True)
class Words:
    """The words around a problem that models are sent."""

    name: str
    sha256: str
    text: str
    others: int
    """Other words that runs of this version have been sent."""
    was_sent: bool
    """Whether a run of this version was sent these."""


@dataclass(frozen=True, slots=True)
class Beside:
    """One problem as people saw it, and as models are sent it."""

    item: StudyItem
    people: ShownToPeople
    models: SentToModels
    differences: Differences


def list_pool(study: Study) -> QuerySet[StudyItem]:
    return study.items.select_related("study", "item__problem", "item__revision__problem").order_by(
        "item__identifier"
    )


def find_words(study: Study) -> Words:
    """Find the words of the newest run of the study's version; today's where there was none."""
    runs = list(
        ModelRun.objects.filter(version=study.version_id)
        .order_by("-pk")
        .values_list("prompt_name", "prompt_sha256", "prompt_words")
    )
    others = len({sha256 for _name, sha256, _words in runs}) - 1
    if not runs:
        return Words(PROMPT, PROMPT_SHA256, WORDS, 0, was_sent=False)
    return Words(*runs[0], others, was_sent=True)


def compare(item: StudyItem, words: Words) -> Beside:
    """Put what people saw of one problem beside what models are sent."""
    revision = item.item.revision
    people = ShownToPeople(
        statement=item.statement,
        language=item.language,
        symbols=tuple(str(row) for row in revision.described_symbols),
        wanted=revision.wanted.write() if revision.wanted else "",
    )
    models = SentToModels(
        prompt="\n\n".join(one.content for one in write_messages(words.text, revision)),
        statement=revision.statement,
        language=revision.problem.language,
    )
    return Beside(item, people, models, find_differences(people, models))


def name_kind(kind: Kind) -> str:
    return {
        Kind.LANGUAGE: _("statement in another language"),
        Kind.STATEMENT: _("statement in other words"),
        Kind.SYMBOLS: _("only people see what the symbols mean"),
        Kind.WANTED: _("only people see what is asked for as a sentence"),
        Kind.FORMAT: _("only models are told how to write the answer"),
    }[kind]


@dataclass(frozen=True, slots=True)
class Condition:
    """What is so for a whole session, for people and for models."""

    what: str
    people: str
    models: str


def list_conditions(study: Study) -> list[Condition]:
    """List what differs between people and models in all of a study's problems."""
    language = Language(study.language).label
    return [
        Condition(
            _("Form of the answer"),
            _("“Plain text or LaTeX, e.g. sqrt(2*g*h)”, and the page shows how it is read"),
            _("as the prompt says; the model does not see how its answer is read"),
        ),
        Condition(
            _("Time"),
            _("%(problems)s in %(minutes)s")
            % {
                "problems": ngettext("%(count)d problem", "%(count)d problems", study.problems)
                % {"count": study.problems},
                "minutes": ngettext("%(count)d minute", "%(count)d minutes", study.minutes)
                % {"count": study.minutes},
            },
            _("no clock; each reply has a limit of tokens"),
        ),
        Condition(
            _("Problems at once"),
            _("%(count)d, in any order, and back again") % {"count": study.problems},
            _("one in each conversation"),
        ),
        Condition(
            _("Allowed aids"),
            " ".join(study.allowed_aids.split()) or _("not reported"),
            _("none: a run of this site sends a prompt and offers no tools"),
        ),
        Condition(
            _("Practice"),
            _("one problem outside of the study, with its reading explained"),
            _("none"),
        ),
        Condition(
            _("Ways out"),
            _("a problem can be given up, or said to be seen before"),
            _("none: each problem is answered, or counts 0"),
        ),
        Condition(
            _("Language"),
            _(
                "statements in %(language)s where a checked translation is there; the rest of the"
                " page in the language that each person chose"
            )
            % {"language": language},
            _("the language in which the problem was written; the rest in English"),
        ),
    ]


def name_kinds(kinds: Iterable[Kind]) -> list[str]:
    return [name_kind(kind) for kind in kinds]
