"""Prompts that people bring: kept, released by an admin, and then to be chosen."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from grading.judging.prompts.models import JudgePrompt
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.prompts import Variant, read_text
from tests.grading.judging.judging import FORM, JUDGE, begin

pytestmark = pytest.mark.usefixtures("commits")


def bring(client, content, name="ours.txt", kind="SEMANTIC"):
    sent = {"file": SimpleUploadedFile(name, content), "kind": kind, "language": "en"}
    return client.post(reverse("grading:judge_prompts"), sent)


OURS = read_text(Variant(KINDS["SEMANTIC"], has_reference=True)).encode()
OWN = b"name: own\nversion: 7\n--- user\n{question} {response} {ground_truth}\n"


def test_a_brought_prompt_is_used_once_an_admin_has_released_it(
    client, evaluator, admin, submission, endpoint
):
    client.force_login(evaluator)
    assert bring(client, OWN).status_code == 302
    prompt = JudgePrompt.objects.get(name="own")
    assert (prompt.version, prompt.is_usable, prompt.brought_by) == ("7", False, evaluator)
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "prompt": prompt.pk, "step": "estimate"}
    address = reverse("grading:new_judge_run", args=[submission.pk])
    assert client.post(address, sent).status_code == 400
    release = reverse("grading:release_prompt", args=[prompt.pk])
    assert client.post(release).status_code == 403
    client.force_login(admin)
    client.post(release)
    prompt.refresh_from_db()
    assert (prompt.is_usable, prompt.released_by) == (True, admin)
    client.force_login(evaluator)
    assert client.post(address, sent).status_code == 200


def test_a_prompt_without_the_reference_is_for_judging_without_it(
    client, admin, submission, endpoint
):
    client.force_login(admin)
    file = SimpleUploadedFile(
        "plain.txt", b"name: plain\nversion: 1\n--- user\n{question} {answer}\n"
    )
    sent = {"file": file, "kind": "RATING", "language": "en", "without_reference": "1"}
    assert client.post(reverse("grading:judge_prompts"), sent).status_code == 302
    prompt = JudgePrompt.objects.get(name="plain")
    assert not prompt.with_reference
    run = {**FORM, "kind": "RATING", "models": [f"{endpoint.pk}|{JUDGE}"], "prompt": prompt.pk}
    address = reverse("grading:new_judge_run", args=[submission.pk])
    page = client.post(address, {**run, "step": "estimate"})
    assert page.status_code == 400
    assert "judging without the reference answer" in page.content.decode()
    without = {**run, "without_reference": "1", "step": "estimate"}
    assert client.post(address, without).status_code == 200


def test_the_page_says_what_a_prompt_of_each_judge_has_to_hold(client, evaluator):
    client.force_login(evaluator)
    page = client.get(reverse("grading:judge_prompts")).content.decode()
    for name in ("{ground_truth}", "{ref_answer_1}", "{reference_solution}", "{solution_b}"):
        assert f"<code>{name}</code>" in page
    assert "docs/" not in page, "a reader of the page has no checkout"


def test_a_prompt_says_what_it_is_for_wherever_it_is_listed(client, admin, submission, endpoint):
    client.force_login(admin)
    file = SimpleUploadedFile(
        "plain.txt", b"name: plain\nversion: 1\n--- user\n{question} {answer}"
    )
    sent = {"file": file, "kind": "RATING", "language": "fi", "without_reference": "1"}
    shown = client.post(reverse("grading:judge_prompts"), sent, follow=True).content.decode()
    listed = client.get(reverse("grading:judge_prompts")).content.decode()
    for text in (shown, listed):
        assert "rating judge, Finnish, without the reference answer" in " ".join(text.split())
    address = reverse("grading:new_judge_run", args=[submission.pk])
    form = client.get(address, {"kind": "RATING"}).content.decode()
    assert "plain 1 (rating judge, Finnish, without the reference answer)" in form
    assert ",RATING,fi,False," in client.get(reverse("grading:judge_prompts_csv")).content.decode()


def test_a_prompt_of_a_judge_that_compares_has_the_reference(client, admin):
    client.force_login(admin)
    sent = {"file": SimpleUploadedFile("own.txt", OWN), "kind": "SEMANTIC", "language": "en"}
    page = client.post(reverse("grading:judge_prompts"), {**sent, "without_reference": "1"})
    assert page.status_code == 400
    assert "compares with the reference" in page.content.decode()
    sent["file"].seek(0)
    page = client.post(reverse("grading:judge_prompts"), {**sent, "language": "fi"})
    assert page.status_code == 400
    assert "prompts of this judge are in English" in page.content.decode(), "no run could choose it"
    assert not JudgePrompt.objects.exists()


@pytest.mark.parametrize(
    ("content", "is_warned_of"),
    [
        (OWN, True),
        (read_text(Variant(KINDS["SEMANTIC"], has_reference=True)).encode(), False),
    ],
)
def test_a_prompt_that_sets_no_answer_apart_is_marked_as_for_trusted_ones(
    client, evaluator, content, is_warned_of
):
    client.force_login(evaluator)
    bring(client, content)
    prompt = JudgePrompt.objects.get()
    shown = client.get(reverse("grading:judge_prompt", args=[prompt.pk])).content.decode()
    listed = client.get(reverse("grading:judge_prompts")).content.decode()
    assert ("use it only for trusted answers" in shown) is is_warned_of
    assert ("only for trusted answers" in listed) is is_warned_of


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{question}", "are missing from"),
        (b"\xff\xfe", "UTF-8"),
        (OWN + b"{secret_key}", "does not use"),
        (b"x" * 60_000, "too long"),
        (b"x" * 300_000, "too large"),
        (b"{question} {response} {ground_truth} \x00", "invalid characters"),
    ],
)
def test_a_file_that_is_no_prompt_says_what_to_change(client, evaluator, content, says):
    client.force_login(evaluator)
    page = bring(client, content)
    assert page.status_code == 400
    assert says in page.content.decode()
    assert not JudgePrompt.objects.exists()


def test_who_brings_our_own_words_does_not_lock_ours(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    assert bring(client, OURS).status_code == 302
    assert JudgePrompt.objects.get().is_usable is False
    begin(submission, endpoint)
    assert JudgePrompt.objects.filter(is_built_in=True).count() == 1
