"""What KaTeX says of formulas: our words for it, the place, and where it stops."""

import json
import subprocess
import sys

import pytest
from django.conf import settings

from curation.texts import katex
from curation.texts.katex import Complaint, set_each
from phybench_grader.reading import mistyped

SCRIPTS = tuple(str(script) for script in settings.TYPESETTING_SCRIPTS)

WRONG = [
    (r"v + \foo{v}", "tex_unknown_command", {"what": r"\foo"}, r"\foo"),
    (r"2\alfa", "tex_mistyped_command", {"what": r"\alfa", "meant": r"\alpha"}, r"\alfa"),
    (r"\begin{foo}a\end{foo}", "tex_unknown_environment", {"what": "foo"}, "{foo}"),
    (r"\frac{1}{", "tex_unclosed", {"what": "}"}, "{"),
    (r"\sqrt{a + \{ b \}", "tex_unclosed", {"what": "}"}, "{"),
    (r"\left( a", "tex_unclosed", {"what": r"\right"}, r"\left"),
    (r"\sqrt[3", "tex_unclosed", {"what": "]"}, "["),
    (r"\begin{cases} a", "tex_unclosed", {"what": r"\end"}, r"\begin"),
    ("a}", "tex_unopened", {"what": "}"}, "}"),
    (r"a \right)", "tex_unopened", {"what": r"\right"}, r"\right"),
    ("a & b", "tex_ampersand", {}, "&"),
    (r"\frac{1}", "tex_ends_early", {}, r"\frac{1}"),
    (r"\begin{matrix} a \end{pmatrix}", "tex_mismatch", {"what": "matrix", "found": "pmatrix"}, ""),
    ("x^1^2", "tex_double_superscript", {}, "^"),
    ("x_1_2", "tex_double_subscript", {}, "_"),
    ("x^", "tex_argument", {"what": "^"}, "^"),
    (r"\sqrt\sqrt x", "tex_braces", {"what": r"\sqrt"}, r"\sqrt"),
    (r"\text{a \frac12}", "tex_not_in_text", {"what": r"\frac"}, r"\frac"),
    ("x $y", "tex_not_in_mathematics", {"what": "$"}, "$"),
    (r"\begin{align}a&=b\end{align}", "tex_display_only", {"what": "align"}, None),
    (r"x \tag{1}", "tex_display_only", {"what": r"\tag"}, None),
    (r"\href{https://example.org}{x}", "tex_untrusted", {"what": r"\href"}, None),
    (r"\htmlClass{typed}{x}", "tex_untrusted", {"what": r"\htmlClass"}, None),
    (r"\typed{x}", "tex_unknown_command", {"what": r"\typed"}, r"\typed"),
    (r"\def\a{\a\a}\a", "tex_too_large", {}, None),
    ("{" * 3000 + "}" * 3000, "tex_too_deep", {}, None),
    (r"\rule{2x}{3}", "tex_other", {"message": "Invalid size: '2x'"}, "{2x}"),
    ("𝑥 质 \\foo", "tex_unknown_command", {"what": r"\foo"}, r"\foo"),
]


@pytest.mark.parametrize(("tex", "code", "filled", "marked"), WRONG)
def test_what_is_wrong_is_said_in_our_words_with_its_place(tex, code, filled, marked):
    [found] = set_each([(tex, False)], scripts=SCRIPTS)
    assert found is not None
    assert (found.code, dict(found.filled)) == (code, filled)
    if marked != "":
        assert tex[found.start : found.end] == (tex if marked is None else marked)


SOUND = [
    r"v_{\text{末}} = \sqrt{2 g h}",
    r"\arsinh x + \sech y + \erf z",
    r"\begin{cases} a & b \\ c & d \end{cases}",
    r"\vec{E} = -\nabla\varphi,\quad 30^\circ \ket{a}",
    r"\newcommand{\a}{b} \a",
    "质量 m",
    "",
]


@pytest.mark.parametrize("tex", SOUND)
def test_what_the_pages_can_show_is_not_complained_of(tex):
    assert set_each([(tex, False), (tex, True)], scripts=SCRIPTS) == [None, None]


def test_each_command_that_is_suggested_can_be_displayed():
    # None needs more than two arguments.
    formulas = [(rf"\{name}{{x}}{{y}}", True) for name in sorted(mistyped._COMMANDS)]
    found = set_each(formulas, scripts=SCRIPTS)
    assert [tex for (tex, _), one in zip(formulas, found, strict=True) if one] == []


def test_what_needs_a_formula_on_its_own_is_sound_there():
    assert set_each([(r"\begin{equation} x \end{equation}", True)], scripts=SCRIPTS) == [None]


def test_what_one_formula_defines_is_unknown_in_the_next():
    found = set_each([(r"\gdef\a{b} \a", False), (r"\a", False)], scripts=SCRIPTS)
    assert found[0] is None
    assert found[1] is not None


def test_katex_is_loaded_once_and_anew_after_it_was_stopped(monkeypatch):
    katex._load.cache_clear()
    for _ in range(2):
        set_each([("x", False), ("y", False)], scripts=SCRIPTS)
    assert katex._load.cache_info().misses == 1
    monkeypatch.setattr(katex, "SECONDS", 0.002)
    long = r"\sqrt{x^{2}}" * 1600
    assert set_each([(long, False)], scripts=SCRIPTS) == [
        Complaint("tex_too_large", (), 0, len(long))
    ]
    monkeypatch.undo()
    assert set_each([("x", False)], scripts=SCRIPTS) == [None]
    assert katex._load.cache_info().misses == 1


def test_all_formulas_of_a_text_share_its_second(monkeypatch):
    monkeypatch.setattr(katex, "SECONDS", 0)
    found = set_each([("x", False), ("y", False)], scripts=SCRIPTS)
    assert [one and one.code for one in found] == ["tex_too_large", "tex_too_large"]


def test_what_takes_too_much_memory_is_stopped(monkeypatch):
    monkeypatch.setattr(katex, "MEMORY", 3 * 1024**2)
    katex._load.cache_clear()
    tex = r"\sqrt{x^{2}}" * 1600
    [found] = set_each([(tex, False)], scripts=SCRIPTS)
    katex._load.cache_clear()
    assert found is not None
    assert found.code == "tex_too_large"


def test_a_child_needs_no_django_for_it():
    code = (
        "import json, sys; from curation.texts.katex import set_each; "
        f"set_each([('x', False)], scripts={SCRIPTS!r}); "
        "print(json.dumps('django' in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, check=True
    )
    assert json.loads(done.stdout) is False
