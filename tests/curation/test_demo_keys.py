"""
Hold the demo's problems to what they promise.

Each key must give the number that an independent method finds, and each answer that the demo's
synthetic solvers hand in must be graded as the file says it is meant to be.
"""

import importlib
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

from curation.problems.checks import Checked, check
from curation.texts.references.dimensions import read_unit
from curation.texts.references.reference import Reference, SymbolRow, Wanted, find_name
from grader_tests.cases import try_each
from grading.demo.benchmark import write_wanted
from phybench_grader import JudgeError, Verdict, grade, read
from phybench_grader.verdict.declarations import is_symbol
from tests.curation.demo_keys import Check

DEMO = Path(__file__).parents[2] / "curation" / "demo"
DOMAINS = sorted(path.stem for path in DEMO.glob("*.toml"))
STAGES = {"accepted", "in_review", "draft"}
DIFFICULTIES = {"HIGH_SCHOOL", "UNDERGRADUATE", "OLYMPIAD"}
SOLVERS = ("strong", "middle", "weak")
INTENTS = {"right", "wrong", "unreadable", "missing"}

Problem = dict[str, Any]

PROBLEMS: dict[str, list[Problem]] = {
    domain: tomllib.loads((DEMO / f"{domain}.toml").read_text(encoding="utf-8"))["problem"]
    for domain in DOMAINS
}
EVERY_PROBLEM: list[Problem] = [
    {**problem, "domain": domain} for domain, problems in PROBLEMS.items() for problem in problems
]


def name_problem(problem: Problem) -> str:
    return str(problem["key"])


def list_rows(problem: Problem) -> list[SymbolRow]:
    return [SymbolRow.read(row) for row in problem["symbols"]]


@cache
def check_problem(key: str) -> Checked:
    (problem,) = (one for some in PROBLEMS.values() for one in some if one["key"] == key)
    return check(
        problem["answer"],
        problem["statement"],
        solution=problem["solution"],
        rows=list_rows(problem),
        wanted=find_wanted(problem),
        reads_twice=True,
    )


def find_wanted(problem: Problem) -> Wanted:
    return Wanted.read(write_wanted(problem, problem["statement"]))


@pytest.fixture(autouse=True)
def patience(settings):
    # The second reader is imported in the child, which on a busy machine takes its time.
    settings.READING_DEADLINE_SECONDS = 60.0


def grade_as_stored(response: str, problem: Problem) -> Verdict | str:
    """
    Grade as grading does, with all the symbols that are declared when it is submitted.

    Of an answer that is for a person, return the reason.
    """
    rows = check_problem(problem["key"]).fill(list_rows(problem))
    reference = Reference(
        problem["answer"],
        tuple(row.declaration for row in rows),
        wanted=find_wanted(problem),
        statement=problem["statement"],
    )
    try:
        return grade(response, reference.answer, declared=reference.question).verdict
    except JudgeError as error:
        return error.reason


def find_check(problem: Problem) -> Check:
    return find_checks(problem["domain"])[problem["key"]]


def find_checks(domain: str) -> dict[str, Check]:
    found: dict[str, Check] = importlib.import_module(f"tests.curation.demo_keys.{domain}").CHECKS
    return found


def each_answer() -> Iterator[Any]:
    for problems in PROBLEMS.values():
        for problem in problems:
            given, intended = problem.get("answers", {}), problem.get("intended", {})
            people = given.get("people", [])
            for solver in SOLVERS:
                if solver in given:
                    yield solver, problem, given[solver], intended[solver]
            for count, typed in enumerate(people):
                yield f"person {count + 1}", problem, typed, intended["people"][count]


