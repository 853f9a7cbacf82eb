"""Responses are set as they are meant."""

import pytest

from curation.texts.rendering import MAX_CHARACTERS
from grading.answers.responses import FAR_DOWN, is_formula, mark_boxes, part_at_box


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("m g h", True),
        (r"\frac{m v^2}{2} + \sin\theta", True),
        (r"v = \sqrt{2 g h}", True),
        ("the ball stops", False),
        ("It is $m g h$.", False),
        (r"So \[x = 1\]", False),
        (r"\boxed{x}", False),
        ("x\ny", False),
        ("x" * 501, False),
    ],
)
def test_one_formula_alone_is_told_from_prose(response, expected):
    assert is_formula(response) is expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (r"So \boxed{\frac{a}{b}}.", r"So $\boxed{\frac{a}{b}}$."),
        (r"$\boxed{x}$ and \boxed{y}", r"$\boxed{x}$ and $\boxed{y}$"),
        (r"\[\boxed{x}\]", r"\[\boxed{x}\]"),
        (r"$$a = \boxed{x}$$", r"$$a = \boxed{x}$$"),
        (r"`\boxed{x}`", r"`\boxed{x}`"),
        (r"\boxed{\{x\}}", r"$\boxed{\{x\}}$"),
        (r"\boxed{x and no more", r"\boxed{x and no more"),
        (r"\boxed{} \boxed{x}", r"$\boxed{}$ $\boxed{x}$"),
        ("no box", "no box"),
        ("", ""),
    ],
)
def test_a_box_in_no_formula_becomes_one(response, expected):
    assert mark_boxes(response) == expected


@pytest.mark.parametrize("piece", [r"\boxed{", "$", r"\(", "`", r"\["])
def test_a_hostile_response_stays_as_it_was_as_far_as_it_is_shown(piece):
    text = piece * 200_000
    assert mark_boxes(text) == text[: MAX_CHARACTERS + 1]


LONG = "It falls. " * (FAR_DOWN // 5)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (f"{LONG}\n\nSo $\\boxed{{x}}$.", (LONG, "\n\nSo $\\boxed{x}$.")),
        # The last one counts.
        (
            f"$\\boxed{{y}}$ {LONG}\n\n$\\boxed{{x}}$\n\nDone.",
            (f"$\\boxed{{y}}$ {LONG}", "\n\n$\\boxed{x}$\n\nDone."),
        ),
        (f"{LONG}\n\nNo box.", None),
        ("Short.\n\n$\\boxed{x}$", None),
        (f"{LONG} $\\boxed{{x}}$", None),
        # Nothing is cut in two.
        (f"{LONG}\n\n$$a =\n\n\\boxed{{x}}$$", None),
        (f"{LONG}```\ncode\n\n\\boxed{{x}}\n```", None),
        (f"{LONG}\\[\n\n\\boxed{{x}}\\]", None),
        ("", None),
    ],
)
def test_a_long_response_is_parted_before_the_paragraph_of_its_last_box(response, expected):
    assert part_at_box(response) == (expected or ("", response))
