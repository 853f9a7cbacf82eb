"""One click submits: the grader tries the answer first, and what happens meanwhile."""

from datetime import timedelta
from functools import partial

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from curation.authoring.drafts import actions, submitting
from curation.authoring.drafts.example import EXAMPLES, fill_in
from curation.authoring.drafts.forms import ProblemForm
from curation.authoring.drafts.models import SubmitRequest
from curation.authoring.drafts.tasks import SUBMITTING
from curation.problems.benchmarks.models import Benchmark
from curation.problems.certificates.models import Certificate
from curation.problems.models import Problem
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.models import Role, User
from phybench.work.models import Lost
from tests.conftest import STATEMENT, make_draft, make_person, submit
from tests.curation.at_once import at_once
from tests.work import do, make_certificate

pytestmark = pytest.mark.django_db
Outcome = SubmitRequest.Outcome


@pytest.fixture
def uncertified(contributor, benchmark) -> Problem:
    """Its answer was not tried yet."""
    made = make_draft(contributor, benchmark, title="Not tried yet", answer="2 m g h - m g h")
    made.certificates.all().delete()
    return made


def ask(problem: Problem, **terms) -> SubmitRequest:
    asked = submitting.ask_to_submit(problem=problem, author=problem.author, **terms)
    assert isinstance(asked, SubmitRequest)
    return asked


def finish(request: SubmitRequest, outcome: str = "PASSED") -> None:
    """Let its certificate have ended so."""
    counts = dict.fromkeys(("passed", "failed", "open"), 0)
    row = {"kind": "as_written", "text": "m g h", "expected": "ACCEPTED", "outcome": outcome}
    Certificate.objects.filter(pk=request.certificate_id).update(
        **{**counts, outcome.lower(): 1}, rows=[row], outcome=outcome, finished_at=timezone.now()
    )


def outcome_of(request: SubmitRequest) -> str:
    request.refresh_from_db()
    return request.outcome


def form_of(problem: Problem, **changed: str) -> dict[str, str]:
    """Return what the editor's page sends."""
    described = ProblemForm.describe(problem, problem.revisions.latest("number"))
    lists = {name: "" for name, value in described.items() if isinstance(value, list)}
    return {**described, **lists, **changed}


def test_one_click_submits_once_the_grader_has_tried_it(author, uncertified):
    editor = reverse("curation:edit", args=[uncertified.pk])
    page = author.post(editor, form_of(uncertified, then="submit"), follow=True).content.decode()
    assert "The problem is submitted when all cases pass" in page
    request = SubmitRequest.objects.get()
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == ""

    make_certificate(request.certificate_id)
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == Outcome.SUBMITTED
    uncertified.refresh_from_db()
    assert uncertified.status == Status.IN_REVIEW
    event = uncertified.events.get(kind="SUBMIT")
    assert (event.actor, "variants of the answer" in translate(event.message)) == (
        uncertified.author,
        True,
    )


@pytest.mark.parametrize("changed", [{"is_active": False}, {"roles": [Role.REVIEWER]}])
def test_of_who_may_not_write_any_more_nothing_is_submitted(uncertified, contributor, changed):
    request = ask(uncertified)
    User.objects.filter(pk=contributor.pk).update(**changed)
    finish(request)
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == Outcome.REFUSED
    uncertified.refresh_from_db()
    assert uncertified.status == Status.DRAFT


def test_the_bar_counts_the_cases_and_leads_to_what_was_submitted(author, uncertified):
    request = ask(uncertified)
    rows = [{"kind": "as_written", "text": "m", "expected": "ACCEPTED", "outcome": ""}] * 23
    Certificate.objects.filter(pk=request.certificate_id).update(rows=rows, passed=14)
    address = reverse("curation:edit", args=[uncertified.pk]) + "?part=submission"
    by_htmx = {"HTTP_HX_REQUEST": "true"}
    bar = author.get(address, **by_htmx).content.decode()
    assert "14 of 23" in bar
    assert f'hx-get="{address}"' in bar

    finish(request)
    do(SUBMITTING, request.pk)
    assert author.get(address, **by_htmx)["HX-Redirect"] == uncertified.get_absolute_url()


