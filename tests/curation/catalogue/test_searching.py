"""What the search in the list of problems finds: nothing that the searcher may not read."""

from collections.abc import Iterable
from typing import cast

import pytest
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from curation.authoring.catalogue.views import list_problems, list_tabs
from curation.authoring.drafts import actions
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reviewing.reviews import actions as reviewing
from phybench.people.http import MemberRequest
from phybench.people.models import Role, User
from tests.conftest import ask_to_translate, make_draft, make_person, submit
from tests.curation.errors.reports import decide, report_error
from tests.curation.reviewing.rounds.opened import make_benchmark, open_round, review

pytestmark = pytest.mark.django_db

WORDS = ("pendulum", "gyroscope", "toroid", "lens")
"""One in the statement of each revision, in their order, and nowhere else."""


def state(word: str) -> str:
    return f"A {word} of mass $m$ is at rest at the height $h$. Which energy does it lose?"


def write_next(problem: Problem, author: User, word: str) -> None:
    problem.refresh_from_db()
    actions.save_draft(
        problem=problem, author=author, saved_at="", statement=state(word), reason="Another thing."
    )


@pytest.fixture
def sent_back(contributor, reviewer) -> Problem:
    """In review for the second time; the third text is not begun."""
    problem = make_draft(contributor, make_benchmark(), statement=state(WORDS[0]))
    submit(problem, contributor)
    review(open_round(problem), reviewer, "REVISE")
    write_next(problem, contributor, WORDS[1])
    submit(problem, contributor)
    problem.refresh_from_db()
    return problem


@pytest.fixture
def corrected(benchmark, contributor, reviewer, participant, admin) -> Problem:
    """Sent back once, accepted, reopened, its correction withdrawn from review and rewritten."""
    problem = make_draft(contributor, benchmark, statement=state(WORDS[0]))
    submit(problem, contributor)
    review(open_round(problem), reviewer, "REVISE")
    write_next(problem, contributor, WORDS[1])
    submit(problem, contributor)
    review(open_round(problem), reviewer)
    problem.refresh_from_db()
    decide(report_error(problem, participant), admin, "STATEMENT_FIXED")
    write_next(problem, contributor, WORDS[2])
    submit(problem, contributor)
    actions.withdraw(problem=problem, author=contributor)
    write_next(problem, contributor, WORDS[3])
    problem.refresh_from_db()
    return problem


def list_found(person: User) -> set[str]:
    """Return the words by which somebody finds the problem, in whichever of their lists."""
    return {
        word for word in WORDS for show in list_tabs(person) if list(search(person, show, word))
    }


def search(person: User, show: str, word: str) -> Iterable[Problem]:
    """Narrow a list as its page and its file do."""
    request = RequestFactory().get(
        reverse("curation:problems", args=["test"]), {"show": show, "q": word}
    )
    request.user = person
    return list_problems(cast(MemberRequest, request), Benchmark.objects.get().slug).rows


def list_read(client, problem: Problem, person: User) -> set[str]:
    """Return the words that somebody can read on the problem's page, whichever text they choose."""
    client.force_login(person)
    pages = [
        client.get(problem.get_absolute_url(), {"revision": number})
        for number in range(1, len(WORDS) + 1)
    ]
    text = "".join(page.content.decode() for page in pages if page.status_code == 200)
    return {word for word in WORDS if word in text}


def test_a_reader_of_an_accepted_problem_finds_it_by_what_is_accepted_alone(
    corrected, participant, reviewer
):
    for person in (participant, reviewer):
        assert list_found(person) == {WORDS[1]}


def test_a_reviewer_finds_what_is_in_review_and_what_it_replaced_once_they_see_the_key(
    sent_back,
):
    late = make_person(Role.REVIEWER, "late")
    assert list_found(late) == {WORDS[1]}
    reviewing.show_key(open_round(sent_back).revision, late)
    assert list_found(late) == {WORDS[0], WORDS[1]}


@pytest.mark.parametrize("stands", ["corrected", pytest.param("sent_back", marks=pytest.mark.slow)])
def test_everybody_finds_a_problem_by_exactly_what_they_can_read_of_it(
    request, client, contributor, reviewer, participant, admin, stands
):
    problem = request.getfixturevalue(stands)
    translator = make_person(Role.CONTRIBUTOR, "translator")
    ask_to_translate(problem, contributor, translator)
    co_author, supplier = (make_person(Role.CONTRIBUTOR, name) for name in ("co-author", "giver"))
    for person, role in ((co_author, "CO_AUTHOR"), (supplier, "SUPPLIER")):
        problem.credits.create(
            person=person, role=role, given_by=contributor, accepted_at=timezone.now()
        )
    # Who had a part and reviews as well sees no more than others who had it.
    supplier.roles = [Role.CONTRIBUTOR, Role.REVIEWER]
    supplier.save()
    everybody = [contributor, co_author, supplier, translator, reviewer, participant, admin]
    everybody += [make_person(Role.REVIEWER, "late"), make_person(Role.CONTRIBUTOR, "another")]
    found = {str(person): list_found(person) for person in everybody}
    read = {str(person): list_read(client, problem, person) for person in everybody}
    if stands == "sent_back":
        # What they translate stands on the page they begin at, in none of these lists.
        assert found.pop("Translator") == set()
        del read["Translator"]
    assert found == read
    assert len(set(map(frozenset, found.values()))) > 2


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_takes_as_many_queries_for_three_rows_as_for_one(
    client, benchmark, contributor, reviewer, count, django_assert_num_queries
):
    for number in range(count):
        submit(make_draft(contributor, benchmark, title=f"{number}"), contributor)
    client.force_login(reviewer)
    address = reverse("curation:problems", args=["test"])
    client.get(address)
    with django_assert_num_queries(8):
        page = client.get(address, {"show": "review", "q": "which energy"})
    assert len(page.context["page"]) == count
