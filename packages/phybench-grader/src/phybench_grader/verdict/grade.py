"""
Grading an answer against a reference: accuracy and EED.

EED is defined in arXiv 2504.16074, section 3.3 and appendix B.1, equations 1 to 6; accuracy in
equation 2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice

import sympy

from phybench_grader.eed.alignment import MarkedTrees, align
from phybench_grader.eed.distance import FULL, Distance, Edit, score_distance
from phybench_grader.eed.simplification import simplify
from phybench_grader.equality.equality import Equality, compare_readings
from phybench_grader.equality.tree import Node, build_tree, is_simplifiable, sort_by_letter
from phybench_grader.numbers.limits import MAX_DISTANCE_WORK
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.space import Space
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.names import Declared
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import (
    DOUBTFUL,
    Finding,
    JudgeError,
    Reading,
    Unreadable,
)
from phybench_grader.reading.usage import beside
from phybench_grader.statement.answer import list_introduced, list_readings
from phybench_grader.statement.members import list_names
from phybench_grader.statement.response import FoundAnswer, find_answer, locate_answer
from phybench_grader.statement.unknown import UnknownSymbol, list_known, list_strange
from phybench_grader.verdict.constants import settle
from phybench_grader.verdict.references import ReadReference, read_reference
from phybench_grader.verdict.spellings import list_scales, respell
from phybench_grader.verdict.surroundings import find_doubt

GRADER_VERSION = "2.1"
"""Raise it with any change that can move a grade."""

SHORT = 20
"""
Nodes of an answer's readings and the reference below which an EED is quick.

Of 706 wrong answers of models to published problems, those below took 2.9 to 8.7 ms in the mean, to
find that they are wrong 2; from 30 on it was 28 to 4.
"""
_OTHER_READING = Sentence("other_reading_graded")


class Verdict(StrEnum):
    """The worth of an answer, in a word."""

    CORRECT = "CORRECT"
    PARTIAL = "PARTIAL"
    INCORRECT = "INCORRECT"
    UNREADABLE = "UNREADABLE"


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """The worth of one answer, and why. Scores run from 0 to 100."""

    verdict: Verdict
    accuracy: float
    eed: float
    distance: float | None = None
    size: float | None = None
    relative: float | None = None
    reference_read: str = ""
    answer_read: str = ""
    reference_typed: str = ""
    answer_typed: str = ""
    """In the order in which they were typed; see `transcript`."""
    notes: tuple[Sentence, ...] = ()
    reason: str = ""
    message: Sentence | None = None
    edits: tuple[Edit, ...] = ()
    trees: MarkedTrees | None = None
    """Both trees with the edits on them, where a distance was measured that is not 0."""
    answer_start: int = 0
    """Where in the response the graded part stands; see `FoundAnswer`."""
    answer_end: int = 0


def grade(answer: str, reference: str, *, declared: Collection[str] = ()) -> GradedAnswer:
    r"""
    Grade an answer, or a whole response with a boxed one, against a reference.

    Accuracy is that of equation 2, EED that of equations 1 to 6 of arXiv 2504.16074.

    Args:
        answer: an expression in LaTeX, a statement of it, or a response, of which the last box that
            answers counts.
        reference: the right answer, one expression in LaTeX.
        declared: the problem's symbols in LaTeX, as names or as a mapping to their domains, or all
            that the problem says of its answer (`reading.question.Question`).

    Returns:
        Accuracy 0 or 100, EED 0 to 100, the verdict, and why: see `explain`.

    Raises:
        JudgeError: where it can't be graded for a reason of ours. That is never a 0.

    >>> round(grade(r"2mg + 2m\frac{v_0^2}{l}", r"2mg + 4m\frac{v_0^2}{l}").eed, 2)
    46.67
    """
    found = locate_answer(answer)
    judged = _judge(found, reference, Question.of(declared))
    if isinstance(judged, _Wrong):
        judged = judged.measure()
    return replace(judged, answer_start=found.start, answer_end=found.end)


def grade_if_quick(
    answer: str, reference: str, *, declared: Collection[str] = ()
) -> GradedAnswer | None:
    r"""
    Grade an answer as `grade` does, unless it is a long one that is wrong.

    The EED of a long one takes ten times as long as its verdict, and of a short one about as long.

    Returns:
        What `grade` returns, or None where it would measure how far a long answer is from the
        reference, which it may find too large for.

    Raises:
        JudgeError: as `grade`.

    >>> grade_if_quick("2mg", "3mg").eed, grade_if_quick("(a+b)(c+d)(f+h)(k+l)(m+n)(p+q)", "3mg")
    (35.0, None)
    """
    found = locate_answer(answer)
    judged = _judge(found, reference, Question.of(declared))
    if isinstance(judged, _Wrong):
        if not judged.is_short:
            return None
        judged = judged.measure()
    return replace(judged, answer_start=found.start, answer_end=found.end)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A wrong answer: its readings, and what they are to be measured by."""

    readings: Sequence[Reading]
    against: ReadReference
    reference: str
    names: Question
    notes: tuple[Sentence, ...]

    @property
    def is_short(self) -> bool:
        expressions = (self.against.reading, *self.readings)
        nodes = chain.from_iterable(sympy.preorder_traversal(one.expression) for one in expressions)
        return sum(1 for _node in islice(nodes, SHORT)) < SHORT

    def measure(self) -> GradedAnswer:
        with _saying_how_read(self.readings[0]):
            return _judge_unequal(
                self.readings, self.against, self.reference, self.names, self.notes
            )


