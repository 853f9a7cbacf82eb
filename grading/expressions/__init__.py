"""
Reading, comparing and grading symbolic answers: pure, SymPy only, no Django.

What a grade is follows PHYBench (arXiv 2504.16074); see `grade`.
"""

from grading.expressions.alignment import MarkedNode, MarkedTrees
from grading.expressions.answer import list_readings, read
from grading.expressions.certificate import (
    CASE_KINDS,
    Case,
    CaseOutcome,
    Cases,
    Expected,
    TriedCase,
    list_cases,
    try_case,
)
from grading.expressions.clusters import Group, group_answers
from grading.expressions.corrected import compare_references
from grading.expressions.declarations import SIGNS, Declaration, Undeclarable, declare, declare_each
from grading.expressions.distance import Edit
from grading.expressions.domains import POSITIVE, Domain
from grading.expressions.equality import Equality
from grading.expressions.examination import Examined, check_reference, examine
from grading.expressions.grade import GRADER_VERSION, GradedAnswer, Verdict, grade
from grading.expressions.mistyped import find_command
from grading.expressions.question import Question
from grading.expressions.ranges import read_domain
from grading.expressions.reading import TELLING, JudgeError, Reading, Unreadable
from grading.expressions.response import FoundAnswer, find_answer, locate_answer
from grading.expressions.rule_book import SIX_RULES, RuleForPeople, find_rule
from grading.expressions.rules import BrokenRule, check_solution, check_statement
from grading.expressions.second_reader import Accord, SecondReading, read_twice
from grading.expressions.sentences import RULES, SENTENCES, Sentence
from grading.expressions.transcript import plain
from grading.expressions.unknown import UnknownSymbol, list_unknown, read_for
from grading.expressions.unordered import UNORDERED_VERSION, UnorderedEED, measure_written
from grading.expressions.values import PointValues, Values, compare_values
from grading.expressions.variants import UnusedVariant

__all__ = [
    "CASE_KINDS",
    "GRADER_VERSION",
    "POSITIVE",
    "RULES",
    "SENTENCES",
    "SIGNS",
    "SIX_RULES",
    "TELLING",
    "UNORDERED_VERSION",
    "Accord",
    "BrokenRule",
    "Case",
    "CaseOutcome",
    "Cases",
    "Declaration",
    "Domain",
    "Edit",
    "Equality",
    "Examined",
    "Expected",
    "FoundAnswer",
    "GradedAnswer",
    "Group",
    "JudgeError",
    "MarkedNode",
    "MarkedTrees",
    "PointValues",
    "Question",
    "Reading",
    "RuleForPeople",
    "SecondReading",
    "Sentence",
    "TriedCase",
    "Undeclarable",
    "UnknownSymbol",
    "UnorderedEED",
    "Unreadable",
    "UnusedVariant",
    "Values",
    "Verdict",
    "check_reference",
    "check_solution",
    "check_statement",
    "compare_references",
    "compare_values",
    "declare",
    "declare_each",
    "examine",
    "find_answer",
    "find_command",
    "find_rule",
    "grade",
    "group_answers",
    "list_cases",
    "list_readings",
    "list_unknown",
    "locate_answer",
    "measure_written",
    "plain",
    "read",
    "read_domain",
    "read_for",
    "read_twice",
    "try_case",
]