def test_without_scripts_looking_again_leads_on(author, uncertified):
    request = ask(uncertified)
    address = reverse("curation:edit", args=[uncertified.pk]) + "?part=submission"
    waiting = author.get(address, follow=True)
    assert waiting.redirect_chain[-1][0].endswith(f"/p/{uncertified.pk}/edit/#submitting")
    assert f'<a href="{address}">Refresh</a>' in waiting.content.decode()
    finish(request)
    do(SUBMITTING, request.pk)
    done = author.get(address, follow=True)
    assert done.redirect_chain[-1][0] == uncertified.get_absolute_url()
    assert "is submitted" in done.content.decode()


def test_two_clicks_are_one(author, uncertified):
    editor = reverse("curation:edit", args=[uncertified.pk])
    sent = form_of(uncertified, then="submit", solution="It is $m g h$.")
    author.post(editor, sent)
    author.post(editor, sent)
    request = SubmitRequest.objects.get()
    assert Certificate.objects.count() == 1
    finish(request)
    do(SUBMITTING, request.pk)
    third = author.post(editor, sent, follow=True)
    assert third.redirect_chain[-1][0] == uncertified.get_absolute_url()
    assert "is submitted" in third.content.decode()
    assert ReviewRound.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_are_one(uncertified):
    click = partial(ask, uncertified)
    assert at_once(click, click, click) == ["done"] * 3
    assert SubmitRequest.objects.count() == 1
    assert Certificate.objects.count() == 1


def test_what_is_changed_meanwhile_is_not_submitted_and_the_page_says_so(author, uncertified):
    request = ask(uncertified)
    changed = form_of(uncertified, solution="Once more.", then="save")
    author.post(reverse("curation:edit", args=[uncertified.pk]), changed)
    assert outcome_of(request) == Outcome.CHANGED
    finish(request)
    do(SUBMITTING, request.pk)
    uncertified.refresh_from_db()
    assert uncertified.status == Status.DRAFT
    page = author.get(
        reverse("curation:edit", args=[uncertified.pk]) + "?part=submission", HTTP_HX_REQUEST="true"
    ).content.decode()
    assert "the draft was changed while the grader tried it" in page
    assert "hx-get" not in page
    # It can be asked for again.
    submitting.ask_to_submit(problem=uncertified, author=uncertified.author)
    assert ReviewRound.objects.get().revision.solution == "Once more."


def test_saving_without_a_change_changes_nothing(author, uncertified):
    request = ask(uncertified)
    author.post(reverse("curation:edit", args=[uncertified.pk]), form_of(uncertified, then="save"))
    assert outcome_of(request) == ""


@pytest.mark.django_db(transaction=True)
def test_an_edit_at_the_moment_of_submitting_is_either_before_or_refused(uncertified):
    request = ask(uncertified)
    finish(request)
    claimed = SUBMITTING.claim(request.pk)
    assert claimed is not None
    saved_at = uncertified.revisions.get().saved_at.isoformat()

    def carry_out() -> None:
        try:
            submitting.carry_out(claimed)
        except Lost:
            raise NotAllowedNow("It was ended.") from None

    edit = partial(
        actions.save_draft,
        problem=uncertified,
        author=uncertified.author,
        saved_at=saved_at,
        solution="Changed.",
    )
    done = at_once(carry_out, edit)
    uncertified.refresh_from_db()
    [revision] = uncertified.revisions.all()
    if uncertified.status == Status.IN_REVIEW:
        assert (done, revision.solution) == (["done", "refused"], uncertified_solution())
    else:
        assert (revision.solution, outcome_of(request)) == ("Changed.", Outcome.CHANGED)


def uncertified_solution() -> str:
    return "Its energy above the ground is $m g h$."


def test_after_a_worker_was_lost_the_next_submits_it_once(uncertified):
    request = ask(uncertified)
    finish(request)
    first = SUBMITTING.claim(request.pk)
    assert first is not None
    past = timezone.now() - timedelta(seconds=1)
    SubmitRequest.objects.filter(pk=request.pk).update(lease_until=past)
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == Outcome.SUBMITTED
    with pytest.raises(Lost):
        submitting.carry_out(first)
    assert ReviewRound.objects.count() == 1


