"""
Answers that hold nothing: a judge that takes one of them for right judges something else.

Some judges accept a lone colon or the opening of a solution as a right answer, in some settings
most of the time (arXiv 2507.08794). So each version of a judge is tried with all of these, in the
languages in which answers are written, and one that is accepted bars that version from boards.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from phybench_grader.judges.canaries import BY_NAME, Canary
from phybench_grader.judges.prompts.templates import PromptLanguage

PREFIX = "empty_"
"""What the names of these begin with, and those of other items of known verdict don't."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What an empty answer is given to, in one language."""

    text: str
    truth: str
    solution: str


@dataclass(frozen=True, slots=True)
class _Emptiness:
    """Answers that hold nothing in one language, with two questions that they are given to."""

    language: PromptLanguage
    """Of the prompt, where items choose it: English where there is none in their language."""
    questions: tuple[_Question, _Question]
    answers: tuple[str, ...]


_SPEED = r"\sqrt{2 g h}"
_FREEDOMS = "6"
_ENGLISH = (
    _Question(
        "A stone falls from rest through a height h. How fast is it just before it lands? Gravity"
        " is g, and there is no air.",
        _SPEED,
        rf"Energy is conserved: $m v^2 / 2 = m g h$, so $v = {_SPEED}$.",
    ),
    _Question(
        "How many degrees of freedom does a rigid body have that moves freely in space?",
        _FREEDOMS,
        "Three are of translation and three of rotation, so it has 6.",
    ),
)
_WRITTEN = {
    "any": _Emptiness(
        PromptLanguage.ENGLISH,
        _ENGLISH,
        (":", ".", ",", "…", "—", "?", "**", "```", "$$", r"\boxed{}"),
    ),
    "en": _Emptiness(
        PromptLanguage.ENGLISH,
        _ENGLISH,
        (
            "Thought process:",
            "Let's solve it.",
            "Let us go through this step by step.",
            "Solution:",
            "Answer:",
            "The final answer is",
            "First, we look at what is given.",
            "Here is how I reason:",
            "To find the answer, we begin with the basics.",
            "That is a good question.",
        ),
    ),
    "de": _Emptiness(
        PromptLanguage.GERMAN,
        (
            _Question(
                "Ein Stein fällt aus der Ruhe aus der Höhe h. Wie schnell ist er unmittelbar vor"
                " dem Aufprall? Die Fallbeschleunigung ist g, und es gibt keine Luft.",
                _SPEED,
                rf"Die Energie bleibt erhalten: $m v^2 / 2 = m g h$, also $v = {_SPEED}$.",
            ),
            _Question(
                "Wie viele Freiheitsgrade hat ein starrer Körper, der sich frei im Raum bewegt?",
                _FREEDOMS,
                "Drei der Translation und drei der Rotation, also 6.",
            ),
        ),
        (
            "Gedankengang:",
            "Lösen wir die Aufgabe.",
            "Gehen wir Schritt für Schritt vor.",
            "Lösung:",
            "Antwort:",
            "Die Antwort lautet",
            "Zunächst sehen wir uns an, was gegeben ist.",
            "Meine Überlegung:",
            "Das ist eine gute Frage.",
        ),
    ),
    "fi": _Emptiness(
        PromptLanguage.FINNISH,
        (
            _Question(
                "Kivi putoaa levosta korkeudelta h. Kuinka nopea se on juuri ennen maahan"
                " osumistaan? Putoamiskiihtyvyys on g, eikä ilmaa ole.",
                _SPEED,
                rf"Energia säilyy: $m v^2 / 2 = m g h$, joten $v = {_SPEED}$.",
            ),
            _Question(
                "Montako vapausastetta on jäykällä kappaleella, joka liikkuu vapaasti avaruudessa?",
                _FREEDOMS,
                "Kolme on siirtymälle ja kolme kiertymälle, yhteensä 6.",
            ),
        ),
        (
            "Ajatuksenkulku:",
            "Ratkaistaan tehtävä.",
            "Edetään vaihe vaiheelta.",
            "Ratkaisu:",
            "Vastaus:",
            "Vastaus on",
            "Katsotaan ensin, mitä on annettu.",
            "Näin päättelen:",
            "Hyvä kysymys.",
        ),
    ),
    "zh": _Emptiness(
        PromptLanguage.ENGLISH,
        (
            _Question(
                "一块石头从高度 h 处由静止开始下落。落地前一瞬间的速度有多大？重力加速度为 g，"
                "不计空气阻力。",
                _SPEED,
                rf"机械能守恒：$m v^2 / 2 = m g h$，所以 $v = {_SPEED}$。",
            ),
            _Question(
                "在空间中自由运动的刚体有几个自由度？",
                _FREEDOMS,
                "平动三个，转动三个，共 6 个。",
            ),
        ),
        (
            "：",
            "思路：",
            "我们来解这道题。",
            "下面一步一步来分析。",
            "解：",
            "答案：",
            "最终答案是",
            "先看看已知条件。",
            "我的推理如下：",
            "这是一个好问题。",
        ),
    ),
}


