"""From a harness' output to grading: what a file doesn't say is asked, and what is matched said."""

import json

import pytest
from django.urls import reverse

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.drafts.models import Draft, DraftAnswer, DraftFile
from tests.addresses import client_of
from tests.conftest import accept, make_draft
from tests.grading.answer_files.harnesses import HARNESSES
from tests.grading.answer_files.test_archives import MADE
from tests.grading.drafts.test_draft_pages import grade, read_all, upload
from tests.work import carry_out_jobs

pytestmark = pytest.mark.django_db
TEXT = "Its mass is $m$, the height is $h$, and $g$ is known. Which energy does it take?"


@pytest.fixture
def problems(contributor, reviewer, benchmark):
    """Return problems whose statements differ, as those of the other tests do not."""
    drafts = [
        make_draft(
            contributor, benchmark, title=title, answer="m g h", statement=f"{title}. {TEXT}"
        )
        for title in ("A ball falls", "A stone is lifted", "A cart rolls down")
    ]
    accepted = [accept(one, contributor, reviewer) for one in drafts]
    for number, one in enumerate(accepted, start=1):
        one.published_id = f"C{number}"
        one.save()
    return accepted


def as_lines(*rows: dict[str, object]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def opencompass(draft, *, gold: bool) -> bytes:
    """Write predictions as OpenCompass does: by the numbers of the rows, with the prompts."""
    rows = {}
    for at, item in enumerate(draft.version.items.with_all().order_by("-problem")):
        prompt = f"Solve: {item.revision.statement}\nAnswer in a box."
        rows[str(at)] = {
            "origin_prompt": [{"role": "HUMAN", "prompt": prompt}],
            "prediction": f"\\boxed{{x_{{{item.identifier}}}}}",
        } | ({"gold": item.identifier} if gold else {})
    return json.dumps(rows).encode()


def find_new(before: Draft) -> Draft:
    return Draft.objects.exclude(pk=before.pk).get()


def show(draft: Draft, person) -> str:
    return client_of(person).get(draft.get_absolute_url()).content.decode()


def list_matched(draft: Draft) -> set[tuple[str, str]]:
    return set(DraftAnswer.objects.of(draft).values_list("identifier", "response"))


CSV = b"id,model,response\nC1,m,\\boxed{m g h}\nC2,m,\\boxed{m g h}\n"
LINES = as_lines(*({"id": one, "model": "m", "response": r"\boxed{m g h}"} for one in ("C1", "C2")))
SHAPES = {
    "Inspect, .eval": ("our-task-inspect-0.3.285.eval", "a-model", 2),
    "Inspect, JSON": ("our-task-inspect-0.3.285.json", "a-model", 2),
    "lm-evaluation-harness": ("our-task-lm-eval-0.4.13.zip", "lab/a-model", 1),
    "OpenCompass": ("our-task-opencompass-0.5.4.json", "typed", 1),
    "OpenAI's batches": (HARNESSES["OpenAI's batches"].content, "", 1),
    "CSV": (CSV, "m", 1),
    "JSON lines": (LINES, "m", 1),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_harness_wrote_is_graded_after_three_clicks(
    draft, benchmark, evaluator, problems, shape
):
    """
    Add a model, Read the file, Grade: no page asks more of a file that names its model.

    The files of the first four were written by the tools themselves from the tasks given here, with
    models of a few lines: OpenCompass numbers its rows, and its `gold` is the id.
    """
    sent, model, samples = SHAPES[shape]
    content = (MADE / sent).read_bytes() if isinstance(sent, str) else sent
    client = client_of(evaluator)
    start = client.get(reverse("grading:submissions")).content.decode()
    assert f'<a class="button primary" href="{reverse("grading:upload")}">Add a model</a>' in start
    name = sent if isinstance(sent, str) else "answers"
    typed = {"model_name": model} if model == "typed" else {}
    assert upload(evaluator, benchmark, (name, content), **typed).status_code == 302
    read_all()
    new = find_new(draft)
    assert "Grade" in show(new, evaluator)
    assert grade(new, evaluator).status_code == 302
    carry_out_jobs()
    [made] = Submission.objects.filter(made_from__draft=new)
    assert model in ("", made.solver.name)
    given = made.attempts.values_list("revision__problem", "sample")
    assert set(given) == {
        (one.pk, sample) for one in problems[:2] for sample in range(1, samples + 1)
    }


@pytest.mark.parametrize("gold", [True, False], ids=["our task's", "its own"])
def test_opencompass_numbers_its_rows_and_each_answer_finds_its_problem(
    draft, benchmark, evaluator, problems, gold
):
    content = opencompass(draft, gold=gold)
    sent = ("demo.json", content)
    assert upload(evaluator, benchmark, sent, model_name="qwen").status_code == 302
    read_all()
    new = find_new(draft)
    assert list_matched(new) == {
        (one.identifier, f"\\boxed{{x_{{{one.identifier}}}}}") for one in problems
    }
    page = show(new, evaluator)
    said = "are matched by their statements."
    assert (said in page) is not gold, "and said where it is not by the id"
    grade(new, evaluator)
    carry_out_jobs()
    assert Attempt.objects.filter(submission__made_from__draft=new).count() == len(problems)


def test_a_file_that_names_no_model_is_asked_for_it_in_one_box_and_read(
    draft, benchmark, evaluator, problems
):
    rows = as_lines({"id": problems[0].identifier, "response": "x"})
    upload(evaluator, benchmark, ("answers.jsonl", rows))
    new = find_new(draft)
    page = show(new, evaluator)
    assert "Which model wrote these answers?" in page
    file = new.files.get()
    fields = reverse("grading:draft_fields", args=[new.pk, file.pk])
    empty = client_of(evaluator).post(fields, {"model_name": "  "})
    assert empty.status_code == 400
    assert client_of(evaluator).post(fields, {"model_name": "my model"}).status_code == 302
    read_all()
    [answer] = DraftAnswer.objects.of(new)
    assert (answer.model, answer.identifier) == ("my model", problems[0].identifier)


def test_of_two_files_without_a_model_one_is_asked_for_after_the_other(
    draft, benchmark, evaluator, problems
):
    rows = [as_lines({"id": problem.identifier, "response": "x"}) for problem in problems[:2]]
    upload(evaluator, benchmark, ("a.jsonl", rows[0]), ("b.jsonl", rows[1]))
    new = find_new(draft)
    for file in new.files.order_by("pk"):
        page = show(new, evaluator)
        fields = reverse("grading:draft_fields", args=[new.pk, file.pk])
        assert f'class="reading" action="{fields}"' in page
        assert page.count("button primary") == 1
        client_of(evaluator).post(fields, {"model_name": file.name})
    assert "The file doesn’t say" not in show(new, evaluator)


def test_the_name_given_with_the_files_is_for_rows_that_name_none(
    draft, benchmark, evaluator, problems
):
    named = as_lines({"id": problems[0].identifier, "response": "x", "model": "named"})
    bare = as_lines({"id": problems[0].identifier, "response": "y"})
    upload(evaluator, benchmark, ("a.jsonl", named), ("b.jsonl", bare), model_name="given")
    read_all()
    found = DraftAnswer.objects.of(find_new(draft)).values_list("model", "response")
    assert set(found) == {("named", "x"), ("given", "y")}


def test_the_next_file_alike_is_asked_for_its_model_again(draft, benchmark, evaluator, problems):
    rows = as_lines({"id": problems[0].identifier, "response": "x"})
    upload(evaluator, benchmark, ("a.jsonl", rows))
    file = find_new(draft).files.get()
    fields = reverse("grading:draft_fields", args=[file.draft_id, file.pk])
    client_of(evaluator).post(fields, {"model_name": "the first"})
    other = as_lines({"id": problems[1].identifier, "response": "y"})
    upload(evaluator, benchmark, ("b.jsonl", other))
    assert DraftFile.objects.order_by("pk").last().lacks_model, "else it would count for the first"


def test_results_beside_samples_name_their_model_and_are_no_file_of_answers(
    draft, benchmark, evaluator, problems
):
    samples = as_lines({"doc_id": 0, "doc": {"id": problems[0].identifier}, "resps": [["x"]]})
    results = json.dumps({"results": {"demo": {"bypass": 999}}, "model_name": "lab/a-model"})
    both = ("samples_demo.jsonl", samples), ("results.json", results.encode())
    assert upload(evaluator, benchmark, *both).status_code == 302
    read_all()
    new = find_new(draft)
    assert [one.name for one in new.files.all()] == ["samples_demo.jsonl"]
    assert DraftAnswer.objects.of(new).get().model == "lab/a-model"


def test_files_of_one_name_are_told_apart(draft, benchmark, evaluator, problems):
    samples = as_lines({"doc_id": 0, "doc": {"id": problems[0].identifier}, "resps": [["x"]]})
    results = json.dumps({"results": {}, "model_name": "lab/a-model"}).encode()
    upload(evaluator, benchmark, ("a.json", samples), ("a.json", results))
    assert find_new(draft).files.get().map.model_name == "lab/a-model"


def test_results_of_two_models_name_neither(draft, benchmark, evaluator, problems):
    samples = as_lines({"doc_id": 0, "doc": {"id": problems[0].identifier}, "resps": [["x"]]})
    results = [
        (f"results_{name}.json", json.dumps({"results": {}, "model_name": name}).encode())
        for name in ("one", "other")
    ]
    upload(evaluator, benchmark, ("samples.jsonl", samples), *results)
    assert find_new(draft).files.get().lacks_model


def test_ids_that_match_nothing_are_shown_beside_those_that_would(
    draft, benchmark, evaluator, problems
):
    rows = as_lines(*({"id": f"q-{at}", "response": "x"} for at in range(3)))
    upload(evaluator, benchmark, ("answers.jsonl", rows), model_name="m")
    read_all()
    page = show(find_new(draft), evaluator)
    assert "q-0" in page
    assert problems[0].identifier in page
    assert "match by statement" in page


def test_the_page_gives_each_task_and_how_it_is_started(draft, evaluator):
    page = client_of(evaluator).get(reverse("grading:upload")).content.decode()
    for harness in ("inspect", "lm-eval", "opencompass", "jsonl"):
        assert reverse("grading:task", args=[draft.benchmark.slug, harness]) in page
    assert "inspect eval" in page


def test_a_file_can_be_read_again_by_another_way(draft, benchmark, evaluator, problems):
    content = opencompass(draft, gold=False)
    upload(evaluator, benchmark, ("a.json", content), model_name="m")
    file = find_new(draft).files.get()
    fields = reverse("grading:draft_fields", args=[file.draft_id, file.pk])
    client = client_of(evaluator)
    given = {name: value for name, value in file.field_map.items() if value is not False}
    assert client.post(fields, {**given, "ids": "order"}).status_code == 302
    read_all()
    ids = DraftAnswer.objects.filter(file=file).order_by("row").values_list("identifier", flat=True)
    assert list(ids) == list(
        draft.version.items.order_by("problem").values_list("identifier", flat=True)
    )
    assert client.post(fields, {**given, "ids": "luck"}).status_code == 400
