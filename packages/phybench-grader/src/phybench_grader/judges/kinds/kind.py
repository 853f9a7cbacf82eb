"""
What a kind of judge is: how it is asked, heard, joined, counted, tried and named.

Each kind is one module of this room, which says all that is peculiar to it. Nothing outside names
one: what others have to know is an attribute here, such as whether it `compares` two answers.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from phybench_grader.judges.canaries import BY_NAME, IN_LANGUAGES, RIGHT_ONES, Canary
from phybench_grader.judges.deterministic import RuleVerdict
from phybench_grader.judges.empty_answers import EMPTY_ANSWERS
from phybench_grader.judges.items import Item, Turn
from phybench_grader.judges.judgement import Judgement
from phybench_grader.judges.prompts.filling import Prompt
from phybench_grader.judges.prompts.templates import PromptLanguage, Template, Variant
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.reply import JudgeReply

Verdict = TypeVar("Verdict")
Written = Mapping[str, Any]
"""A verdict as JSON has it, in files and rows."""


def gettext_noop(text: str) -> str:
    """Mark a text for translation, which is done where it is shown."""
    return text


Read = Callable[[JudgeReply, Prompt], Judgement[Any]]
"""Reads one reply to a prompt, whose token it has to bear."""


class Ask(Protocol):
    """Puts one prompt to one judge, and reads what comes."""

    def __call__(self, prompt: Prompt, read: Read, *, order: str = "") -> Judgement[Any]: ...


Hear = Callable[[Ask], Judgement[Any]]
"""Hears one judge about one item, in as many prompts as it takes."""


class Manner(Protocol):
    """What of a configuration goes into a prompt."""

    @property
    def template(self) -> Template: ...
    @property
    def max_candidate(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Shown:
    """A field of a verdict as pages show it."""

    name: str
    label: str
    tells_key: bool = False
    """Whether it is in the judge's own words, who was shown the reference."""
    words: Mapping[Any, str] | None = None
    """What its codes mean."""


@dataclass(frozen=True, slots=True)
class Option:
    """What the form that sets a run up asks of one kind alone: one of `choices`, or yes or no."""

    name: str
    label: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    initial: str = ""


