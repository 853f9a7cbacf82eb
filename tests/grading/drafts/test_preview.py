"""What is said of a draft before any of it counts, and that nothing does."""

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from curation.problems import actions as curating
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.solvers.models import Solver
from grading.submissions.drafts import actions, pieces, preview, reading, submitting
from grading.submissions.drafts.models import Draft, DraftAnswer, DraftFile, FilePiece
from grading.submissions.drafts.submitting import TooMany
from grading.submissions.drafts.tasks import READING
from phybench.files.answer_files.answers import Reason
from phybench.files.answer_files.fields import FieldMap
from phybench.people.models import User
from phybench.work.models import Lost
from tests import drafts
from tests.addresses import client_of
from tests.grading.answer_files.harnesses import log_of
from tests.organisations import organisation_of
from tests.versions import publish_version

pytestmark = pytest.mark.django_db


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def row(
    problem: Problem | str, response: str | None = r"\boxed{m g h}", **more: Any
) -> dict[str, Any]:
    identifier = problem if isinstance(problem, str) else problem.identifier
    return {"problem_id": identifier, "model": "A", "response": response, **more}


def look(draft: Draft) -> preview.Preview:
    return preview.look(draft, list(draft.files.all()))


def find_obstacle(draft: Draft) -> str:
    return preview.find_obstacle(list(draft.files.all()), look(draft))