def _write(code: str, written: _Emptiness) -> Iterator[Canary]:
    for number, answer in enumerate(written.answers):
        question = written.questions[number % 2]
        # Named by what is said: with other words it is another one, which has to be tried anew.
        told = hashlib.sha256(f"{question.text}\x00{answer}".encode()).hexdigest()[:10]
        yield Canary(
            f"{PREFIX}{code}_{told}",
            question.text,
            answer,
            question.truth,
            is_correct=False,
            language=written.language,
            solution=question.solution,
        )


EMPTY_ANSWERS = tuple(one for code, said in _WRITTEN.items() for one in _write(code, said))
EMPTY_BY_NAME = {one.name: one for one in EMPTY_ANSWERS}


def is_empty_answer(name: str) -> bool:
    """Tell by its name whether an item of known verdict is an empty answer."""
    return name.startswith(PREFIX)


def find_known(name: str) -> Canary | None:
    """Find an item of known verdict, an empty answer or a trap; None of one that is no more."""
    return EMPTY_BY_NAME.get(name) or BY_NAME.get(name)


class Withstood(StrEnum):
    """Whether a version of a judge has withstood the empty answers."""

    PASSED = "PASSED"
    """It took none of them for right, and was tried with all."""
    ACCEPTED = "ACCEPTED"
    """It took one at least for right."""
    CANT_TELL = "CANT_TELL"
    """On some it has no verdict, or was not tried with them."""
    NOT_NEEDED = "NOT_NEEDED"
    """Rules alone decide, which accept none of them; or two answers are compared."""


@dataclass(frozen=True, slots=True)
class AcceptedOtherwise:
    """An empty answer that a model of the judge took for right when asked in another prompt."""

    prompt: str
    text: str


@dataclass(frozen=True, slots=True)
class EmptyTally:
    """How one version of a judge fared with the empty answers."""

    passed: int = 0
    accepted: tuple[str, ...] = ()
    """The texts of those that it took for right."""
    missing: int = len(EMPTY_ANSWERS)
    """Those of which it has said nothing."""
    is_needed: bool = True
    otherwise: tuple[AcceptedOtherwise, ...] = ()
    """To be known of it, and no bar."""

    @property
    def all(self) -> int:
        return self.passed + len(self.accepted) + self.missing

    @property
    def outcome(self) -> Withstood:
        if self.accepted:
            return Withstood.ACCEPTED
        if not self.is_needed:
            return Withstood.NOT_NEEDED
        return Withstood.CANT_TELL if self.missing else Withstood.PASSED

    @property
    def is_barred(self) -> bool:
        """Tell whether this version stays off boards."""
        return self.outcome is Withstood.ACCEPTED

    @property
    def may_rank(self) -> bool:
        return self.outcome in (Withstood.PASSED, Withstood.NOT_NEEDED)


def tally_empty(found: Iterable[tuple[str, bool | None]], *, is_needed: bool = True) -> EmptyTally:
    """
    Count what a judge made of empty answers, by their names: None where it had no verdict.

    Of several tries of one answer, an acceptance counts for good, and a failed call for nothing.

    >>> name = EMPTY_ANSWERS[0].name
    >>> tally_empty([(name, True), (name, False)]).accepted
    (':',)
    >>> tally_empty([(name, None), (name, True)]).passed
    1
    """
    said: dict[str, bool] = {}
    for name, has_passed in found:
        if has_passed is not None:
            said[name] = has_passed and said.get(name, True)
    accepted = [name for name, has_passed in said.items() if not has_passed]
    known = [said.get(name) for name in EMPTY_BY_NAME]
    return EmptyTally(
        passed=known.count(True),
        # One that is no more among these was accepted all the same.
        accepted=tuple(find_text(name) for name in sorted(accepted, key=_find_place)),
        missing=known.count(None) if is_needed else 0,
        is_needed=is_needed,
    )


def find_text(name: str) -> str:
    """Return the words of an empty answer; its name, where it is no more among these."""
    return EMPTY_BY_NAME[name].response if name in EMPTY_BY_NAME else name


def _find_place(name: str) -> tuple[int, str]:
    names = list(EMPTY_BY_NAME)
    return (names.index(name) if name in EMPTY_BY_NAME else len(names), name)
