"""What an author is told about a reference answer while writing it."""

import pytest
from django.urls import reverse

from curation.problems.checks import NODES_SHOWN, Branch, check, find_disagreement, fold
from curation.texts.references.reference import SymbolRow
from phybench.work import sandbox
from phybench_grader import read
from phybench_grader.equality.tree import build_tree

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
OTHERWISE = r"\cos\theta[a+b]"


@pytest.fixture(autouse=True)
def _patience(settings):
    # The second reader is imported in the child, which on a busy machine takes its time.
    settings.READING_DEADLINE_SECONDS = 60.0
    yield
    sandbox.close()


def test_another_reading_is_a_warning_and_no_broken_rule():
    checked = check(OTHERWISE, "", reads_twice=True)

    assert checked.broken == []
    assert checked.second is not None
    assert checked.second.theirs == r"\cos{\left(\theta \left(a + b\right) \right)}"


@pytest.mark.parametrize("answer", [r"\cos\left(\theta\right)", "1/2\\pi", r"\int x", ""])
def test_nothing_is_said_where_both_agree_or_another_rule_says_it(answer):
    assert check(answer, "", reads_twice=True).second is None


def test_a_second_reading_that_takes_too_long_is_silence(settings):
    long = "+".join(rf"\cos\theta[a+b_{{{number}}}]" for number in range(30))
    assert find_disagreement(long) is not None

    settings.READING_DEADLINE_SECONDS = 0.05

    assert find_disagreement(long) is None


def test_a_symbol_without_a_row_is_asked_for_its_unit_in_latex():
    checked = check(r"m \eta_0", "", rows=[SymbolRow("m", unit="kg")])
    assert checked.without_unit == (r"\eta_0",)


def test_both_readings_are_shown_side_by_side_once_the_preview_is_there(client, contributor):
    client.force_login(contributor)
    second = reverse("curation:new", args=["test"]) + "?part=second"
    preview = reverse("curation:new", args=["test"]) + "?part=preview"
    shown = client.post(preview, {"answer": OTHERWISE}).content.decode()
    assert 'hx-post="?part=second"' in shown

    page = client.post(second, {"answer": OTHERWISE}).content.decode()

    assert "Second reader" in page
    assert r"\cos{\left(\theta \left(a + b\right) \right)}" in page


@pytest.mark.parametrize("answer", ["", "x", r"\frac{", "x" * 1_000_000])
def test_where_there_is_nothing_to_say_nothing_is_shown(client, contributor, answer):
    client.force_login(contributor)
    page = client.post(reverse("curation:new", args=["test"]) + "?part=second", {"answer": answer})
    assert page.content.decode().strip() == ""


def list_branches(branch: Branch) -> list[Branch]:
    return [branch, *(below for child in branch.children for below in list_branches(child))]


@pytest.mark.parametrize(
    ("answer", "is_whole"),
    [
        ("m g h + \\frac{1}{2}", True),
        ("+".join(f"x_{{{n}}}y^{{{n}}}" for n in range(2, 99)), False),
    ],
)
def test_of_a_large_tree_the_uppermost_nodes_are_shown_and_the_rest_is_counted(answer, is_whole):
    whole = build_tree(read(answer).expression)
    branches = list_branches(fold(whole))
    assert len(branches) == min(whole.size, NODES_SHOWN)
    assert sum(branch.folded for branch in branches) == whole.size - len(branches)
    assert (whole.size <= NODES_SHOWN) is is_whole
    # The terms of the sum come before anything below them.
    assert len(branches[0].children) == len(whole.children)


def test_where_there_is_no_room_for_all_terms_their_number_is_said(client, contributor, benchmark):
    answer = "+".join(f"x^{{{n}}}" for n in range(2, 260))
    client.force_login(contributor)
    page = client.post(
        reverse("curation:new", args=["test"]) + "?part=preview", {"answer": answer}
    ).content.decode()
    assert page.count("<li><span data-tex") == NODES_SHOWN
    assert "more nodes" in page