def _judge(found: FoundAnswer, reference: str, names: Question) -> GradedAnswer | _Wrong:
    """Judge what was found in a response, but for the distance of a wrong answer."""
    space = read_space(names)
    against = read_reference(reference, names)
    told = beside(names, find_answer(reference))
    readings = list_readings(found.text, declared=told, beside=against.reading)
    try:
        standard = next(readings)
    except Unreadable as unreadable:
        if unreadable.is_over_limit:
            raise JudgeError(unreadable.reason, Sentence("over_limit")) from None
        return _judge_unreadable(unreadable, against, found.notes)
    with _saying_how_read(standard):
        equality = compare_readings(standard, against.reading, space)
        if equality is Equality.EQUAL:
            return _judge_equal(standard, against, found, told)
        others = list(readings)
        is_undecided = equality is Equality.UNDECIDED
        for other in others:
            equality = compare_readings(other, against.reading, space)
            if equality is Equality.EQUAL:
                return _judge_equal(other, against, found, told, (_OTHER_READING,))
            is_undecided = is_undecided or equality is Equality.UNDECIDED
        spelt = _respell([standard, *others], against, names)
        for reading in (*spelt, *_rescale([standard, *others], against, names)):
            if compare_readings(reading, against.reading, space) is Equality.EQUAL:
                return _judge_equal(reading, against, found, told)
        texts = found.text, find_answer(reference)
        every = [standard, *others, *spelt]
        if (settled := settle(every, against.reading, texts, names)) is not None:
            return _judge_equal(settled.reading, against, found, told, settled.notes)
        if is_undecided:
            raise JudgeError("undecided", Sentence("undecided"))
        _refuse_other_reading([standard, *others], against, space)
        if standard.is_open:
            # Whatever it is, it is not the value asked for.
            refused = Unreadable("other_quantity", 0, len(found.text))
            return _judge_unreadable(refused, against, found.notes)
        return _Wrong([standard, *others], against, reference, names, found.notes)


@contextmanager
def _saying_how_read(answer: Reading) -> Iterator[None]:
    """Say how an answer was read, where it is left to a person."""
    try:
        yield
    except JudgeError as error:
        error.answer_read, error.answer_typed = answer.latex, answer.typed
        raise


@lru_cache(maxsize=512)
def _build_reference_tree(text: str, declared: Question, *, simplified: bool) -> Node:
    expression = read_reference(text, declared).reading.expression
    return _build_tree(expression, simplified=simplified)


def _build_tree(expression: sympy.Expr, *, simplified: bool) -> Node:
    sorted_, named = sort_by_letter(expression)
    return build_tree(simplify(sorted_) if simplified else sorted_, named)


def _respell(
    readings: Sequence[Reading], reference: ReadReference, question: Question
) -> list[Reading]:
    """List readings with the reference's names for what they write otherwise, where they do."""
    spelt = []
    for reading in readings:
        expression, notes = respell(
            reading.expression,
            reference.reading.expression,
            Declared(question),
            list_introduced(question),
        )
        if notes:
            findings = tuple(Finding("spelling", note, 0, 0) for note in notes)
            findings = (*reading.findings, *findings)
            spelt.append(replace(reading, expression=expression, findings=findings))
    return spelt


def _rescale(
    readings: Sequence[Reading], reference: ReadReference, question: Question
) -> Iterator[Reading]:
    """List readings in the reference's unit, where one side is in percent or degrees."""
    told = {finding.code for finding in reference.reading.findings}
    for reading in readings:
        codes = {finding.code for finding in reading.findings}
        for sign, numbers in list_scales((codes, told), question.unit).items():
            note = Finding("units", Sentence.of("unit_left_out", unit=sign), 0, 0)
            findings = (*reading.findings, note)
            for number in numbers:
                yield replace(reading, expression=number * reading.expression, findings=findings)


def _refuse_other_reading(
    readings: Sequence[Reading], reference: ReadReference, space: Space
) -> None:
    """Leave to a person an answer that equals what the reference may have meant as well."""
    for other in reference.others:
        if any(compare_readings(one, other, space) is Equality.EQUAL for one in readings):
            raise JudgeError("reference_ambiguous", Sentence("reference_doubtful"))


def _judge_unreadable(
    unreadable: Unreadable, reference: ReadReference, notes: tuple[Sentence, ...]
) -> GradedAnswer:
    return GradedAnswer(
        verdict=Verdict.UNREADABLE,
        accuracy=0.0,
        eed=0.0,
        reference_read=reference.latex,
        reference_typed=reference.reading.typed,
        notes=(*reference.notes, *notes),
        reason=unreadable.reason,
        message=unreadable.message,
    )