class JudgeKind(ABC, Generic[Verdict]):
    """One kind of judge."""

    code: str
    """In capitals, as rows have it; files write it in small letters."""
    place: int
    """In lists of all kinds."""
    scale: tuple[float, float]
    """The lowest and the highest value of a verdict."""
    field: str
    """The field that every verdict of this kind has, and none of another."""
    metric: str
    """What its values are called where they stand among other metrics."""
    higher_is_better: bool | None = True
    """None where a value is of two answers, so that higher is better for one of them alone."""
    returns_id = False
    """Whether its verdicts bear the id of the item, as files have them."""

    languages: tuple[PromptLanguage, ...] = (PromptLanguage.ENGLISH,)
    most_turns = 1
    needs_reference = True
    """Whether it can't do without one."""
    can_show_thinking = False
    """Whether it can be shown what the solver thought, with a prompt that says what that is."""
    has_rules = False
    """Whether rules may decide before a model is asked, or in its place."""
    compares = False
    """Whether it looks at two answers, so that its verdict is of neither alone."""
    is_yes_or_no = False
    """Whether a verdict is right or wrong, and nothing between."""

    name: str
    """What it is called."""
    does: str
    """What it says, in a sentence."""
    says: tuple[str, str] = ("%(value)s", "%(value)s")
    """A verdict in words, with `value` in it: one that takes the answer for right, and another."""
    shown: tuple[Shown, ...]
    """The fields of a verdict, in the order in which they are shown."""
    options: tuple[Option, ...] = ()
    helps: Mapping[str, str] = {}
    """What the form says of a field for its sake, by the field."""
    right_from: str = ""
    """When a value on its scale counts as right, as part of a sentence."""
    uncalibrated: str = ""
    """Why it is not set beside what people say, where it is not."""
    paths: Mapping[str, str] = {}
    """What its own ways of reading a reply, or joining several, are called."""

    def __str__(self) -> str:
        return self.code.lower()

    # What it is asked.

    @abstractmethod
    def list_needed(self, variant: Variant) -> frozenset[str]:
        """List the placeholders that a template must have."""

    @abstractmethod
    def name_template(self, variant: Variant) -> str:
        """Name the file of our template for a variant, without its ending."""

    def list_variants(self) -> Iterator[Variant]:
        """List the ways of asking that there is a template of ours for."""
        for language in self.languages:
            for turns in range(1, self.most_turns + 1):
                for has_reference in [True] if self.needs_reference else [False, True]:
                    yield Variant(self, language, turns, has_reference)

    def has_answer(self, item: Item) -> bool:
        """Tell whether there is anything to judge."""
        return item.response is not None or bool(item.turns)

    @abstractmethod
    def fill(self, item: Item, manner: Manner) -> Prompt | Reason:
        """Fill the template with what is to be asked about an item, or say what is lacking."""

    @abstractmethod
    def read(self, reply: JudgeReply, prompt: Prompt) -> Judgement[Any]:
        """Read one reply to a prompt."""

    def prepare(self, item: Item, manner: Manner) -> Hear | Reason:
        """Say what is to be asked about an item, or why there is nothing to ask."""
        prompt = self.fill(item, manner)
        if isinstance(prompt, Reason):
            return prompt
        return lambda ask: ask(prompt, self.read)

    def describe_reply(self, verdict: object) -> dict[str, str]:
        """Say what else is to be known of how one reply was read."""
        return {}

    # What it said.

    @abstractmethod
    def join(self, voices: Sequence[Judgement[Verdict]], *, quorum: int) -> Judgement[Verdict]:
        """Join what several judges said, or one several times."""

    @abstractmethod
    def write(self, verdict: Verdict) -> dict[str, Any]:
        """Write a verdict as JSON has it."""

    def count(self, written: Written) -> float:
        """Say which number a verdict is in a mean."""
        return float(written[self.field])

    @abstractmethod
    def says_right(self, written: Written) -> bool | None:
        """Tell whether a verdict takes the answer for right; None where it is of no one answer."""

    def measure_sureness(self, written: Written) -> float | None:
        """Say how sure a verdict is, 0 to 1, from itself; None where it does not say."""
        return None

    def take_side(self, written: Written) -> Any:
        """Say what has to be the same for two verdicts to agree."""
        return self.says_right(written)

    def judge_by_rule(self, rule: RuleVerdict) -> Judgement[Verdict]:
        """Make the rules' word a judgement."""
        raise LookupError(f"{self} has no rules")

    # How it is tried.

    def list_canaries(
        self, turns: int, languages: Iterable[PromptLanguage] | None = None
    ) -> list[Item]:
        """Make the items whose verdict is known, in these languages; in all that it speaks."""
        spoken = self.languages if languages is None else languages
        return [
            _try(canary, turns)
            for language in self.languages
            if language in spoken
            for canary in IN_LANGUAGES[language]
        ]

    def list_empty_answers(self, turns: int) -> list[Item]:
        """Make the items that hold nothing; none where an answer is not judged by itself."""
        return [] if self.compares else [_try(one, turns) for one in EMPTY_ANSWERS]

    def passes(self, canary: str, written: Written) -> bool:
        """Tell whether a verdict on a canary is the known one."""
        return self.says_right(written) is BY_NAME[canary].is_correct

    # What is chosen of it alone.

    def refuse_options(
        self, chosen: Mapping[str, Any], *, is_meant: bool
    ) -> Iterator[tuple[str, str]]:
        """Say of which options what is wrong; `is_meant` if this kind is the one chosen."""
        yield from ()

    def asks_models(self, chosen: Mapping[str, Any]) -> bool:
        """Tell whether any model is to be asked."""
        return True

    def write_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Write its options as a configuration's file has them."""
        return {}


def _try(canary: Canary, turns: int) -> Item:
    right_one = RIGHT_ONES[canary.language]
    earlier = [Turn(right_one.question, right_one.response)] * (turns - 1)
    turn = Turn(canary.question, canary.response)
    return Item(
        id=canary.name,
        question=canary.question,
        response=canary.response,
        references=(canary.ground_truth,) * turns,
        reference_solution=canary.solution or right_one.response,
        turns=(*earlier, turn) if earlier else (),
        language=canary.language,
        canary=canary.name,
    )