def test_what_takes_worker_after_worker_with_it_ends_and_can_be_asked_again(author, uncertified):
    request = ask(uncertified)
    finish(request)
    SubmitRequest.objects.filter(pk=request.pk).update(lost=settings.WORK_TRIES)
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == Outcome.LOST
    page = author.get(reverse("curation:edit", args=[uncertified.pk])).content.decode()
    assert "Nothing is lost. Submit it again." in page
    author.post(reverse("curation:submit", args=[uncertified.pk]))
    uncertified.refresh_from_db()
    assert uncertified.status == Status.IN_REVIEW


@pytest.mark.parametrize("outcome", ["FAILED", "OPEN"])
def test_what_does_not_pass_is_not_submitted_and_the_page_says_so(author, uncertified, outcome):
    request = ask(uncertified)
    finish(request, outcome)
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == Outcome.NOT_CERTIFIED
    page = author.get(
        reverse("curation:edit", args=[uncertified.pk]) + "?part=submission", HTTP_HX_REQUEST="true"
    ).content.decode()
    assert "Not submitted: not all cases passed." in page
    assert 'id="certificate"' in page
    assert ('name="confirmed"' in page) == (outcome == "OPEN")


def test_what_is_like_others_is_said_before_anything_is_tried(author, uncertified, draft):
    submit(draft, draft.author)
    page = author.post(reverse("curation:submit", args=[uncertified.pk]), follow=True)
    assert "Similar to this one" in page.content.decode()
    assert not uncertified.certificates.exists()
    # Two buttons, wherever one ticks that it was compared.
    assert page.content.decode().count('name="then" value="submit"') == 1
    author.post(
        reverse("curation:submit", args=[uncertified.pk]), {"different_from": [str(draft.pk)]}
    )
    assert SubmitRequest.objects.get().different_from == [draft.pk]


def test_what_has_become_like_it_meanwhile_is_compared_first(uncertified, draft):
    request = ask(uncertified)
    submit(draft, draft.author)
    finish(request)
    do(SUBMITTING, request.pk)
    assert outcome_of(request) == Outcome.ALIKE


def test_what_breaks_a_rule_is_not_even_tried(uncertified):
    revision = uncertified.revisions.get()
    revision.answer = "0.5 m g h"
    revision.save()
    with pytest.raises(actions.RulesBroken):
        submitting.ask_to_submit(problem=uncertified, author=uncertified.author)
    assert not SubmitRequest.objects.exists()


def test_only_its_author_asks_to_submit_it(client, uncertified):
    client.force_login(make_person(Role.CONTRIBUTOR, "another"))
    for end in ("submit/", "edit/?part=submission"):
        answer = client.post(uncertified.get_absolute_url() + end)
        assert answer.status_code in {404, 405}
    assert not SubmitRequest.objects.exists()


# --- What a problem comes from ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("adaptation", "source", "missing"),
    [
        ("CHANGED", "", "Name the source"),
        ("", "IPhO 1996, problem 2", "say how far you changed it"),
        ("ORIGINAL", "IPhO 1996, problem 2", "say how far you changed it"),
    ],
)
def test_a_source_and_how_far_it_was_changed_are_said_together(
    author, draft, adaptation, source, missing
):
    sent = form_of(draft, adaptation=adaptation, source=source, then="submit")
    page = author.post(reverse("curation:edit", args=[draft.pk]), sent, follow=True)
    said = page.context["form"].errors
    (at,) = said
    assert missing in said[at][0]
    assert at == ("adaptation" if source else "source")
    assert draft.revisions.get().source == source
    draft.refresh_from_db()
    assert draft.status == Status.DRAFT