# Only a change of the demo, or of how a formula is read, could make it another number.
@pytest.mark.slow
def test_a_key_has_the_value_that_an_independent_method_finds():
    def attempt(problem):
        check = find_check(problem)
        expression = read(problem["answer"]).expression
        values = {read(name).expression: value for name, value in check.point.items()}
        assert expression.free_symbols == set(values)

        of_the_key = complex(sympy.N(expression.subs(values), 20))

        assert of_the_key == pytest.approx(check.value(), rel=check.tolerance)

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_a_statement_names_every_symbol_of_its_key():
    def attempt(problem):
        for symbol in find_check(problem).point:
            assert symbol in problem["statement"]

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_a_problem_keeps_the_rules_for_authors():
    def attempt(problem):
        checked = check_problem(problem["key"])

        assert checked.broken == []
        assert checked.examined.doubts == ()
        assert checked.examined.others == ()
        assert checked.second is None

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_the_units_of_a_key_make_that_of_what_is_asked_for():
    def attempt(problem):
        checked = check_problem(problem["key"])

        assert checked.without_unit == ()
        assert checked.dimension == read_unit(problem["unit"])

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_every_symbol_of_a_problem_is_described_once():
    def attempt(problem):
        rows = list_rows(problem)

        assert all(row.meaning and row.unit for row in rows)
        # What is missing would be added, with nothing said of it, when the problem is submitted.
        checked = check_problem(problem["key"])
        assert checked.fill(rows) == rows
        # A charge e is declared by its author alone.
        described = {row.name for row in rows} - {"e"}
        assert described == {find_name(name) for name in checked.examined.introduced}

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_a_key_is_checked_at_numbers_that_its_symbols_may_have():
    def attempt(problem):
        point = find_check(problem).point
        values = {find_name(latex): sympy.nsimplify(value) for latex, value in point.items()}
        for row in list_rows(problem):
            if row.name not in values:
                continue
            domain, value = row.declaration.read(), values[row.name]
            assert domain.low is None or domain.low <= value
            assert domain.high is None or value <= domain.high
            assert value.is_integer or not domain.is_integer

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_a_label_is_the_name_that_the_solution_gives_the_answer():
    def attempt(problem):
        label = problem["quantity"]
        symbols = {str(symbol) for symbol in read(problem["answer"]).expression.free_symbols}

        assert is_symbol(label)
        assert find_name(label) not in symbols
        assert label in problem["solution"]

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_what_an_author_says_of_an_answer_is_what_grading_makes_of_it():
    def attempt(problem):
        for response in problem.get("must_accept", []):
            assert grade_as_stored(response, problem) is Verdict.CORRECT
        for response in problem.get("must_reject", []):
            assert grade_as_stored(response, problem) in {Verdict.PARTIAL, Verdict.INCORRECT}

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_a_problem_is_whole():
    def attempt(problem):
        assert problem["stage"] in STAGES
        assert problem["difficulty"] in DIFFICULTIES
        assert 0 < len(problem["title"]) <= 80
        assert len(problem["solution"].strip().splitlines()) >= 5
        assert ("answers" in problem) == (problem["stage"] == "accepted")

    try_each(EVERY_PROBLEM, attempt, name_problem)


def test_the_intent_beside_each_answer_is_stated():
    def attempt(problem):
        given, intended = problem.get("answers", {}), problem.get("intended", {})

        assert set(intended) == ({*SOLVERS, "people"} if given else set())
        assert len(intended.get("people", [])) == len(given.get("people", []))
        for solver in SOLVERS:
            if intended:
                assert intended[solver] in INTENTS
                assert (intended[solver] == "missing") == (solver not in given)

    try_each(EVERY_PROBLEM, attempt, name_problem)


# Beside it answers of every problem are graded that its author thought of.
@pytest.mark.slow
def test_an_answer_is_graded_as_it_was_meant():
    meant = {
        # While nothing says what is asked, `T_f/T_i = …` is for a person.
        "right": {Verdict.CORRECT},
        "wrong": {Verdict.PARTIAL, Verdict.INCORRECT},
        "unreadable": {Verdict.UNREADABLE},
    }

    def grade_it(named):
        _solver, problem, response, intent = named

        assert grade_as_stored(response, problem) in meant[intent]

    try_each(list(each_answer()), grade_it, lambda named: f"{named[0]}: {named[1]['key']}")


def test_no_two_problems_share_a_key_or_a_title():
    for field in ("key", "title"):
        counts = Counter(problem[field] for problems in PROBLEMS.values() for problem in problems)
        assert [text for text, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_check_is_left_without_its_problem(domain):
    assert set(find_checks(domain)) == {problem["key"] for problem in PROBLEMS[domain]}
