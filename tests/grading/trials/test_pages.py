"""The pages of trials: for those who write the problem, of the text that was sent."""

import pytest
from django.urls import reverse

from curation.authoring.drafts import actions as curating
from curation.problems.models import Problem
from curation.reviewing.reviews import actions as reviewing
from grading.model_runs.trials.models import Trial
from grading.runs.models import Endpoint
from phybench.people.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.grading.endpoints import steps
from tests.grading.trials.trials import KEY, MODEL, box, make_endpoint, try_on, work_off

pytestmark = pytest.mark.usefixtures("commits")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def author(client, draft, contributor):
    """Sign in after the draft is there: what is signed in before it would have it made anew."""
    client.force_login(contributor)
    return client


def address_of(problem: Problem) -> str:
    return reverse("grading:trials", args=[problem.pk])


def fill(endpoint: Endpoint, **fields) -> dict:
    return {
        f"models_{endpoint.pk}": [MODEL],
        f"host_{endpoint.pk}": endpoint.host,
        f"agree_{endpoint.pk}": "on",
        "times": "2",
        **fields,
    }


def read(answer) -> str:
    return " ".join(answer.content.decode().split())


def test_without_an_endpoint_the_page_says_what_to_configure(author, draft, contributor):
    page = read(author.get(address_of(draft), headers=HTMX))
    assert "No endpoint is set up here" in page
    assert "disabled" in page
    assert reverse("grading:endpoints") not in page
    contributor.roles = [Role.CONTRIBUTOR, Role.ADMIN]
    contributor.save()
    assert reverse("grading:endpoints") in read(author.get(address_of(draft)))


@pytest.mark.parametrize("change", [{"is_active": False}, {"open_for": "auth"}, {"offered": []}])
def test_an_endpoint_that_can_not_be_called_is_not_offered(author, draft, change):
    make_endpoint()
    Endpoint.objects.update(**change)
    assert "No endpoint is set up here" in read(author.get(address_of(draft)))


def test_the_editor_asks_for_the_section_by_its_address(author, draft):
    page = read(author.get(reverse("curation:edit", args=[draft.pk])))
    assert f'hx-get="{address_of(draft)}"' in page
    assert f'hx-get="{address_of(draft)}"' not in read(
        author.get(reverse("curation:new", args=["test"]))
    )


def test_the_page_says_where_the_statement_goes_and_that_it_decides_nothing(author, draft):
    endpoint = make_endpoint()
    page = read(author.get(address_of(draft)))
    assert f"<strong>{endpoint.host}</strong>: a third party" in page
    assert "it does not affect whether a problem is chosen or rejected" in page


