"""How often a judge contradicts itself, and how far judges agree."""

import pytest

from grading.judging.engine.steadiness import measure


def say(judge, verdict):
    return {"judge": judge, "verdict": verdict}


def right(judge="one"):
    return say(judge, {"is_correct": True})


def wrong(judge="one"):
    return say(judge, {"is_correct": False})


def mute(judge="one"):
    return say(judge, None)


def test_a_flip_is_right_and_then_wrong_and_what_is_missing_is_none():
    [found] = measure(
        [[right(), right()], [right(), wrong()], [right(), mute()], [wrong(), wrong()]]
    ).steadiness
    assert (found.judge, found.flips.flipped, found.flips.items) == ("one", 1, 3)
    assert found.flips.value == pytest.approx(1 / 3)


def test_another_number_on_the_same_side_is_no_flip():
    ratings = [[say("one", {"rating": value}) for value in pair] for pair in ((7, 8), (5, 9))]
    [found] = measure(ratings).steadiness
    assert (found.flips.value, found.other_values.value) == (0.5, 1.0)


def test_judges_asked_once_have_no_flip_rate():
    assert measure([[right("one"), right("two")]]).steadiness == []
    assert measure([]).steadiness == measure([]).pairs == []


def test_two_judges_are_compared_where_both_have_a_verdict():
    items = [[right("one"), right("two")]] * 20 + [[right("one"), wrong("two")]] * 5
    items += [[wrong("one"), right("two")]] * 10 + [[wrong("one"), wrong("two")]] * 15
    items += [[right("one"), mute("two")]] * 7
    [pair] = measure(items).pairs
    assert (pair.percent.value, pair.percent.count) == (70.0, 50)
    assert pair.kappa.value == pytest.approx(0.4)
    assert pair.prevalence == (50.0, 60.0)
    assert pair.weighted is None


def test_high_agreement_with_a_kappa_near_0_stands_beside_the_prevalence():
    items = [[right("one"), right("two")]] * 118 + [[right("one"), wrong("two")]] * 5
    items += [[wrong("one"), right("two")]] * 2
    [pair] = measure(items).pairs
    assert pair.percent.value == pytest.approx(94.4)
    assert pair.kappa.value == pytest.approx(-0.023, abs=0.001)
    assert min(pair.prevalence) > 95


def test_a_kappa_of_judges_who_always_say_the_same_is_undefined_and_not_1():
    [pair] = measure([[right("one"), right("two")]] * 9).pairs
    assert (pair.percent.value, pair.kappa.value, pair.kappa.count) == (100.0, None, 9)


def test_judges_of_whom_no_item_has_both_verdicts_have_no_figures():
    [pair] = measure([[right("one"), mute("two")], [mute("one"), wrong("two")]]).pairs
    assert (pair.percent.value, pair.percent.count, pair.prevalence) == (None, 0, None)


def test_three_judges_have_fleiss_kappa_over_what_all_have_said():
    panel = measure(
        [
            [right("a"), right("b"), right("c")],
            [wrong("a"), wrong("b"), wrong("c")],
            [right("a"), wrong("b"), mute("c")],
        ]
    )
    assert (panel.fleiss.value, panel.fleiss.count) == (1.0, 2)
    assert len(panel.pairs) == 3
    assert measure([[right("a"), right("b")]]).fleiss is None


def test_who_is_evenly_split_has_said_nothing_beside_the_others():
    items = [[right("one"), wrong("one"), right("two"), right("two")]]
    items += [[right("one"), right("one"), wrong("two"), mute("two")]]
    panel = measure(items)
    assert panel.pairs[0].percent.count == 1
    assert panel.pairs[0].percent.value == 0.0


def test_ratings_have_a_weighted_kappa_as_well():
    ratings = [(1, 2), (3, 3), (9, 10), (7, 5)]
    items = [[say("one", {"rating": a}), say("two", {"rating": b})] for a, b in ratings]
    [pair] = measure(items).pairs
    assert pair.weighted.value > 0.9
    assert pair.percent.value == 75.0, "7 is right and 5 is wrong"


def test_comparisons_are_sides_and_have_no_share_of_right_ones():
    items = [[say("one", {"preferred": "first"}), say("two", {"preferred": "tie"})]]
    [pair] = measure(items).pairs
    assert (pair.percent.value, pair.prevalence, pair.weighted) == (0.0, None, None)