def test_matched_missing_twice_unknown_and_empty_are_counted_and_nothing_is_graded(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    content = lines(
        row(problems[0], sample=0),
        row(problems[0], "m g", sample=1),
        row(problems[0], "m", sample=1),
        row(problems[1], sample=0),
        row(problems[2], None, sample=0),
        row("X999", sample=0),
        row(problems[3], "x", sample=-1),
    )
    drafts.add(draft, content, by=evaluator)
    [one] = look(draft).models
    assert (one.model, one.matched, one.answered, one.expected) == ("A", 3, 2, len(problems))
    assert one.samples == {2: 1, 1: 1}
    assert one.lacking == 1
    assert one.missing_ids == [problem.identifier for problem in problems[2:]]
    assert (one.unboxed, one.empty, one.twice, one.unusable) == (1, 1, 1, 1)
    assert (one.unknown, one.unknown_ids) == (1, ["X999"])
    for model in (Submission, Attempt, Solver):
        assert not model.objects.exists()


def test_five_thousand_duplicates_are_counted_and_the_first_of_each_stays(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    content = lines(*(row(problems[0], f"m + {n}", sample=0) for n in range(5_001)))
    file = drafts.add(draft, content, by=evaluator)
    [one] = look(draft).models
    assert (one.matched, one.twice, file.rows) == (1, 5_000, 5_001)
    assert DraftAnswer.objects.get().response == "m + 0"


def test_ids_of_another_version_are_told_from_those_of_none(
    draft: Draft, problems: list[Problem], benchmark: Benchmark, evaluator: User, admin: User
) -> None:
    curating.retire(problem=problems[4], admin=admin, note="It has two answers.")
    publish_version(benchmark)
    draft = actions.begin(organisation=draft.organisation, benchmark=benchmark, by=evaluator)
    drafts.add(draft, lines(row(problems[0]), row(problems[4]), row("X999")), by=evaluator)
    [one] = look(draft).models
    assert (one.unknown, one.elsewhere) == (2, 1)


def test_of_two_files_the_first_to_give_a_sample_counts_and_removing_it_mends_that(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    first = drafts.add(draft, lines(row(problems[0], "m")), by=evaluator)
    drafts.add(draft, lines(row(problems[0], "g"), row(problems[1], "h")), by=evaluator)
    [one] = look(draft).models
    assert (one.matched, one.repeated) == (2, 1)
    actions.remove_file(file=first, by=evaluator)
    [one] = look(draft).models
    assert (one.matched, one.repeated) == (2, 0)


def test_a_cut_file_is_named_with_the_row_and_stands_in_the_way(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    content = json.dumps([row(problems[0]), row(problems[1])]).encode()
    file = drafts.add(draft, content[:-30], by=evaluator, name="half.json")
    assert "Reading stopped at row 2" in file.broken_off
    assert "half.json can’t be read to its end" in find_obstacle(draft)


def test_what_a_worker_says_of_a_file_is_in_the_language_of_who_sent_it(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    User.objects.filter(pk=evaluator.pk).update(interface_language="zh-hans")
    content = json.dumps([row(problems[0]), row(problems[1])]).encode()
    file = drafts.add(draft, content[:-30], by=evaluator, name="half.json")
    assert "第 2 行" in file.broken_off


def test_a_file_without_a_model_waits_for_its_name_and_is_read_then(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    nameless = {"problem_id": problems[0].identifier, "response": "m g h"}
    file = drafts.add(draft, lines(nameless), by=evaluator, name="plain.jsonl")
    assert file.mapped_at is None
    assert find_obstacle(draft) == "Say which model wrote the answers in plain.jsonl."
    page = client_of(evaluator).get(draft.get_absolute_url()).text
    assert "Which model wrote these answers? The file doesn’t say." in page
    assert "We can’t tell what the fields contain" not in page
    fields = reverse("grading:draft_fields", args=[draft.pk, file.pk])
    assert f'<form method="post" class="reading" action="{fields}">' in page
    assert 'id="id_model_name"' in client_of(evaluator).get(fields).text
    actions.choose_fields(file=file, field_map=replace(file.map, model_name="B"), by=evaluator)
    drafts.read(file)
    assert [one.model for one in look(draft).models] == ["B"]


def test_fields_that_a_person_chose_are_remembered_for_the_next_file_alike(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:

    strange = {"nr": problems[0].identifier, "who": "A", "said": "m g h"}
    first = drafts.add(draft, lines(strange), by=evaluator, name="a.jsonl")
    assert first.mapped_at is None
    chosen = FieldMap(id="nr", response="said", model="who")
    actions.choose_fields(file=first, field_map=chosen, by=evaluator)
    second = drafts.add(draft, lines(strange | {"said": "x"}), by=evaluator, name="b.jsonl")
    assert (second.map, second.read_at is not None) == (chosen, True)


def test_who_wrote_one_file_is_not_remembered_for_the_next(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    nameless = {"nr": problems[0].identifier, "said": "m g h"}
    first = drafts.add(draft, lines(nameless), by=evaluator, name="a.jsonl")
    chosen = FieldMap(id="nr", response="said", model_name="A")
    actions.choose_fields(file=first, field_map=chosen, by=evaluator)
    second = drafts.add(draft, lines(nameless | {"said": "x"}), by=evaluator, name="b.jsonl")
    assert (second.map, second.lacks_model) == (replace(chosen, model_name=""), True)
    third = lines(nameless | {"said": "y"})
    named = drafts.add(draft, third, by=evaluator, name="c.jsonl", model_name="B")
    assert (named.map, named.is_map_chosen) == (replace(chosen, model_name="B"), False)


def test_rows_read_by_other_fields_replace_what_was_read_before(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    file = drafts.add(draft, lines(row(problems[0], "x", other="y")), by=evaluator)
    chosen = replace(file.map, response="other")
    actions.choose_fields(file=file, field_map=chosen, by=evaluator)
    drafts.read(file)
    assert DraftAnswer.objects.get().response == "y"


def test_a_worker_that_lost_the_file_writes_nothing(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    content = lines(row(problems[0], "x", other="y"))
    file = actions.add_file(draft=draft, file=io.BytesIO(content), name="a.jsonl", by=evaluator)
    claimed = READING.claim(file.pk)
    assert claimed is not None
    actions.choose_fields(file=file, field_map=file.map, by=evaluator)
    with pytest.raises(Lost):
        reading.read(claimed)
    assert not DraftAnswer.objects.exists()
    drafts.read(file)
    assert DraftAnswer.objects.count() == 1


def test_a_file_is_kept_in_pieces_and_read_back_as_it_came(
    draft: Draft, problems: list[Problem], evaluator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 7)
    content = lines(row(problems[0]), row(problems[1]))
    file = drafts.add(draft, content, by=evaluator)
    assert FilePiece.objects.count() == -(-len(content) // 7)
    again = pieces.open_file(file)
    assert (again.read(), again.seek(0), again.read(3)) == (content, 0, content[:3])
    assert DraftFile.objects.get().size == len(content)


def test_rows_of_the_hidden_part_are_counted_apart(
    problems: list[Problem], benchmark: Benchmark, evaluator: User, settings: Any
) -> None:
    settings.LEAST_HIDDEN_ITEMS = 2
    publish_version(benchmark, hidden=tuple(one.identifier for one in problems[3:]))
    organisation = organisation_of(evaluator)
    draft = actions.begin(organisation=organisation, benchmark=benchmark, by=evaluator)
    drafts.add(draft, lines(*(row(one) for one in problems[2:])), by=evaluator)
    [one] = look(draft).models
    assert (one.answered, one.expected) == (1, 3)
    assert (one.hidden_answered, one.hidden_expected) == (2, 2)
    assert one.left_out[Reason.EMPTY] == 0


def test_a_draft_of_more_models_than_are_left_of_the_day_makes_nothing(
    draft: Draft, problems: list[Problem], evaluator: User, settings: Any
) -> None:
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 2, 0
    drafts.add(draft, lines(*(row(problems[0], model=name) for name in "ABC")), by=evaluator)
    with pytest.raises(TooMany, match="You have 2 left, and this draft has 3"):
        submitting.grade(draft=draft, by=evaluator)
    assert not Solver.objects.exists()


def test_a_file_of_very_many_models_breaks_off(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    content = lines(*(row(problems[0], model=f"M{n}") for n in range(reading.MOST_MODELS + 1)))
    file = drafts.add(draft, content, by=evaluator)
    assert "at most 100 models" in file.broken_off


def test_the_drafts_of_an_organisation_take_so_much_room_together(
    draft: Draft, problems: list[Problem], evaluator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "WAITING_ANSWERS", 30)
    first = drafts.add(draft, lines(row(problems[0], "x" * 20)), by=evaluator)
    second = drafts.add(draft, lines(row(problems[1], "x" * 20)), by=evaluator)
    assert (first.broken_off, first.characters) == ("", 20)
    assert "contain more than" in second.broken_off


def test_rows_that_hold_nothing_are_no_reason_not_to_publish(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    content = lines(
        row(problems[0], sample=0),
        row(problems[0], sample=1),
        row(problems[1], sample=0),
        row(problems[1], None, sample=1),
    )
    drafts.add(draft, content, by=evaluator)
    [one] = look(draft).models
    assert (one.lacking, one.missing) == (0, 3 + 1)


def test_rows_that_name_no_model_are_said_to_be_in_no_models_counts(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    nameless = {"problem_id": problems[1].identifier, "response": ""}
    content = lines(row(problems[0]), row(problems[0], model="B"), nameless)
    drafts.add(draft, content, by=evaluator)
    page = client_of(evaluator).get(draft.get_absolute_url()).text
    assert "1 row is not an answer" in page
    assert "1 of them names no model" in page
    assert [one.empty for one in look(draft).models] == [0, 0]


def test_ids_that_all_match_nothing_are_set_beside_those_of_the_version(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    drafts.add(draft, lines(*(row(str(number)) for number in range(36))), by=evaluator)
    names = ", ".join(one.identifier for one in problems[:3])
    said = f"look like {names}; in the file they look like 0, 1, 10."
    assert said in find_obstacle(draft)
    page = client_of(evaluator).get(draft.get_absolute_url()).text
    assert "Samples:" not in page


def test_calls_that_failed_are_counted_and_their_problems_named_also_where_no_model_is(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    names = [one.identifier for one in problems]
    content = lines(
        row(problems[0]),
        row(problems[1], "half of it", error="Timeout"),
        {"problem_id": names[2], "response": None, "error": {"message": "Too late"}},
        row(problems[3], None, error="Timeout"),
        row(problems[4], None),
        {"problem_id": names[4], "response": ""},
    )
    drafts.add(draft, content, by=evaluator)
    drafts.add(draft, lines(row(problems[3])), by=evaluator)
    looked = look(draft)
    [one] = looked.models
    assert (one.failed, one.failed_ids, one.empty) == (3, names[1:3], 2)
    assert (one.missing_ids, looked.unnamed, one.lacking) == ([*names[1:3], names[4]], 0, 0)
    page = client_of(evaluator).get(draft.get_absolute_url()).content.decode()
    assert "3 rows say that asking the model failed" in page
    assert f"{names[1]}, {names[2]}." in page
    [made] = submitting.grade(draft=draft, by=evaluator)
    said = {row["id"]: row["message"] for row in made.left_out}
    assert said[names[2]] == "not answered, because it failed: Too late"


def test_a_file_in_which_every_call_failed_says_so(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    drafts.add(draft, lines(row(problems[0], None, error="Timeout")), by=evaluator)
    assert find_obstacle(draft) == "No row of its files is an answer: asking the model failed."


def test_calls_that_failed_are_of_the_model_that_alone_answers_in_the_log_of_its_evaluation(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    first, second = (one.identifier for one in problems[:2])
    log = log_of((first, "gpt-x-2026", "m g h"), (second, "openai/gpt-x", ""))
    drafts.add(draft, log, by=evaluator, name="log.json")
    looked = look(draft)
    [one] = looked.models
    assert (one.failed, one.failed_ids, looked.unnamed) == (1, [second], 0)
    page = client_of(evaluator).get(draft.get_absolute_url()).content.decode()
    assert "Failed calls" in page
    assert "openai/gpt-x" not in page


def test_a_model_of_which_only_failed_calls_are_there_is_named_on_its_own(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    first, second = (one.identifier for one in problems[:2])
    log = log_of((first, "A", "x"), (first, "B", "x"), (second, "openai/gpt-x", ""))
    drafts.add(draft, log, by=evaluator, name="log.json")
    looked = look(draft)
    assert [one.model for one in looked.models] == ["A", "B"]
    assert (looked.failed_only, looked.unnamed) == ({"openai/gpt-x": 1}, 0)
    page = client_of(evaluator).get(draft.get_absolute_url()).content.decode()
    assert "openai/gpt-x: only failed calls (1 row). Nothing was measured" in page
