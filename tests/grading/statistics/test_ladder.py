"""The hidden part tells one figure at a time, and too little to find single answers by."""

import random
from statistics import mean

import pytest

from grading.statistics.ladder import BUDGET, count_left, release

ITEMS = 400
MOST_SETTLED = 55.0
"""Per cent of choices between two answers that an attacker may get right; 50 is guessing."""
REPEATS = 150


def test_first_figure_is_told_as_it_is():
    assert release(31.25, 400, last=None).figure == 31
    assert release(31.5, 400, last=None).figure == 32


@pytest.mark.parametrize("accuracy", [0.0, 49.0, 50.0, 52.4])
def test_what_does_not_beat_the_last_by_its_standard_error_tells_the_last(accuracy):
    told = release(accuracy, 400, last=50)

    assert (told.figure, told.is_new) == (50, False)


def test_what_beats_the_last_by_more_than_its_standard_error_is_told():
    assert release(52.6, 400, last=50).is_new


def test_one_item_more_never_shows_by_itself_even_where_nearly_all_are_right():
    for items in (50, 400):
        for right in range(items - 1):
            last = release(100 * right / items, items, last=None).figure
            told = release(100 * (right + 1) / items, items, last=last)
            assert not told.is_new or told.figure - last > 200 / items


@pytest.mark.parametrize(("accuracy", "items"), [(-1.0, 10), (100.5, 10), (50.0, 0)])
def test_what_is_no_accuracy_is_refused(accuracy, items):
    with pytest.raises(ValueError, match=str(items)):
        release(accuracy, items, last=None)


def test_budget_is_used_up_by_the_organisation_itself():
    assert count_left([("A", {1})] * BUDGET, "A", {2}) == 0
    assert count_left([("A", {1})] * (BUDGET - 1), "A", {2}) == 1


def test_budget_is_used_up_by_whoever_is_or_was_a_member_elsewhere():
    batches = [(f"organisation {number}", {"eve"}) for number in range(BUDGET)]

    assert count_left(batches, "another", {"eve", "bob"}) == 0
    assert count_left(batches, "another", {"bob"}) == BUDGET


def test_budgets_of_others_are_not_touched():
    assert count_left([("A", {1}), ("B", {2})], "C", {3}) == BUDGET


# --- Attacks: of two answers to each item one is right, and the attacker knows both --------------


class Board:
    """Tells of guesses what the hidden part would, or with `is_raw` each mean as it is."""

    def __init__(self, source: random.Random, *, is_raw: bool = False) -> None:
        self.truth = source.getrandbits(ITEMS)
        self.is_raw = is_raw
        self.last: int | None = None
        self.used = 0

    def tell(self, guess: int) -> tuple[float, bool]:
        self.used += 1
        accuracy = self.measure(guess)
        if self.is_raw:
            return accuracy, True
        told = release(accuracy, ITEMS, last=self.last)
        self.last = told.figure
        return told.figure, told.is_new

    def measure(self, guess: int) -> float:
        return 100 * (ITEMS - (guess ^ self.truth).bit_count()) / ITEMS


def draw_block(source: random.Random, size: int) -> int:
    return sum(1 << place for place in source.sample(range(ITEMS), size))


def flip_and_keep(board: Board, source: random.Random, size: int) -> int:
    """Flip so many choices at a time, and keep them where a better figure is told."""
    guess = source.getrandbits(ITEMS)
    best, _is_new = board.tell(guess)
    while board.used < BUDGET:
        other = guess ^ draw_block(source, size)
        figure, is_new = board.tell(other)
        if is_new and figure > best:
            guess, best = other, figure
    return guess


def vote(board: Board, source: random.Random) -> int:
    """Try at random, and have those vote that were told to be good."""
    weights = [0.0] * ITEMS
    told = []
    for _number in range(BUDGET):
        guess = source.getrandbits(ITEMS)
        figure, is_new = board.tell(guess)
        told.append((guess, figure if is_new or board.is_raw else None))
    known = [figure for _guess, figure in told if figure is not None]
    for guess, figure in told:
        # One that does not beat the last is known to be no better.
        weight = (figure if figure is not None else min(known) - 1) - mean(known)
        for place in range(ITEMS):
            weights[place] += weight if guess >> place & 1 else -weight
    return sum(1 << place for place in range(ITEMS) if weights[place] > 0)


def settle(attack, *more, is_raw=False, repeats=REPEATS) -> float:
    shares = []
    for number in range(repeats):
        source = random.Random(number)
        board = Board(source, is_raw=is_raw)
        shares.append(board.measure(attack(board, source, *more)))
        assert board.used <= BUDGET
    return mean(shares)


@pytest.mark.parametrize("size", [2, 3, 5, 50, 200])
def test_who_flips_blocks_and_keeps_what_is_told_settles_little(size):
    assert settle(flip_and_keep, size) <= MOST_SETTLED


def test_a_plain_vote_settles_little():
    assert settle(vote, repeats=40) <= MOST_SETTLED


def several_organisations(board: Board, source: random.Random, size: int) -> int:
    """Begin anew under another name after each few figures; the person's budget is one."""
    batches: list[tuple[int, set[str]]] = []
    guess, best, organisation = source.getrandbits(ITEMS), -1.0, 0
    while count_left(batches, organisation, {"eve"}):
        if len(batches) % 4 == 0:
            # Of a new organisation nothing is known: its first figure is told as it is.
            organisation, board.last = organisation + 1, None
        other = guess ^ draw_block(source, size) if batches else guess
        batches.append((organisation, {"eve"}))
        figure, is_new = board.tell(other)
        if is_new and figure > best:
            guess, best = other, figure
    assert len(batches) == BUDGET
    return guess


@pytest.mark.parametrize("size", [2, 5, 50, 200])
def test_a_second_organisation_of_the_same_person_gains_little(size):
    assert settle(several_organisations, size) <= MOST_SETTLED


def test_the_same_attack_on_plain_means_settles_more():
    """Without this the tests above would hold for an attacker who does nothing."""
    best = max(settle(flip_and_keep, size, is_raw=True, repeats=60) for size in (5, 50, 200))

    assert best > MOST_SETTLED
