"""Rulings: what is in doubt is ruled on blind, and judges are set beside it."""

import pytest
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt
from grading.judging.permissions import may_run
from grading.judging.rulings.waiting import list_waiting
from grading.samples.labels import rulings
from grading.samples.labels.models import Ruling
from phybench.people.models import Role
from tests.conftest import accept, make_draft, make_person
from tests.grading.judging.judging import (
    KEY,
    grade_all,
    judge_answers,
    judge_well,
    make_document,
    reject_empty_answers,
)
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.usefixtures("commits")


def test_what_is_in_doubt_is_ruled_on_blind_and_shown_after(client, admin, run):
    client.force_login(admin)
    page = client.get(reverse("grading:rulings"))
    [attempt] = page.context["page"]
    address = reverse("grading:rule", args=[attempt.pk])
    text = client.get(address).content.decode()
    assert KEY in text
    for word in ("the grader disagrees", "semantic matcher:", "incorrect", "judged right"):
        assert word not in text
    assert client.post(address, {"choice": "WRONG", "reason": ""}).status_code == 400
    assert client.post(address, {"choice": "MAYBE", "reason": "x"}).status_code == 400
    page = client.post(address, {"choice": "WRONG", "reason": "It is x."}, follow=True)
    text = page.content.decode()
    assert "the grader disagrees" in text
    assert "It is x." in text
    page = client.post(address, {"choice": "RIGHT", "reason": "No."}, follow=True)
    assert "already" in page.content.decode()
    assert Ruling.objects.get().choice == "WRONG"
    assert not list_waiting(admin).exists()


def test_who_handed_it_in_or_may_not_see_the_key_does_not_rule(client, evaluator, contributor, run):
    attempt = Attempt.objects.last()
    for person in (evaluator, make_person(Role.EVALUATOR, "other"), contributor):
        assert not list_waiting(person).exists()
        with pytest.raises(rulings.CannotRule):
            rulings.rule(attempt=attempt, by=person, choice="RIGHT", reason="So.")
    contributor.roles.append(Role.EVALUATOR)
    contributor.save()
    assert list_waiting(contributor).get() == attempt


def test_what_the_grader_leaves_to_a_person_is_ruled_on_with_its_readings(
    client, admin, problems, hand_in
):
    grade_all(hand_in((problems[0], "v^2 = m g h"), (problems[1], "y")))
    client.force_login(admin)

    page = client.get(reverse("grading:rulings"), {"left": "grader"})

    [attempt] = page.context["page"]
    assert attempt.failure_reason == "left_side"
    assert not client.get(reverse("grading:rulings"), {"left": "judges"}).context["page"]
    address = reverse("grading:rule", args=[attempt.pk])
    page = client.get(address)
    assert page.context["readings"].answer == (r"m\,g\,h",)
    assert "How the answer can be read" in page.content.decode()
    client.post(address, {"choice": "WRONG", "reason": "It is its square."})
    assert not list_waiting(admin).exists()


def test_after_a_ruling_comes_the_next_answer(client, admin, problems, hand_in, serve):
    made = hand_in((problems[0], "m g h"), (problems[1], r"\frac{a}{b}"), (problems[3], "y + x"))
    grade_all(made)
    judge_answers(made, make_endpoint(serve(judge_well)))
    client.force_login(admin)
    first, second, third = list_waiting(admin)
    sent = {"choice": "RIGHT", "reason": "The same."}

    def address_of(attempt) -> str:
        return reverse("grading:rule", args=[attempt.pk])

    page = client.get(address_of(second))
    assert (page.context["number"], page.context["total"]) == (1, 3)
    answer = client.post(address_of(second), sent)
    assert answer["Location"] == f"{address_of(third)}?after={second.pk}"
    again = client.post(address_of(second), sent)
    assert again["Location"] == answer["Location"], "sent twice it is one ruling"
    other = client.post(address_of(second), {**sent, "choice": "WRONG"}, follow=True)
    assert "ruled on this answer already" in other.content.decode()
    page = client.get(answer["Location"])
    assert (page.context["number"], page.context["total"]) == (2, 3)
    assert page.context["before"].attempt == second
    assert "the grader disagrees" not in page.content.decode(), "whoever rules is not led"
    answer = client.post(address_of(third), sent)
    assert answer["Location"] == f"{address_of(first)}?after={third.pk}", "from the beginning"
    answer = client.post(address_of(first), sent)
    assert answer["Location"] == address_of(first), "the last shows what was said"
    assert client.get(address_of(first)).context["following"] is None


