"""Templates: every variant has one that fits, none changes unseen, and others can be brought."""

import itertools
import json
import re

import pytest

from grader_tests.judges.prompts.hashes import HASHES
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.prompts import (
    PromptLanguage,
    TemplateError,
    Variant,
    get_template,
    read_template,
)
from phybench_grader.judges.prompts.templates import FENCE, TOKEN, describe

VARIANTS = [variant for kind in KINDS.values() for variant in kind.list_variants()]
MARKERS = {
    PromptLanguage.ENGLISH: "Rating:",
    PromptLanguage.GERMAN: "Bewertung:",
    PromptLanguage.FINNISH: "Arvosana:",
}
RATINGS = list(itertools.product(PromptLanguage, (1, 2, 3), (False, True)))


@pytest.mark.parametrize(("language", "turns", "has_reference"), RATINGS)
def test_every_language_has_every_variant_of_the_rating(language, turns, has_reference):
    template = get_template(Variant(KINDS["RATING"], language, turns, has_reference))

    assert f"/{language}/" in template.name
    assert template.placeholders == template.variant.needed | {FENCE, TOKEN}
    # What is demanded of the reply stands before the data, behind it, and in the reminder.
    form = f"{MARKERS[language]} [[n]] {{{TOKEN}}}"
    assert form in template.system
    assert form in template.user.rpartition("}>>>")[2]
    assert form in template.reminder


@pytest.mark.parametrize("variant", VARIANTS, ids=describe)
def test_data_are_fenced_in_the_user_s_message_and_spoken_of_on_both_sides(variant):
    template = get_template(variant)
    before, _, after = template.user.partition("<<<")[2].rpartition("{fence}>>>")

    assert f"{{{FENCE}}}" in template.system
    assert f"{{{FENCE}}}" in after
    for name in variant.needed:
        assert f"{{fence}}\n{{{name}}}\n" in f"<<<{before}{{fence}}>>>"


@pytest.mark.parametrize("variant", VARIANTS, ids=describe)
def test_each_prompt_of_ours_asks_for_its_token_and_gives_no_verdict_as_an_example(variant):
    template = get_template(variant)

    for part in (template.system + template.user, template.reminder):
        assert f"{{{TOKEN}}}" in part
        assert not re.search(r"\[\[\s*\d|(?:Rating|Bewertung|Arvosana):\s*\d", part)


@pytest.mark.parametrize("variant", VARIANTS, ids=describe)
def test_a_template_that_changed_has_another_version(variant):
    template = get_template(variant)

    assert template.sha256 == HASHES[template.name, template.version]


def test_every_template_has_a_name_of_its_own():
    assert len({get_template(variant).name for variant in VARIANTS}) == len(VARIANTS)


def test_no_two_languages_share_a_text():
    texts = {get_template(variant).system for variant in VARIANTS}

    assert len(texts) == len(VARIANTS)


def test_a_variant_without_a_template_is_refused_and_not_replaced():
    with pytest.raises(TemplateError, match="semantic, fi"):
        get_template(Variant(KINDS["SEMANTIC"], PromptLanguage.FINNISH, has_reference=True))


SINGLE = Variant(KINDS["RATING"])


def test_a_file_without_parts_is_one_user_message_of_just_these_words(tmp_path):
    text = "[System]\nRate {question} and {answer} in \\boxed{...}, {not this}: [[rating]].\n"
    (tmp_path / "theirs.txt").write_text(text, encoding="utf-8")

    template = read_template(tmp_path / "theirs.txt", SINGLE)

    assert (template.name, template.version) == ("theirs", "as brought")
    assert (template.system, template.user, template.is_fenced) == ("", text, False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{question}", "{answer} is missing from the user's message of theirs.txt: add it."),
        (
            "Hello",
            "{answer}, {question} are missing from the user's message of theirs.txt: add them.",
        ),
        ("{question} {answer} {reference}", "has {reference}, which rating, en, 1 turn"),
        ("{question} {answer} {reference}", "does not use: remove it."),
        ("{question} {answer} {reference} {x}", "has {reference}, {x}, which"),
        ("{question} {answer} {reference} {x}", "does not use: remove them."),
        ("--- system\n{answer}\n--- user\n{question} {answer}", "outside the user's message"),
        ("--- user\n{question} {answer}\n--- reminder\n{answer}", "outside the user's message"),
        ("--- system\n{question} {answer}", "--- user"),
        ("--- user\n{question} {answer}\n--- user\nx", "no part twice"),
        ("Hello\n--- user\n{question} {answer}", "before its first part"),
        ("x" * 50_001, "too long"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_what_to_change(tmp_path, text, message):
    (tmp_path / "theirs.txt").write_text(text, encoding="utf-8")

    with pytest.raises(TemplateError) as error:
        read_template(tmp_path / "theirs.txt", SINGLE)

    assert message in str(error.value)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "theirs.txt").write_bytes(b"\xff\xfe{question}")

    with pytest.raises(TemplateError, match="UTF-8"):
        read_template(tmp_path / "theirs.txt", SINGLE)
    with pytest.raises(TemplateError, match=r"nowhere\.txt can't be opened \(No such file"):
        read_template(tmp_path / "nowhere.txt", SINGLE)


def test_the_semantic_template_asks_for_the_keys_that_are_read():
    system = get_template(Variant(KINDS["SEMANTIC"], has_reference=True)).system

    for key in ("id", "is_correct", "extracted_answer", "reasoning_score", "error_type", "comment"):
        assert f"\n  {key} " in system
    # The reasons come before the verdict, so that they can lead to it.
    assert system.index("\n  comment ") < system.index("\n  is_correct ")
    assert json.dumps("none")[1:-1] in system
