"""Texts made to hang, to crash or to eat memory: each has its outcome within its seconds."""

import time

import pytest
import sympy

from grader_tests.cases import leave_most_to_slow
from phybench_grader import JudgeError, Verdict, grade, read
from phybench_grader.numbers.limits import MAX_CHARACTERS
from phybench_grader.reading.reading import Unreadable, write_latex

LONG_SUM = "+".join(rf"\sin(x+{i}y)" for i in range(900))
REFUSED = [
    ("9^{9^{9^9}}", "too_large"),
    ("10^{10^{10}}", "too_large"),
    ("9**9**9**9", "too_large"),
    ("(10^{9})!", "too_large"),
    ("x!!!", "unknown_function"),
    ("x" + "!" * 3000, "unknown_function"),
    (r"\langle " * 500, "unknown_command"),
    ("J_{99}(x)", "too_large"),
    ("171!!", "too_large"),
    ("3e999", "too_large"),
    (r"\binom{10000}{5}", "too_large"),
    (r"P_{99}(\cos x)", "too_large"),
    (r"\Gamma(999)", "too_large"),
    ("1" * 41, "too_large"),
    ("(10^{999})^{4}", "too_large"),
    ("10^{900}" * 400, "too_large"),
    ("((2^{x+900})^{900})^{900}", "too_large"),
    (r"\exp(\exp(\exp(\exp(100))))", "too_large"),
    ("(" * 4000, "too_deep"),
    ("{" * 4000, "too_deep"),
    ("x+" * 500_000, "too_long"),
    ("x_{" * 1000, "bracket"),
    (r"\sin" * 1000, "too_deep"),
    ("x^{" * 500, "bracket"),
    ("|" * 2000, "too_deep"),
    (r"\frac" * 800, "too_deep"),
    (r"\boxed{" * 500, "too_deep"),
    ("^" * 1000, "script"),
    ("_" * 1000, "script"),
    ("=" * 1000, "missing"),
    ("\x00", "unknown_character"),
    ("\ud800", "unknown_character"),
    ("1/0", "undefined"),
    (r"\tan\frac{\pi}{2}", "undefined"),
    (r"\ln 0", "undefined"),
    ("", "empty"),
    ("  $$ $$ ", "empty"),
    ("(" * 300 + "x" + ")" * 300, "too_deep"),
    (r"\frac{1}{" * 100 + "x" + "}" * 100, "too_deep"),
    (r"\frac1" * 100 + "x", "too_deep"),
    ("+".join(f"x_{{{i}}}" for i in range(2_500)), "too_long"),
    ("x" * 20_001, "too_long"),
    pytest.param("+".join(f"|x-{i}y|" for i in range(900)), "too_large", marks=pytest.mark.slow),
    ("170!" * 3_000, "too_large"),
    ("10^{999}" * 2_000, "too_large"),
    ("x" * 1024**2, "too_long"),
    ("9" * 40 + "^" + "9" * 40, "too_large"),
    ("171!", "too_large"),
    ("170!" * 20, "too_large"),
    ("0." + "0" * 60, "too_large"),
    ("x\x07y", "unknown_character"),
    ("\x1b[31mx", "unknown_character"),
    ("x\u202ey", "unknown_character"),
    ("__import__('os')", "script"),
    ("__import__('os').system('true')", "script"),
    ("x.__class__", "unknown_character"),
    ("lambda: 0", "unknown_character"),
    # What looks like an x or an a and is none: Cyrillic, full width, mathematical, Greek, Roman.
    ("х", "words"),
    ("а+b", "words"),
    ("ｘ", "words"),
    ("𝑥", "words"),
    ("Α", "unknown_command"),
    ("ⅹ", "unknown_character"),
    ("e\u0301", "unknown_character"),
    ("١٢", "unknown_character"),
]

