"""Texts made to hang, to crash or to eat memory: each has its outcome within its seconds."""

import time

import pytest

from grading.expressions import JudgeError, Unreadable, grade, read

REFUSED = [
    ("9^{9^{9^9}}", "too_large"),
    ("10^{10^{10}}", "too_large"),
    ("9**9**9**9", "too_large"),
    ("(10^{9})!", "too_large"),
    ("x!!", "unknown_function"),
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
    ("+".join(f"x_{{{i}}}" for i in range(2_000)), "too_long"),
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
    "eval(1)exec",
]

SECONDS = 10
"""Far above what any of them takes, for machines under load."""
CPU_SECONDS = 2


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=lambda value: ascii(value[:20]))
def test_a_text_beyond_the_limits_is_refused_with_its_reason(text, reason):
    begun = time.monotonic()

    with pytest.raises(Unreadable) as refusal:
        read(text)

    assert refusal.value.reason == reason
    assert 0 <= refusal.value.start <= refusal.value.end <= len(text)
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize("text", BOUNDED, ids=lambda value: ascii(value[:20]))
def test_a_text_within_the_limits_is_graded_or_left_open_in_bounded_time(text):
    begun = time.monotonic()

    try:
        judgement = grade(text, "x+y")
    except JudgeError:
        pass
    else:
        assert judgement.eed < 60

    assert time.monotonic() - begun < SECONDS


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
    [
        *(part * (1024**2 // len(part)) for part in RESPONSES),
        *(p * (4090 // len(p)) for p in STATEMENTS),
    ],
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

    assert time.process_time() - begun < CPU_SECONDS