def test_the_answer_is_set_and_the_reference_has_its_label(
    client, admin, contributor, reviewer, benchmark, hand_in, endpoint
):
    draft = make_draft(contributor, benchmark, quantity="E_0", answer="$m g h$")
    made = hand_in((accept(draft, contributor, reviewer), r"So \boxed{2 m g h}, and no more."))
    grade_all(made)
    judge_answers(made, endpoint)
    client.force_login(admin)
    page = client.get(reverse("grading:rule", args=[made.attempts.get().pk]))
    text = page.content.decode()
    assert 'data-tex="E_0 = m g h"' in text
    assert r'<span class="math inline">\boxed{2 m g h}</span>' in text
    assert r'<pre class="source">So \boxed{2 m g h}, and no more.</pre>' in text


def test_one_that_could_not_be_told_waits_for_somebody_else(admin, run):
    [attempt] = list_waiting(admin)
    rulings.rule(attempt=attempt, by=admin, choice="CANT_TELL", reason="No idea.")
    assert not list_waiting(admin).exists()
    assert list_waiting(make_person(Role.ADMIN, "second")).get() == attempt
    assert rulings.settled() == {}


def test_a_judge_is_calibrated_on_what_people_ruled(client, admin, run, settings):
    first, second = Attempt.objects.all()
    rulings.rule(attempt=first, by=admin, choice="RIGHT", reason="m g h.")
    rulings.rule(attempt=second, by=admin, choice="WRONG", reason="It is x.")
    client.force_login(admin)
    [shown] = client.get(reverse("grading:calibration")).context["rows"]
    configuration, found = shown.configuration, shown.found
    assert configuration == run.configuration
    assert (found.errors.true_accepts, found.errors.false_accepts, found.missing) == (1, 1, 0)
    assert (found.agreement.value, found.false_accepts.value) == (50.0, 100.0)
    assert not found.may_rank
    settings.JUDGE_LEAST_RULINGS, settings.JUDGE_LEAST_AGREEMENT = 2, 0.5
    assert found.agrees_enough
    assert not found.may_rank, "it was not tried with empty answers"
    reject_empty_answers(run)
    [shown] = client.get(reverse("grading:calibration")).context["rows"]
    assert shown.found.may_rank
    rows = client.get(reverse("grading:calibration_csv")).content.decode().splitlines()
    assert rows[1].startswith(configuration.name) or configuration.name in rows[1]
    assert Benchmark.objects.count() == 1
    assert may_run(admin, run.submission)


def test_rulings_and_calibration_ask_as_many_queries_for_one_row_as_for_three(
    client, admin, problems, hand_in, endpoint, django_assert_num_queries
):
    client.force_login(admin)
    expected = {"rulings": 17, "calibration": 20}
    for rows in ([0, 1], [2, 3]):
        made = hand_in(*[(problems[number], f"x + {number}") for number in rows])
        grade_all(made)
        judge_answers(made, endpoint, document=make_document(endpoint, repeats=len(rows)))
        if rows == [0, 1]:
            rulings.rule(attempt=made.attempts.last(), by=admin, choice="WRONG", reason="No.")
        for name, queries in expected.items():
            with django_assert_num_queries(queries):
                client.get(reverse(f"grading:{name}"))
