"""Which problems people get: balanced, without repetition, and the same from the same seed."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from grading.studies.sessions.assigning import Candidate, choose

pools = st.lists(
    st.builds(
        Candidate,
        pk=st.integers(1, 10_000),
        domain=st.sampled_from(["MECHANICS", "OPTICS", "MODERN"]),
        difficulty=st.sampled_from(["", "OLYMPIAD"]),
        given=st.integers(0, 5),
    ),
    min_size=1,
    max_size=60,
    unique_by=lambda one: one.pk,
)


@given(pools, st.integers(1, 12), st.integers(0, 2**53))
def test_as_many_different_problems_as_there_are_and_as_are_asked_for(pool, count, seed):
    chosen = choose(pool, count, seed)
    assert len(set(chosen)) == len(chosen) == min(count, len(pool))
    assert set(chosen) <= {one.pk for one in pool}


@given(pools, st.integers(1, 12), st.integers(0, 2**53), st.randoms())
def test_the_same_seed_gives_the_same_however_the_pool_is_listed(pool, count, seed, source):
    shuffled = list(pool)
    source.shuffle(shuffled)
    assert choose(shuffled, count, seed) == choose(pool, count, seed)


def make_pool(size: int) -> dict[int, Candidate]:
    domains = ("MECHANICS", "ELECTRICITY", "OPTICS", "MODERN")
    return {
        pk: Candidate(pk, domains[pk % 4], "OLYMPIAD" if pk % 3 else "", 0) for pk in range(size)
    }


def test_over_a_study_every_problem_is_given_about_as_often():
    pool, given_to = make_pool(60), Counter[int]()
    for person in range(81):
        now = [
            Candidate(one.pk, one.domain, one.difficulty, given_to[one.pk]) for one in pool.values()
        ]
        given_to.update(choose(now, 8, seed=person))
    # 648 to 60 problems.
    assert set(given_to.values()) <= {10, 11}


def test_a_session_has_the_domains_of_the_pool():
    pool = make_pool(60)
    for seed in range(20):
        chosen = choose(list(pool.values()), 8, seed)
        assert set(Counter(pool[pk].domain for pk in chosen).values()) == {2}


def test_each_place_is_as_probable_for_a_problem():
    pool = list(make_pool(8).values())
    first = Counter(choose(pool, 8, seed)[0] for seed in range(4000))
    assert len(first) == 8
    # 500 each; four standard deviations.
    assert all(abs(count - 500) < 84 for count in first.values())
