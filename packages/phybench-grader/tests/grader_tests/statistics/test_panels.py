"""What a panel is worth: effective votes from its errors, and whether it beats its best member."""

import zlib

import pytest

from phybench_grader.statistics.halves import is_for_choosing, split
from phybench_grader.statistics.panels import (
    LEAST_LABELS,
    Beats,
    PanelCase,
    WhyNoVotes,
    compare_with_best,
    count_effective_votes,
    weigh_panel,
)

ALIKE = [True, False, False, False] * 10
KEYS = [str(number) for number in range(400)]
CHOOSING = [key for key in KEYS if is_for_choosing(key)]
REPORTING = [key for key in KEYS if not is_for_choosing(key)]


# --- How many votes it carries --------------------------------------------------------------


def test_members_that_err_together_are_one_vote():
    found = count_effective_votes(dict.fromkeys("abc", ALIKE))
    assert (found.value, found.correlation, found.labels) == (1.0, 1.0, 40)


def test_members_whose_errors_tell_nothing_of_each_other_are_as_many_votes():
    found = count_effective_votes(
        {"a": [True, True, False, False] * 10, "b": [True, False, True, False] * 10}
    )
    assert (found.value, found.correlation) == (2.0, 0.0)


def test_the_formula_is_the_published_one():
    errors = [True] * 8 + [False] * 8
    other = [True] * 7 + [False] + [True] + [False] * 7
    found = count_effective_votes({"a": errors * 2, "b": other * 2})
    assert found.correlation == pytest.approx(0.75)
    assert found.value == pytest.approx(2 / 1.75)


def test_a_mean_is_taken_over_all_pairs():
    apart = [True, True, False, False] * 10, [True, False, True, False] * 10
    found = count_effective_votes({"a": apart[0], "b": apart[0], "c": apart[1]})
    assert found.correlation == pytest.approx(1 / 3)
    assert found.value == pytest.approx(3 / (1 + 2 / 3))


def test_too_few_labels_tell_no_number():
    few = LEAST_LABELS - 1
    found = count_effective_votes({"a": ALIKE[:few], "b": ALIKE[:few]})
    assert (found.value, found.reason, found.labels) == (None, WhyNoVotes.TOO_FEW, few)
    assert count_effective_votes({"a": [], "b": []}).reason is WhyNoVotes.TOO_FEW


@pytest.mark.parametrize("constant", [[False] * 40, [True] * 40])
def test_a_member_without_an_error_or_with_nothing_else_is_named_and_tells_no_number(constant):
    found = count_effective_votes({"a": ALIKE, "b": constant})
    assert (found.value, found.reason, found.constant) == (None, WhyNoVotes.CONSTANT, ("b",))


def test_errors_that_avoid_each_other_tell_no_number():
    found = count_effective_votes({"a": [True, False] * 20, "b": [False, True] * 20})
    assert (found.value, found.reason) == (None, WhyNoVotes.NEGATIVE)
    assert found.correlation == -1.0


def test_one_judge_is_no_panel_and_members_stand_beside_the_same_items():
    with pytest.raises(ValueError, match="two members"):
        count_effective_votes({"a": ALIKE})
    with pytest.raises(ValueError, match="same items"):
        count_effective_votes({"a": ALIKE, "b": ALIKE[1:]})


# --- Halves ---------------------------------------------------------------------------------


def test_the_half_of_an_item_stays_when_others_come():
    assert split(KEYS, str) == (CHOOSING, REPORTING)
    assert split(KEYS[::-1], str) == (CHOOSING[::-1], REPORTING[::-1])
    assert 0.4 < len(CHOOSING) / len(KEYS) < 0.6


# --- Whether it beats its best member -------------------------------------------------------


def case(key, panel, *, truth=None, **members):
    """Make a label about which each is right or wrong, or has said nothing; some say wrong."""
    truth = zlib.crc32(key.encode()) % 2 == 0 if truth is None else truth
    said = {name: one if one is None else one is truth for name, one in members.items()}
    return PanelCase(key, truth, panel if panel is None else panel is truth, said)


def test_the_best_member_is_chosen_on_one_half_and_compared_on_the_other():
    """On the other half the chosen one is the worse, which is not looked at."""
    cases = [case(key, True, a=True, b=number % 2 == 0) for number, key in enumerate(CHOOSING)]
    cases += [case(key, True, a=number > 4, b=True) for number, key in enumerate(REPORTING)]
    found = compare_with_best(cases, ["a", "b"])
    assert (found.best, found.outcome) == ("a", Beats.YES)
    assert [(one.name, one.right) for one in found.scores] == [
        ("a", len(CHOOSING)),
        ("b", (len(CHOOSING) + 1) // 2),
    ]
    assert (found.panel_right, found.best_right) == (len(REPORTING), len(REPORTING) - 5)
    assert (found.only_panel, found.only_best) == (5, 0)


@pytest.mark.parametrize("panel_errs", [3, 4])
def test_a_panel_that_is_as_good_as_its_best_member_or_worse_does_not_beat_it(panel_errs):
    cases = [case(key, True, a=True, b=False) for key in CHOOSING]
    cases += [
        case(key, number >= panel_errs, a=number >= 3, b=True)
        for number, key in enumerate(REPORTING)
    ]
    found = weigh_panel(cases, ["a", "b"])
    assert found.beside_best.outcome is Beats.NO
    assert not found.may_rank


def test_of_members_that_are_equally_good_the_first_is_taken():
    cases = [case(key, True, b=True, a=True) for key in KEYS]
    assert compare_with_best(cases, ["b", "a"]).best == "b"


@pytest.mark.parametrize(("choosing", "reporting"), [(9, 50), (50, 9), (0, 0)])
def test_too_few_labels_in_a_half_can_not_tell_and_rank_nobody(choosing, reporting):
    cases = [
        case(key, True, a=False, b=False) for key in CHOOSING[:choosing] + REPORTING[:reporting]
    ]
    found = weigh_panel(cases, ["a", "b"])
    assert found.beside_best.outcome is Beats.CANT_TELL
    assert not found.may_rank


@pytest.mark.parametrize("truth", [True, False])
def test_who_always_says_the_same_does_not_win_by_labels_that_all_say_so(truth):
    cases = [case(key, True, truth=truth, a=True, b=False) for key in CHOOSING]
    cases += [case(key, True, truth=truth, a=False, b=False) for key in REPORTING]
    found = weigh_panel(cases, ["a", "b"])
    assert found.beside_best.outcome is Beats.CANT_TELL
    assert not found.may_rank


def test_what_has_no_verdict_counts_for_neither():
    cases = [case(key, True, a=True, b=True) for key in CHOOSING]
    cases += [case(key, None, a=False, b=True) for key in REPORTING[:50]]
    cases += [case(key, True, a=None, b=True) for key in REPORTING[50:100]]
    cases += [case(key, True, a=False, b=True) for key in REPORTING[100:120]]
    found = compare_with_best(cases, ["a", "b"])
    assert (found.reporting, found.panel_right, found.best_right) == (20, 20, 0)
