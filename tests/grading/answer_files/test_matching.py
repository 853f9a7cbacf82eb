"""Which problem a row answers whose id is not the benchmark's: all that is known is said."""

from dataclasses import replace

import pytest

from phybench.files.answer_files.answers import Answer, Reading
from phybench.files.answer_files.fields import NUMBER, ORDER, STATEMENT, FieldMap
from phybench.files.answer_files.matching import Problems
from phybench.files.answer_files.rows import BrokenOff, Row

HASH = "0123456789abcdef" * 4
FALL = "A ball of mass $m$ falls from the height $h$. Which energy does it lose?"
BOUNCE = FALL + " Then it bounces. How often?"
SLIT = "Light of the wavelength $\\lambda$ falls on a slit. Find the angle."
PROBLEMS = Problems({"C2": FALL, "C5": BOUNCE, "C7": SLIT}, HASH)
MAP = FieldMap(id="id", response="response", model_name="A model")


def rows(*given: dict[str, object]) -> list[Row]:
    return [Row(at, {"response": "x", **one}) for at, one in enumerate(given, start=1)]


def read(given: list[Row], field_map: FieldMap) -> list[tuple[str, int]]:
    found = list(Reading(given, field_map, problems=PROBLEMS))
    return [(one.id, one.sample) for one in found if isinstance(one, Answer)]


def choose(given: list[Row], name: str = "", field_map: FieldMap = MAP) -> FieldMap:
    return PROBLEMS.choose_way(given, field_map, name)


def test_ids_that_are_known_are_taken_as_they_stand_whatever_the_prompt_says():
    given = rows({"id": "C7", "prompt": FALL}, {"id": "7", "prompt": FALL})
    assert choose(given) == MAP
    assert read(given, MAP) == [("C7", 1), ("7", 1)]


def test_numbers_are_those_of_the_ids_where_all_are_and_no_prompt_says_otherwise():
    given = rows({"id": 7}, {"id": "2"})
    assert choose(given).ids == NUMBER
    assert read(given, choose(given)) == [("C7", 1), ("C2", 1)]
    assert choose(rows({"id": 7}, {"id": 3})) == MAP, "3 is no number of theirs"
    told = rows({"id": 7, "prompt": SLIT}, {"id": 2, "prompt": BOUNCE})
    assert choose(told).ids == STATEMENT, "2 is the number of a row"
    assert read(told, choose(told)) == [("C7", 1), ("C5", 1)]


def test_two_ids_with_one_number_are_matched_by_none():
    both = Problems({"A7": "", "B07": "", "C2": ""})
    assert both.find_numbered("7") == ""
    assert both.find_numbered("2") == "C2"


@pytest.mark.parametrize(
    "prompt",
    [
        f"Solve this.\n\n{FALL}\n\nAnswer in a box.",
        [{"role": "HUMAN", "prompt": f"Solve: {FALL.replace(' ', chr(10))}"}],
        {"gen_args_0": {"arg_0": f"<|user|>{FALL}<|end|>", "arg_1": {"until": []}}},
    ],
    ids=["text", "chat, wrapped", "nested, between tags"],
)
def test_a_statement_is_found_in_a_prompt_however_it_is_wrapped(prompt):
    given = rows({"id": 0, "p": prompt})
    assert choose(given).ids == STATEMENT
    assert read(given, choose(given)) == [("C2", 1)]


def test_of_two_statements_that_begin_alike_the_longer_one_is_meant():
    assert PROBLEMS.find_stated({"p": BOUNCE}) == "C5"
    assert PROBLEMS.find_stated({"p": FALL}) == "C2"


def test_a_prompt_with_the_statements_of_two_problems_is_of_neither():
    assert PROBLEMS.find_stated({"p": f"{FALL} {SLIT}"}) == ""
    assert choose(rows({"id": 0, "p": f"{FALL} {SLIT}"})) == MAP


def test_a_statement_that_two_problems_share_is_of_neither():
    assert Problems({"C1": FALL, "C2": FALL}).find_stated({"p": FALL}) == ""


def test_a_text_that_repeats_how_many_statements_begin_is_given_up_soon():
    opening = "A particle of mass $m$ moves along a straight line. "
    many = Problems({f"C{one}": f"{opening}{one} is its speed." for one in range(1, 500)})
    assert many.find_stated({"p": f"{opening}7 is its speed."}) == "C7"
    repeated = opening * 4_000
    assert many.find_stated({"p": f"{repeated}7 is its speed."}) == "", "behind so many it is late"


def test_a_statement_that_is_cut_or_too_short_is_not_found():
    assert PROBLEMS.find_stated({"p": FALL[:-4]}) == ""
    assert Problems({"C1": "Find $v$."}).find_stated({"p": "Find $v$."}) == ""


def test_a_statement_that_comes_again_is_the_next_sample_unless_a_field_says_which():
    given = rows({"id": 0, "p": FALL}, {"id": 1, "p": SLIT}, {"id": 2, "p": FALL})
    assert read(given, choose(given)) == [("C2", 1), ("C7", 1), ("C2", 2)]
    numbered = rows({"id": 0, "p": FALL, "k": 1}, {"id": 2, "p": FALL, "k": 0})
    by_field = replace(MAP, sample="k")
    assert read(numbered, choose(numbered, field_map=by_field)) == [("C2", 2), ("C2", 1)]


def test_rows_without_an_id_are_matched_by_their_statements():
    given = rows({"p": SLIT})
    way = choose(given, field_map=replace(MAP, id=""))
    assert not way.find_faults()
    assert read(given, way) == [("C7", 1)]


def test_the_order_counts_only_where_the_file_names_the_version_by_its_hash():
    given = rows({"id": 0}, {"id": 1}, {"id": 2})
    assert choose(given, "answers.json") == MAP
    assert choose(given, f"demo_v1-{HASH[:12]}.json").ids == ORDER
    by_field = [Row(one.number, {**one.values, "version": HASH}) for one in given]
    assert choose(by_field).ids == ORDER
    assert read(given, replace(MAP, ids=ORDER)) == [("C2", 1), ("C5", 1), ("C7", 1)]
    assert choose(rows({"id": 8}, {"id": 9}), f"demo_v1-{HASH[:12]}.json") == MAP


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ([0, 1], "it has 2 of the 3 problems of the task file"),
        ([1, 2], "it has 2 of the 3 problems of the task file"),
        ([0, 1, 2, 3], "the task file has only 3 problems"),
        ([1, 2, 3, 0], "the task file has only 3 problems"),
        ([5, 6, 7], "rows are numbered from 0 or from 1"),
        (["a", "b", "c"], "rows are numbered from 0 or from 1"),
    ],
)
def test_an_order_with_rows_too_few_or_too_many_says_nothing(numbers, why):
    with pytest.raises(BrokenOff, match=why):
        read(rows(*({"id": one} for one in numbers)), replace(MAP, ids=ORDER))


def test_rows_in_order_are_counted_for_each_model_by_itself():
    given = rows(*({"model": one} for one in "ABABAB"))
    by_place = FieldMap(ids=ORDER, response="response", model="model")
    assert read(given, by_place) == [(one, 1) for one in ("C2", "C2", "C5", "C5", "C7", "C7")]
    with pytest.raises(BrokenOff, match="2 of the 3"):
        read(given[:5], by_place)
