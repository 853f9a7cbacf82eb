"""What a problem asks for: how it is typed, drafted, and set beside the answer."""

import pytest

from curation.problems.checks import check
from curation.texts.references.reference import SymbolRow, Wanted, fill
from curation.texts.references.wanted import check_wanted, draft_wanted, is_condition, split_list
from phybench_grader import read

LENGTHS = [SymbolRow("g", unit="m/s^2"), SymbolRow("h", unit="m"), SymbolRow("R", unit="m")]


def list_broken(wanted: Wanted, answer: str) -> list[str]:
    checked = check(answer, r"Of $g$, $h$, $R$ and $\omega$.", rows=LENGTHS, wanted=wanted)
    return [rule.code for rule in checked.wanted]


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ("", []),
        (" , ; ", []),
        (r"\omega, g; R", [r"\omega", "g", "R"]),
        (r"$m$, $v_{1,2}$", ["m", "v_{1,2}"]),
        ("f(x, y)，z", ["f(x, y)", "z"]),
        ("a)b, c", ["a)b", "c"]),
    ],
)
def test_a_list_is_split_at_commas_outside_brackets(typed, listed):
    assert split_list(typed) == listed


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("", Wanted()),
        ("A ball of mass $m$ rolls, $v>0$.", Wanted(conditions=("v>0",))),
        ("Find $v$ in terms of $g$ and $h$.", Wanted("v", "", ("g", "h"))),
        (
            "Express the answer in terms of $g$, $h$ for $R>h$.",
            Wanted("", "", ("g", "h"), ("R>h",)),
        ),
        ("Find the place where $F = 0$. Give $x_0$.", Wanted("x_0")),
        ("Find $z$ as a function of $z$ and $t$.", Wanted("", "", ("z", "t"))),
        ("试求速度 $v$，结果用 $g$、$h$ 表示。", Wanted("v", "", ("g", "h"))),
        (r"Given $0<\theta\le\pi$, $a=b$ and $5 < 6$.", Wanted(conditions=(r"0<\theta\le\pi",))),
        ("$$a < b$$ What is $T$? Neglect $f$.", Wanted("T", "", (), ("a < b",))),
        ("Costs $5 and $6.", Wanted()),
        ("Find $v$ in m/s in terms of $g$.", Wanted("v", "m/s", ("g",))),
        ("Find the force $F$ in kg m/s^2.", Wanted("F", "kg m/s^2")),
        ("Find the speed $v$ in m/s at which it falls.", Wanted("v", "m/s")),
        ("Find the current $I$ in a wire. Find $c$ in water.", Wanted("c")),
    ],
)
def test_it_is_drafted_from_the_words_of_a_statement(statement, wanted):
    assert draft_wanted(statement) == wanted


def test_a_statement_of_hundreds_of_conditions_is_not_read_by_the_page():
    """By the page: the grader reads them later, in a child with a deadline."""
    heavy = "$((x+y)^{999}+z)^{999}<w_{%d}$ "
    drafted = draft_wanted("".join(heavy % number for number in range(600)))
    assert len(drafted.conditions) == 40


@pytest.mark.parametrize("text", ["a < b", r"0 < a \le b", r"\mu g<a", r"n \geq 1", r"x \neq 0"])
def test_a_condition_relates_expressions_of_symbols(text):
    assert is_condition(text)


@pytest.mark.parametrize("text", ["", "a", "a = b", "a <", "< b", "1 < 2", r"\frac{a < b", "a ~ b"])
def test_anything_else_is_none(text):
    assert not is_condition(text)


@pytest.mark.parametrize(
    ("wanted", "answer", "broken"),
    [
        (Wanted("v", "m/s", ("g", "h"), ("h > R",)), r"\sqrt{2gh}", []),
        (Wanted("E"), "E", ["asks_itself"]),
        (Wanted("E"), "E_0 + E", ["asks_itself"]),
        (Wanted("E"), "E_0", []),
        (Wanted("h/R"), r"\frac{h}{R}", ["asks_itself"]),
        (Wanted("h/R"), "h", []),
        (Wanted("v", "m"), r"\sqrt{2gh}", ["other_unit"]),
        (Wanted("v", "furlong per what"), r"\sqrt{2gh}", ["unknown_unit"]),
        (Wanted("v", "", ("g",)), r"\sqrt{2gR}", ["not_listed"]),
        (Wanted("v", "", ("g",)), r"\sqrt{2gh}", ["not_listed"]),
        # A constant that needs no introduction need not be listed.
        (Wanted("v", "", ("h",)), r"c h", []),
        (Wanted("v", "", ("g h",)), "h", ["no_term", "not_listed"]),
        (Wanted("v", "", (), ("h is large",)), r"\sqrt{2gh}", ["condition"]),
        (Wanted("v", "", (), ("h > 2h",)), r"\sqrt{2gh}", ["condition"]),
        (Wanted("v", "m"), r"\frac{h", []),
    ],
)
def test_what_does_not_fit_the_answer_is_named(wanted, answer, broken):
    assert list_broken(wanted, answer) == broken


def test_a_square_asked_for_by_its_root_is_not_green():
    """The angular velocity is asked for; its square has another unit."""
    rows = [*LENGTHS, SymbolRow(r"\omega", unit="1/s")]
    wanted = Wanted(r"\Omega", "1/s", (r"\omega", "g", "R"))
    statement = r"Of $\omega$, $g$ and $R$."
    for answer, codes in ((r"\omega^2-g/R", ["other_unit"]), (r"\sqrt{\omega^2-g/R}", [])):
        found = check(answer, statement, rows=rows, wanted=wanted).wanted
        assert [rule.code for rule in found] == codes


def test_without_a_unit_for_each_symbol_nothing_is_said_of_the_unit():
    assert check_wanted(Wanted("v", "m"), read("q"), None) == []


def test_a_row_that_was_taken_out_stays_away_until_it_is_typed_again():
    found = ["v_0", "g"]
    assert [row.latex for row in fill([SymbolRow("g")], found, ["v_{0}"])] == ["g"]
    typed = [SymbolRow("g"), SymbolRow("v_0", "speed")]
    assert fill(typed, found, ["v_{0}"]) == typed


def test_an_answer_without_a_dimension_is_called_so():
    found = check(r"\frac{g}{g}", "Of $g$.", rows=LENGTHS, wanted=Wanted("v", "m")).wanted
    assert [rule.message for rule in found if rule.code == "other_unit"] == [
        "The answer is dimensionless, but m is asked for."
    ]
