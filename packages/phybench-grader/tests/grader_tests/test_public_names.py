"""The eight public names and their signatures: who installs the package builds on these."""

import inspect

import phybench_grader

SIGNATURES = {
    "grade": "(answer: 'str', reference: 'str', *, declared: 'Collection[str]' = ())"
    " -> 'GradedAnswer'",
    "read": "(text: 'str', *, declared: 'Collection[str]' = (), beside: 'Reading | None' = None)"
    " -> 'Reading'",
    "compare": "(left: 'str', right: 'str', *, declared: 'Collection[str]' = ()) -> 'Equality'",
    "explain": "(graded: 'GradedAnswer') -> 'dict[str, Any]'",
    "Verdict": ["CORRECT", "PARTIAL", "INCORRECT", "UNREADABLE"],
    "JudgeError": "(reason: 'str', message: 'Sentence') -> 'None'",
    "Declaration": "(latex: 'str', sign: 'str' = 'positive', low: 'str' = '', high: 'str' = '')"
    " -> None",
    "GRADER_VERSION": str,
}
"""Add to it; what stands here changes only with a new major version."""


def describe(name: str) -> object:
    value = getattr(phybench_grader, name)
    if isinstance(value, str):
        return str
    return [*value] if name == "Verdict" else str(inspect.signature(value))


def test_the_public_names_are_as_they_were():
    assert {*phybench_grader.__all__} == {*SIGNATURES, "NotGraded"}
    assert {name: describe(name) for name in SIGNATURES} == SIGNATURES
    assert phybench_grader.NotGraded is phybench_grader.JudgeError


def test_each_public_name_says_what_it_takes_and_gives():
    for name in ("grade", "read", "compare", "explain"):
        text = inspect.getdoc(getattr(phybench_grader, name)) or ""
        assert len(text.splitlines()) > 3, name
        assert ">>>" in text, name