def test_a_trial_is_begun_shown_while_it_waits_and_then_as_it_was_graded(author, draft, serve):
    endpoint = make_endpoint(serve(box("m g h"), box("2 m g h")), price_completion=1)
    answer = author.post(address_of(draft), fill(endpoint), headers=HTMX)
    page = read(answer)
    assert answer.status_code == 200
    assert "0 of 2 answers graded." in page
    results = f"{address_of(draft)}?part=results"
    assert f'hx-get="{results}"' in page

    work_off(Trial.objects.get())
    page = read(author.get(results, headers=HTMX))
    assert "Requested: 2. Graded: 2. Correct: 1." in page
    assert "Of the saved text." in page
    assert "2 calls, 300 tokens, 0.0001 USD." in page
    assert "hx-get" not in page, "it asks no more"
    assert 'id="trials"' not in page


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda pk: {f"agree_{pk}": ""}, "Confirm that the statement may be sent there"),
        (lambda pk: {f"models_{pk}": []}, "Choose at least one model"),
        (lambda pk: {f"models_{pk}": ["other"]}, "not one of the available choices"),
        (
            lambda pk: {f"host_{pk}": "else.test"},
            "changed: agree to it before anything is sent there",
        ),
        (lambda pk: {"times": "9"}, "less than or equal to 8"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_sent(author, draft, serve, change, says):
    server = serve()
    endpoint = make_endpoint(server)
    fields = fill(endpoint, **change(endpoint.pk))
    answer = author.post(address_of(draft), fields)
    assert answer.status_code == 400
    assert says in read(answer)
    answer = author.post(address_of(draft), fields, headers=HTMX)
    assert (answer.status_code, says in read(answer)) == (200, True)
    assert not Trial.objects.exists()


def test_without_scripts_it_is_begun_and_followed_on_a_page_of_its_own(author, draft):
    answer = author.post(address_of(draft), fill(make_endpoint()))
    assert answer["Location"] == address_of(draft)
    assert "0 of 2 answers graded." in read(author.get(address_of(draft)))


def test_trials_of_an_earlier_text_say_so(author, draft, serve):
    work_off(try_on(make_endpoint(serve(box("m g h"))), draft))
    assert "Of an earlier text" not in read(author.get(address_of(draft)))
    saved = draft.revisions.get().saved_at.isoformat()
    curating.save_draft(
        problem=draft, author=draft.author, saved_at=saved, statement="What of $m$, $g$, $h$?"
    )
    assert "Of an earlier text" in read(author.get(address_of(draft)))


def test_what_has_no_verdict_is_named_and_can_be_asked_for_again(author, draft, serve):
    trial = try_on(make_endpoint(serve(steps.refusal(), box("m g h"))), draft)
    [answer] = work_off(trial)
    page = read(author.get(address_of(draft)))
    assert "Requested: 1. Graded: 0. Correct: 0." in page
    assert "One has no verdict: that says nothing about the model." in page
    assert "undecided" in page
    assert "The model refused to reply." in read(author.get(answer.get_absolute_url()))

    author.post(reverse("grading:ask_again", args=[trial.pk]))
    work_off(trial)
    assert "Requested: 1. Graded: 1. Correct: 1." in read(author.get(address_of(draft)))


def test_a_trial_is_cancelled_by_its_button(author, draft):
    trial = try_on(make_endpoint(), draft, times=3)
    answer = author.post(reverse("grading:cancel_trial", args=[trial.pk]), follow=True)
    assert "3 answers are no longer requested." in read(answer)


def test_submitted_it_can_be_read_and_not_gone_on_with(author, draft, serve):
    trial = try_on(make_endpoint(serve(box("m g h"))), draft, times=2)
    submit(draft, draft.author)
    page = read(author.get(address_of(draft)))
    assert "Only its authors can try it on models, while they can change it." in page
    for name in ("cancel_trial", "ask_again"):
        answer = author.post(reverse(f"grading:{name}", args=[trial.pk]), follow=True)
        assert "Only its authors can try a problem" in read(answer)
    assert author.post(address_of(draft), fill(Endpoint.objects.get())).status_code == 400


@pytest.mark.parametrize("role", [None, Role.CONTRIBUTOR, Role.REVIEWER, Role.PARTICIPANT])
def test_nobody_else_sees_or_does_anything(client, draft, serve, role):
    trial = try_on(make_endpoint(serve(box("m g h"))), draft)
    [answer] = work_off(trial)
    submit(draft, draft.author)
    client.force_login(make_person(role, "somebody"))
    for address in (address_of(draft), f"{address_of(draft)[:-1]}.csv", answer.get_absolute_url()):
        assert client.get(address).status_code == 404
    for name in ("cancel_trial", "ask_again"):
        assert client.post(reverse(f"grading:{name}", args=[trial.pk])).status_code == 404
    assert client.post(address_of(draft), fill(Endpoint.objects.get())).status_code == 404


def test_a_page_takes_as_many_queries_for_three_trials_as_for_one(
    author, draft, serve, django_assert_num_queries, django_assert_max_num_queries
):
    endpoint = make_endpoint(serve(*[box("m g h")] * 7))
    work_off(try_on(endpoint, draft))
    with django_assert_max_num_queries(14) as few:
        author.get(address_of(draft))
    for _ in range(2):
        work_off(try_on(endpoint, draft, times=3))
    with django_assert_num_queries(len(few.captured_queries)):
        author.get(address_of(draft))


def test_the_table_of_trials_can_be_taken_along(author, draft, serve):
    work_off(try_on(make_endpoint(serve(box("m g h"), steps.refusal())), draft, times=2))
    file = author.get(reverse("grading:trials_csv", args=[draft.pk])).content.decode()
    header, first, second = (line.split(",") for line in file.split("\r\n")[:3])
    rows = [dict(zip(header, row, strict=False)) for row in (first, second)]
    assert [row["state"] for row in rows] == ["GRADED", "FAILED"]
    assert (rows[0]["verdict"], rows[0]["eed"], rows[0]["is_of_this_text"]) == (
        "CORRECT",
        "100.0",
        "True",
    )
    assert (rows[1]["verdict"], rows[1]["eed"], rows[1]["reason"]) == ("", "", "refusal")


def test_a_reply_is_shown_as_text_whatever_is_in_it(author, draft, serve):
    hostile = r"<script>alert(1)</script> \boxed{m g h}"
    [answer] = work_off(try_on(make_endpoint(serve(steps.ok(hostile))), draft))
    page = read(author.get(answer.get_absolute_url()))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_what_a_provider_says_is_for_admins_and_the_key_for_nobody(author, draft, admin, serve):
    echo = [steps.complain(400, f"account 4711 with {KEY}"), steps.ok(f"{KEY} is it")]
    answers = work_off(try_on(make_endpoint(serve(*echo)), draft, times=2))
    pages = [read(author.get(one.get_absolute_url())) for one in answers]
    pages += [read(author.get(address_of(draft)))]
    assert not any("account 4711" in page for page in pages)
    author.force_login(admin)
    raw = [read(author.get(one.get_absolute_url())) for one in answers]
    assert "account 4711" in raw[0]
    assert not any(KEY in page for page in pages + raw)


def test_the_newest_twenty_are_on_the_page_and_all_of_them_counted(author, contributor, benchmark):
    problem = make_draft(contributor, benchmark)
    endpoint = make_endpoint()
    for number in range(22):
        trial = try_on(endpoint, problem)
        Trial.objects.filter(pk=trial.pk).update(text_sha256=str(number))
    assert "The newest 20 of 22 trials" in read(author.get(address_of(problem)))


def test_a_reviewer_reads_them_once_they_were_shown_the_key_and_nobody_else(
    client, draft, contributor, reviewer, participant, serve
):
    work_off(try_on(make_endpoint(serve(box("2 m g h"))), draft))
    revision = submit(draft, contributor).revision
    tries = reverse("grading:tries", args=[revision.pk])
    client.force_login(reviewer)
    assert client.get(tries).status_code == 404

    reviewing.show_key(revision, reviewer)

    assert "2 g h m" in read(client.get(tries))
    client.force_login(participant)
    assert client.get(tries).status_code == 404