BOUNDED = [
    "(" * 64 + "x" + ")" * 64,
    r"\sqrt{1-" * 31 + "x" + "}" * 31,
    r"\frac{1}{1+" * 30 + "x" + "}" * 30,
    "|1-" * 30 + "x" + "|" * 30,
    r"\ln(1+" * 30 + "x" + ")" * 30,
    r"\sin" * 60 + " x",
    "x^{" * 60 + "x" + "}" * 60,
    "-" * 4000 + "x",
    "+".join(f"x_{{{i}}}" for i in range(490)),
    "".join(f"(x_{{{i}}}+1)" for i in range(330)),
    "((x+y)^{999}+z)^{999}",
    r"\sin(10^{39})",
    r"e^{10^{30}x}",
    r"\ln(1000000000000000000000000000057\cdot 1000000000000000000000000000133)",
    r"\sin a b c d e f g h i j k l m n o p" * 5,
    "1/2a" * 100,
    "+".join(rf"\frac{{1}}{{x+{i}}}" for i in range(150)),
    r"i^{i^{i^{i}}}",
    "+".join(["x"] * 2_000),
    "x " * 2_000,
    "170!170!",
    "9^{999}",
    "(((x!)!)!)!",
    "+".join(f"x_{{{i}}}" for i in range(2_000)),
    "".join(f"(x_{{{i}}}+1)" for i in range(1_300)),
    "+".join(rf"\sqrt{{x^2-{i}y}}" for i in range(390)),
    "+".join(rf"\frac{{1}}{{x+{i}}}" for i in range(480)),
    "+".join(rf"\arctan(x_{{{i}}})" for i in range(700)),
    "+".join(f"|x-{i}y|" for i in range(400)),
    "+".join(f"({i}x)!" for i in range(1, 400)),
    "*".join(f"(a_{{{i}}}-b_{{{i}}})" for i in range(500)),
    r"\sqrt{" + "".join(f"(a_{{{i}}}-b_{{{i}}})" for i in range(400)) + "}",
    r"\sin a b c d e f g h i j k l m n o p" * 400,
    "1/2a" * 2_500,
    "f(x)" * 4_000,
    r"\sin x y " * 1_500,
    "-" * 19_000 + "x",
    "x^{y^{z^{x^{y^{z}}}}}" * 500,
    "(a+b+c+d+k+f+g)^{30}" * 600,
    "eval(1)exec",
    "J_0(" * 60 + "x" + ")" * 60,
    "J_1^2(" * 60 + "x" + ")" * 60,
    "+".join(f"J_0(x_{{{i}}})" for i in range(250)),
    "J_{30}(x^9)+Y_{30}(x^9)",
    r"\max(a," * 60 + "b" + ")" * 60,
    r"\max(" + ",".join(f"x_{i}" for i in range(500)) + ")",
    r"\lfloor " * 60 + "x" + r"\rfloor" * 60,
    "+".join(rf"\zeta({i}/7)x" for i in range(8, 200)),
    r"\Gamma(1/3)" * 350,
    r"(P_{12}(\cos x)+y)^{12}",
    r"\operatorname{sinc}(x+y)" * 150,
    r"\operatorname{Re}(e^{ix})" * 150,
    r"\sqrt[3]{a-" * 30 + "b" + "}" * 30,
    "1/2a" * 1_000,
    r"a/b\sin x" * 400,
    "a(2)" * 1_000,
    r"\sin x\,y" * 400,
    r"\Delta x" * 580,
    r"\mathbf{a}" * 350,
    r"x^{\prime 2}" * 300,
    "3e8 " * 1_000,
    r"|a\rangle" * 2_000,
    "r̂" * 5_000,
    r"\frac{a}{2}%" * 1_500,
    r"40\%" * 4_000,
    r"\underline{" * 1_500 + "x" + "}" * 1_500,
    r"\text{$x$}" * 1_500,
    "V(a)+V(b)" * 2_000,
    "V(" * 2_000 + "a" + ")" * 2_000,
    r"\langle" * 1_000 + "a" + r"|\rangle" * 1_000,
    "Re(" * 500 + "z" + ")" * 500,
    "x+" * 2_000 + "O(x^" * 500 + "2" + ")" * 500,
    "√[" * 60 + "a" + "]" * 60,
    r"\blacksquare" * 1_500,
    "+".join(f"a_{i}!" for i in range(100)),
    "+".join(f"a_{i}!/b_{i}" for i in range(20)),
    "+".join(f"a_{i}/(b_{i}+c_{i})" for i in range(20)),
    "".join(f"(a_{i}/b_{i}+c_{i})" for i in range(20)),
    "".join(f"a_{i}/(b_{i}+" for i in range(20)) + "1" + ")" * 20,
    "+".join(rf"\frac{{a_{i}}}{{b_{i}+c}}" for i in range(6)) + r"\cos c",
    r"(\sin{(\sin{(\frac{10!}{v_0!})})}-x_1)^{1/2}",
    "+".join(f"a_{i}/b_{i}c_{i}" for i in range(12)) + r"+\sin(x/y)",
]

SECONDS = 4
"""CPU time, twice what any of them may take, for machines under load."""
OURS = {"too_large", "too_deep"}
"""What is over these limits may be right: it is not graded, and costs nobody."""