def _judge_equal(
    answer: Reading,
    reference: ReadReference,
    found: FoundAnswer,
    told: Question,
    notes: tuple[Sentence, ...] = (),
) -> GradedAnswer:
    """Judge right an answer of the reference's value, if that is the value of what is asked."""
    if answer.is_open:
        raise JudgeError("left_side", Sentence("left_side"))
    # Where both are written so, they are meant so.
    if _list_doubts(answer) - _list_doubts(reference.reading):
        raise JudgeError("notation", Sentence("notation_doubtful"))
    if doubt := answer.doubt or find_doubt(found, answer, reference.reading, told):
        raise JudgeError("remark", Sentence.of("remark_doubtful", text=doubt))
    return GradedAnswer(
        verdict=Verdict.CORRECT,
        accuracy=FULL,
        eed=FULL,
        distance=0.0,
        relative=0.0,
        reference_read=reference.latex,
        answer_read=answer.latex,
        reference_typed=reference.reading.typed,
        answer_typed=answer.typed,
        notes=(*reference.notes, *answer.notes, *found.notes, *notes),
    )


def _list_doubts(reading: Reading) -> set[str]:
    """List where its notation has readings of which nobody can tell the one that is meant."""
    return {finding.code for finding in reading.findings} & DOUBTFUL


def _judge_unequal(
    readings: Sequence[Reading],
    reference: ReadReference,
    text: str,
    declared: Question,
    found: tuple[Sentence, ...],
) -> GradedAnswer:
    """Judge by the reading that comes nearest to the reference, the first of several."""
    best = _measure(readings[0].expression, reference, text, declared)
    place = 0
    known = list_names(readings[0].expression) | list_names(reference.reading.expression)
    for count, other in enumerate(readings[1:], start=1):
        if not list_names(other.expression) <= known:
            # A symbol that nobody wrote, such as the k_{BT} of `k_BT`, is not what was meant.
            continue
        measured = _measure(other.expression, reference, text, declared, best)
        if measured.eed > best.eed:
            best, place = measured, count
    answer = readings[place]
    notes = (*reference.notes, *answer.notes, *found)
    if place > 0:
        notes = (*notes, _OTHER_READING)
    if not best.is_simplified:
        notes = (*notes, Sentence("not_simplified"))
    notes += _name_unknown(answer, reference.reading, declared)
    return GradedAnswer(
        verdict=Verdict.PARTIAL if best.eed > 0 else Verdict.INCORRECT,
        accuracy=0.0,
        eed=best.eed,
        distance=best.total,
        size=float(best.size),
        relative=best.relative,
        reference_read=reference.latex,
        answer_read=answer.latex,
        reference_typed=reference.reading.typed,
        answer_typed=answer.typed,
        notes=notes,
        edits=tuple(best.distance.list_edits()) if best.distance else (),
        trees=align(best.distance) if best.distance else None,
    )


def _name_unknown(answer: Reading, reference: Reading, declared: Question) -> tuple[Sentence, ...]:
    """Name the symbols of a wrong answer that are neither the reference's nor the problem's."""
    known = list_known(declared) | list_names(reference.expression)
    # What only the key has is no suggestion: a solver is not to learn it from a grade.
    told = list_introduced(declared) if declared.statement else known
    return tuple(UnknownSymbol.of(name, told).message for name in list_strange(answer, known))


@dataclass(frozen=True, slots=True)
class Nearness:
    """How far one reading is from the reference; no distance where EED is 0 in any case."""

    distance: Distance | None
    size: int
    is_simplified: bool

    @property
    def total(self) -> float | None:
        return None if self.distance is None else round(self.distance.total, 6)

    @property
    def relative(self) -> float | None:
        return None if self.total is None else self.total / self.size

    @property
    def eed(self) -> float:
        return 0.0 if self.relative is None else score_distance(self.relative)


def _measure(
    answer: sympy.Expr,
    reference: ReadReference,
    text: str,
    declared: Question,
    best: Nearness | None = None,
) -> Nearness:
    """Measure how far a reading is from the reference, exactly if it is nearer than the best."""
    # Where one side is too large to simplify both stay as they are, or like would not meet like.
    simplified = is_simplifiable(answer) and is_simplifiable(reference.reading.expression)
    target = _build_reference_tree(text, declared, simplified=simplified)
    tree = _build_tree(answer, simplified=simplified)
    is_too_large = tree.size * target.size > MAX_DISTANCE_WORK
    is_hopeless = is_too_large and tree.size >= 2 * target.size
    if is_too_large and not is_hopeless:
        raise JudgeError("too_large", Sentence("over_limit"))
    nearest = best.distance if best is not None and best.is_simplified is simplified else None
    distance = None if is_hopeless else Distance(tree, target, nearest)
    return Nearness(distance, target.size, simplified)