def test_all_that_is_missing_is_said_at_its_fields_and_counted_once_each(author, draft):
    sent = form_of(draft, statement=" ", adaptation="CHANGED", source="", then="submit")
    page = author.post(reverse("curation:edit", args=[draft.pk]), sent, follow=True)
    assert set(page.context["form"].errors) == {"statement", "source"}
    text = page.content.decode()
    assert "The draft is saved, but not submitted yet." in text
    assert "2 things to fix" in text


def test_the_summary_counts_what_there_is_to_fix_and_not_the_fields(author, draft):
    statement = r"The graph shows $\foo{v}$ and $m$, $g$, $h$."
    sent = form_of(draft, statement=statement, then="submit")
    page = author.post(reverse("curation:edit", args=[draft.pk]), sent, follow=True)
    assert len(page.context["form"].errors["statement"]) == 2
    assert "2 things to fix" in page.content.decode()


def test_a_reviewer_sees_what_it_was_adapted_from_with_the_answer_and_others_do_not(
    client, benchmark, contributor, reviewer
):
    told = {"adaptation": "CHANGED", "source": "Irodov 1.120"}
    problem = make_draft(contributor, benchmark, **told)
    review_round = submit(problem, contributor)
    client.force_login(reviewer)
    page = client.get(reverse("curation:review", args=[review_round.pk])).content.decode()
    assert "Irodov 1.120" in page
    assert "same scenario, another question or other conditions" in page
    client.force_login(make_person(Role.REVIEWER, "second"))
    page = client.get(problem.get_absolute_url()).content.decode()
    assert "Irodov 1.120" not in page


def test_the_next_revision_keeps_what_it_was_adapted_from(draft, contributor):
    told = {"adaptation": "IDEA", "source": "A lecture of ours"}
    revision = draft.revisions.get()
    actions.save_draft(
        problem=draft, author=contributor, saved_at=revision.saved_at.isoformat(), **told
    )
    submit(draft, contributor)
    actions.withdraw(problem=draft, author=contributor)
    draft.refresh_from_db()
    following = actions.save_draft(problem=draft, author=contributor, saved_at="", answer="m g h")
    assert (following.number, following.adaptation, following.source) == (2, *told.values())


# --- The benchmark, and a first problem ------------------------------------------------------


def test_a_new_problem_is_of_the_benchmark_whose_page_it_is_begun_on(author, benchmark):
    Benchmark.objects.create(name="Another", slug="another")
    page = author.get(reverse("curation:new", args=["test"]))
    assert page.context["form"]["benchmark"].value() == benchmark.pk


def test_a_first_problem_is_offered_a_worked_example(author, benchmark, contributor):
    address = reverse("curation:new", args=["test"])
    assert "Your first problem?" in author.get(address).content.decode()
    example = author.get(address, {"example": "1"})
    assert example.context["form"]["answer"].value() == EXAMPLES["en"]["answer"]
    assert not Problem.objects.exists()
    make_draft(contributor, benchmark)
    assert "Your first problem?" not in author.get(address).content.decode()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_worked_example_keeps_every_rule_but_is_not_submitted(contributor, benchmark, language):
    with override(language):
        example = fill_in()
    for name in ("statement", "symbols", "must_accept", "must_reject", "solution"):
        assert example[name]
    form = ProblemForm({**example, "benchmark": benchmark.pk})
    assert form.is_valid(), form.errors
    problem = actions.create_draft(author=contributor, **form.fields_to_save())
    with pytest.raises(NotAllowedNow, match="worked example"):
        actions.certify_draft(problem=problem, author=contributor)
    revision = problem.revisions.get()
    revision.statement = STATEMENT.replace("$m$", "$v_0$")
    checked = actions.check(
        example["answer"],
        example["statement"],
        solution=example["solution"],
        rows=revision.symbol_rows,
        wanted=revision.wanted,
    )
    assert checked.broken == []


def test_one_tests_ones_own_wrong_answers_without_opening_anything(author, draft):
    page = author.get(reverse("curation:edit", args=[draft.pk])).content.decode()
    own = page[page.index("Test the grader with answers of your own") :]
    own = own[: own.index("</fieldset>")]
    assert 'name="must_reject"' in own
    assert 'name="then" value="certify"' in own
    assert "<details" not in own