@pytest.mark.parametrize(
    ("text", "reason"),
    [*REFUSED, (LONG_SUM, "too_large")],
    ids=lambda value: ascii(value[:20]),
)
def test_a_text_beyond_the_limits_is_refused_with_its_reason(text, reason):
    begun = time.process_time()

    with pytest.raises(Unreadable) as refusal:
        read(text)

    assert refusal.value.reason == reason
    assert 0 <= refusal.value.start <= refusal.value.end <= len(text)
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    "text", leave_most_to_slow(BOUNDED, one_of=8), ids=lambda value: ascii(value[:20])
)
def test_a_text_within_the_limits_is_graded_or_left_open_in_bounded_time(text):
    begun = time.process_time()

    try:
        judgement = grade(text, "x+y")
    except JudgeError:
        pass
    else:
        assert judgement.eed < 60

    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    ("text", "reason"),
    [*REFUSED, pytest.param(LONG_SUM, "too_large", marks=pytest.mark.slow)],
    ids=lambda value: ascii(value[:20]),
)
def test_what_is_over_a_limit_of_ours_is_left_to_a_person_and_the_rest_is_unreadable(text, reason):
    begun = time.process_time()

    try:
        judgement = grade(rf"So the answer is $\boxed{{{text}}}$", "x+y")
    except JudgeError as failure:
        found = failure.reason, None
    else:
        found = judgement.reason, judgement.verdict

    # An opened brace that nobody closes leaves no box, but the response.
    if "{" in text and text.count("{") != text.count("}"):
        assert found[0]
    elif text.strip():
        # In a response it may be refused for another reason: an empty box is none.
        expected = (reason, None) if reason in OURS else (found[0], Verdict.UNREADABLE)
        assert found == expected
    assert time.process_time() - begun < SECONDS


SUMS = ["a+b+c+d", "a+b+c+d+f", "a-2b+3c", r"\frac{a}{7}+b\sin t+c"]


@pytest.mark.parametrize(
    ("total", "power"),
    [
        pytest.param(total, power, marks=pytest.mark.slow if power > 3 and total != SUMS[0] else ())
        for total in SUMS
        for power in (3, 6, 7)
    ],
)
def test_a_power_multiplied_out_is_graded_however_long_it_is(total, power):
    reference = rf"\left({total}\right)^{{{power}}}"
    expanded = sympy.expand(read(reference).expression)
    *terms, last = expanded.as_ordered_terms()

    assert len(write_latex(expanded)) < MAX_CHARACTERS
    assert grade(write_latex(expanded), reference).verdict is Verdict.CORRECT
    wrong = grade(write_latex(sympy.Add(*terms, 2 * last)), reference)
    assert wrong.verdict in (Verdict.PARTIAL, Verdict.INCORRECT)


def test_a_response_is_never_refused_for_its_length():
    response = "I think. " * 100_000 + r"So it is $\boxed{y+x}$. " + "Indeed. " * 10_000

    assert grade(response, "x+y").verdict is Verdict.CORRECT


def test_two_sides_too_large_to_measure_the_one_by_the_other_are_left_to_a_person():
    long = "+".join(f"x_{{{number}}}" for number in range(900))
    begun = time.process_time()

    with pytest.raises(JudgeError) as failure:
        grade(long, long.replace("x_{0}", "y"))

    assert failure.value.reason == "too_large"
    assert grade(long, long).verdict is Verdict.CORRECT
    assert time.process_time() - begun < SECONDS


RESPONSES = [
    "$a$ ", "$$a$$ or ", "thus $a$. ", "\\boxed{", "\\boxed{a} ", "\\boxed{}", "**a", "`",
    "# answer\n", "answer: ", "<answer>", "\\begin{align}", "\\text{", "\\\\frac{", "答案：", "$",
    "\\[ a \\] ", "thus ", "a = b\n", "{$a$}",
]  # fmt: skip
STATEMENTS = [
    "a=b, ", "a = b \\\\ ", "v=a \\text{ or } ", "\\text{where } a=b,", "n=1,", "(a=", "(x(",
    "a \\quad b=", "a\\approx 1.5", "\\text{m}^2 ", "\\frac{\\text{m}}{", "(a) ", "so ", "a at ",
    "\\Rightarrow ", "v^{(1)}", "\\langle ", "\\frac{d", "{a}", "其中", "a->", "x= 1 and ",
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    leave_most_to_slow(
        [
            *(part * (1024**2 // len(part)) for part in RESPONSES),
            *(p * (4090 // len(p)) for p in STATEMENTS),
        ],
        one_of=6,
    ),
    ids=lambda text: ascii(text[:20]),
)
def test_a_statement_is_found_and_parted_in_bounded_time(text):
    begun = time.process_time()

    try:
        judgement = grade(text, "x+y")
    except JudgeError:
        pass
    else:
        assert judgement.eed < 60

    assert time.process_time() - begun < SECONDS
