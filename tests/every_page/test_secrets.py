"""No reviewer learns the key or a verdict before their own, and the back office is admins'."""

import re
from collections import defaultdict

import pytest
from django.http import HttpResponseBase
from django.urls import reverse

from curation.authoring.drafts import actions as curating
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.pipelines.shipped import make_pipeline
from curation.reviewing.reviews import drafts
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.stage_texts import THREE_STAGES
from phybench.people.models import Role
from tests.addresses import (
    ADDRESSES,
    BACK_OFFICE,
    WALKED,
    address_of,
    client_of,
    find_said,
    list_numbers,
    read,
    read_everything,
)
from tests.conftest import make_draft, make_person, set_review, submit
from tests.curation.reviewing.rounds.opened import open_round, pass_first_stages, solve
from tests.curation.reviewing.rounds.opened import review as give_review
from tests.world import KEY, SOLUTION, begin_thread

VERDICT, SOLVED = "9573157", "1357951"
"""Numbers in what another reviewer said and solved."""


@pytest.fixture
def blind_round(contributor, benchmark) -> ReviewRound:
    """Wait for the last of three stages, solved and reviewed by somebody, on a later revision."""
    set_review(benchmark, pipeline=make_pipeline(THREE_STAGES))
    author = make_person(Role.CONTRIBUTOR, "blind-author")
    other, solver = make_person(Role.REVIEWER, "early"), make_person(Role.REVIEWER, "solver")
    problem = make_draft(
        author, benchmark, answer=rf"\frac{{{KEY} m g h}}{{2}}", solution=f"It is ${SOLUTION}$."
    )
    submit(problem, author)
    begin_thread(open_round(problem), other, f"I find {VERDICT}.")
    give_review(open_round(problem), other, "REVISE", comment=f"I find {VERDICT}.")
    curating.save_draft(
        problem=problem, author=author, saved_at="", reason=f"It was {KEY} and still is."
    )
    submit(problem, author)
    blind = pass_first_stages(problem, other)
    solve(blind, solver, f"{SOLVED} m g h")
    begin_thread(blind, solver, f"I find {VERDICT}.")
    commenting.write_note(review_round=blind, writer=solver, text=f"I find {VERDICT}.")
    give_review(blind, solver, comment=f"I find {VERDICT}.")
    drafted = {"comment": f"I find {VERDICT}, I think.", "replaces": "1"}
    drafts.save(review_round=blind, reviewer=solver, kind="REVIEW", fields=drafted, saved_at="")
    return blind


def find_secrets(answer: HttpResponseBase) -> list[str]:
    return find_said(answer, (KEY, SOLUTION, VERDICT, SOLVED))


@pytest.mark.django_db
def test_no_reviewer_learns_the_key_or_a_verdict_before_their_own(blind_round, reviewer):
    client = client_of(reviewer)
    of_round = list_numbers(blind_round), blind_round.revision.problem.benchmark
    for _name, address, answer in read_everything(client, *of_round):
        assert find_secrets(answer) == [], address
    review_page = reverse("curation:review", args=[blind_round.pk])
    solve_page = f"{review_page}?do=solve"
    names = ("review", "decide", "talk", "review_draft")
    for address in (
        solve_page,
        *(reverse(f"curation:{one}", args=[blind_round.pk]) for one in names),
    ):
        # Nothing that is sent incomplete, unreadable or to the wrong address tells either.
        for sent in (
            {},
            {"kind": "ANSWER", "answer": r"\frac{m"},
            {"recommendation": "ACCEPT"},
            *({"do": button} for button in ("show", "note", "take", "reply", "settle")),
        ):
            assert find_secrets(client.post(address, sent, follow=True)) == [], (address, sent)
    assert client.get(review_page).context["phase"] == "solve"

    # Their own answer shows them the key, and still nobody's verdict or solve.
    sent = {"kind": "ANSWER", "answer": "m g h"}
    assert find_secrets(client.post(solve_page, sent, follow=True)) == [KEY, SOLUTION]
    for name, address, answer in read_everything(client, *of_round):
        if name.startswith("curation:"):
            assert not {VERDICT, SOLVED} & set(find_secrets(answer)), address


TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
ARGUMENTS = {"app_label": "curation"}
"""What an address of the back office is made of, where "1" won't do."""


@pytest.mark.django_db
@pytest.mark.parametrize("roles", [None, [role for role in Role if role != Role.ADMIN]])
def test_the_back_office_is_for_admins(db, roles):
    person = make_person(None, "everything-else") if roles else None
    if person:
        person.roles = roles
        person.save()
    # These three know neither people nor data.
    let_in = []
    client = client_of(person)
    for name in set(BACK_OFFICE) - {"admin:login", "admin:logout", "admin:jsi18n"}:
        wanted = ADDRESSES[name].pattern.regex.groupindex
        arguments = {key: ARGUMENTS.get(key, "1") for key in wanted}
        answer = client.get(reverse(name, kwargs=arguments or None))
        if answer.status_code not in {302, 403, 405}:
            let_in.append(name)
    assert let_in == []


@pytest.mark.slow
@pytest.mark.django_db
def test_no_two_pages_of_a_person_have_one_title(world):
    """Windows, tabs and bookmarks are told apart by it; two pages have two addresses."""
    for person in ("participant", "admin"):
        titles: dict[str, set[str]] = defaultdict(set)
        client = client_of(world.people[person])
        for name in set(WALKED) - {"board_of", "curation:review_settings?do=mark"}:
            answer = client.get(address_of(name, world))
            found = TITLE.search(read(answer).decode(errors="replace"))
            if answer.status_code == 200 and found:
                titles[found[1]].add(name)
        assert [names for names in titles.values() if len(names) > 1] == [], person


@pytest.mark.django_db
def test_every_page_says_what_is_missing_without_a_script(client, benchmark):
    """Chromium does not draw this where scripts are off by a test."""
    shown = client.get("/").content.decode().partition("<noscript>")[2].partition("</noscript>")[0]
    assert "Without JavaScript, formulas appear as typed" in shown
