"""
Messages are in plain words, in English and in each language of the catalogues.

What is banned, and which terms a translation uses, is in locale/glossary.json; docs/words.md says
why. A room whose words are still to be read stands under `waiting` there, and is left out.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog, Message
from django.conf import settings

from phybench import catalogue
from tests import messages

GLOSSARY: dict[str, Any] = json.loads(
    (Path(settings.BASE_DIR) / "locale" / "glossary.json").read_text()
)
PATHS = list(catalogue.find_catalogues())
of_each_language = pytest.mark.parametrize(
    "path", PATHS, ids=[path.parent.parent.name for path in PATHS]
)

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SPACED = re.compile(
    r"""(?:[.?!]["']\ ?%\}|[.?!]\{%\ endblocktranslate\ %\})  # the end of a sentence
        (?:\{%\ end(?:if|with)\ %\})*
        \s+
        (?:\{%\ (?:if|with)\ [^%]*?%\})*
        \{%\ (?:block)?translate\ """,
    re.VERBOSE,
)
"""Two sentences with white space between them, which Chinese has not: `{% gap %}` is right."""
CONCEPTS = ROOT / "docs" / "concepts.md"
TERMS = re.compile(r"^\| ([^|]+) \| ([^|]*) \| [^|]+ \|$", re.MULTILINE)
"""A row of the glossary: a term, its Chinese, what it means."""
MOST_TERMS = 45
DOCS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted({*(ROOT / "docs").rglob("*.md")} - {ROOT / "docs" / "words.md"}),
]
"""All but the one that says what is banned."""
CODE = re.compile(r"```.*?```|`[^`\n]*`|(?m:^    [^\n]*$)", re.DOTALL)
FILLED_IN = re.compile(r"%\(\w+\)(\.\d)?[sdf]|%[sd]|{\w*}")
MARKUP = re.compile(r"<(code|kbd|math)\b.*?</\1>|</?\w[^>]*>|\\\(.*?\\\)|\$[^$]*\$", re.DOTALL)
HALF_WIDTH = re.compile(
    r"(?<=[\u3400-\u9fff”’》）]) ?[,.;:?!()]|[,.;:?!()] ?(?=[\u3400-\u9fff“‘《（])"
)


def list_forms(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def is_allowed(rule: str, message: str) -> bool:
    """Tell whether the glossary names this message, with a reason, as one that may break a rule."""
    return any(one["rule"] == rule and one["message"] == message for one in GLOSSARY["allowed"])


def list_banned(text: str) -> list[str]:
    """List the rules of the glossary about English words that a text breaks."""
    plain = FILLED_IN.sub("…", text)
    return [rule["pattern"] for rule in GLOSSARY["banned"] if re.search(rule["pattern"], plain)]


def list_gone(message: Message) -> list[str]:
    """List the rules on words that are gone that a message breaks, outside the rooms that wait."""
    files = [file for file, _line in message.locations]
    plain = [FILLED_IN.sub("…", form) for form in list_forms(message.id)]
    return [
        f"{rule['pattern']}: say {rule['say']}"
        for rule in GLOSSARY["gone"]
        if any(re.search(rule["pattern"], form) for form in plain)
        and not (files and all(file.startswith(tuple(rule["waiting"])) for file in files))
    ]


def list_half_width(text: str) -> list[str]:
    """List what stands half-width beside Chinese; what is filled in counts as Chinese."""
    if not re.search("[\u3400-\u9fff]", text):
        return []
    return HALF_WIDTH.findall(MARKUP.sub("", FILLED_IN.sub("字", text)))


def list_wrong_terms(language: str, message: Message) -> list[str]:
    """List the rules about terms that the translation of a message breaks."""
    rules = GLOSSARY["languages"][language]
    english, broken = FILLED_IN.sub("…", " ".join(list_forms(message.id))), []
    for text in list_forms(message.string):
        plain = FILLED_IN.sub("字", text)
        broken += [one["pattern"] for one in rules["forbidden"] if re.search(one["pattern"], plain)]
        for term in rules["terms"]:
            if "context" in term and term["context"] != message.context:
                continue
            if re.search(term["english"], english) and (
                not any(one in text for one in term["required"])
                or any(one in text for one in term.get("forbidden", ()))
            ):
                broken.append(term["english"])
    return broken


def list_read(found: Catalog) -> Iterator[Message]:
    """List the messages of the rooms whose words have been read."""
    waiting = tuple(GLOSSARY["waiting"])
    for message in found:
        if message.id and not all(file.startswith(waiting) for file, _line in message.locations):
            yield message


def test_no_message_has_a_banned_word():
    said = {
        (form, rule)
        for message in list_read(messages.collect())
        for form in list_forms(message.id)
        for rule in list_banned(form)
        if not is_allowed(rule, form)
    }
    assert sorted(said) == []


def test_no_message_has_a_word_that_is_gone():
    said = {
        (form, rule)
        for message in messages.collect()
        if message.id
        for rule in list_gone(message)
        for form in list_forms(message.id)[:1]
        if not is_allowed(rule.partition(": say ")[0], form)
    }
    assert sorted(said) == []


def test_a_room_waits_for_a_word_only_while_it_says_it():
    said = [
        (file, FILLED_IN.sub("…", form))
        for message in messages.collect()
        for form in list_forms(message.id)
        for file, _line in message.locations
    ]
    idle = [
        (rule["pattern"], room)
        for rule in GLOSSARY["gone"]
        for room in rule["waiting"]
        if not any(
            file.startswith(room) and re.search(rule["pattern"], form) for file, form in said
        )
    ]
    assert idle == []


COUNTED_TIME = re.compile(r"(?<!\()(?:%\(\w+\)[ds]|\{\w+\}) (?:second|minute|hour|day)s\b")
NEVER_ONE = {
    "{minutes} minutes left": "beside it stands “1 minute left”",
    "Half of them took less than %(minutes)s minutes.": "of whole sessions",
    "Median time on a problem: %(minutes)s minutes.": "with a decimal",
    "%(name)s: %(median)s minutes": "with a decimal",
    "%(title)s: accuracy was %(half)s %% after %(middle)s minutes and %(all)s %% after %(end)s"
    " minutes. The table below has all numbers.": "of whole sessions",
}
"""Spans of time without a singular, each with the reason why it is never 1."""


def test_a_span_of_time_has_a_singular():
    without = {
        message.id
        for message in messages.collect()
        if isinstance(message.id, str) and COUNTED_TIME.search(message.id)
    }
    assert without == set(NEVER_ONE)


@pytest.mark.parametrize("path", DOCS, ids=[path.stem for path in DOCS])
def test_no_document_has_a_banned_word(path):
    lines = CODE.sub("…", path.read_text()).splitlines()
    assert [(line, rule) for line in lines for rule in list_banned(line)] == []


def list_terms(text: str) -> list[tuple[str, str]]:
    """List the terms of a glossary, with their Chinese, below its head."""
    words = text.partition("## Words")[2].partition("\n## ")[0].partition("| pages say")[0]
    return TERMS.findall(words)[1:]


def test_the_glossary_is_short_and_each_term_has_its_chinese():
    terms = list_terms(CONCEPTS.read_text())
    assert 30 < len(terms) <= MOST_TERMS
    assert len({english for english, _chinese in terms}) == len(terms)
    assert [
        english for english, chinese in terms if not re.search("[\u3400-\u9fffA-Z]", chinese)
    ] == []


def test_each_term_of_the_glossary_is_used_on_a_page_in_both_languages():
    path = next(path for path in PATHS if path.parent.parent.name == "zh_Hans")
    said = [
        (" ".join(list_forms(message.id)), " ".join(list_forms(message.string)))
        for message in messages.read(path)
        if message.id
    ]
    unused = [
        (english, chinese)
        for english, chinese in list_terms(CONCEPTS.read_text())
        if not any(
            re.search(rf"\b{re.escape(english)}", one, re.IGNORECASE) and chinese in other
            for one, other in said
        )
    ]
    assert unused == []


def test_the_glossary_has_no_word_that_is_gone():
    gone = [
        (english, found)
        for english, _chinese in list_terms(CONCEPTS.read_text())
        if (found := list_gone(Message(english, locations=[("docs/concepts.md", 1)])))
    ]
    assert gone == []


def test_the_words_and_the_life_of_a_problem_are_told_without_words_that_are_gone():
    lines = CODE.sub("…", CONCEPTS.read_text()).splitlines()
    place = [("docs/concepts.md", 1)]
    assert [
        (line, found) for line in lines if (found := list_gone(Message(line, locations=place)))
    ] == []


@of_each_language
def test_translations_use_the_terms_of_the_glossary(path):
    marked = {(one.id, one.context) for one in list_read(messages.collect())}
    wrong = [
        (message.id, message.string, rule)
        for message in messages.read(path)
        if message.id and (message.id, message.context) in marked
        for rule in list_wrong_terms(path.parent.parent.name, message)
        if not is_allowed(rule, list_forms(message.id)[0])
    ]
    assert wrong == []


@of_each_language
def test_punctuation_beside_chinese_is_full_width(path):
    marked = {(one.id, one.context) for one in list_read(messages.collect())}
    wrong = [
        form
        for message in messages.read(path)
        if message.id and (message.id, message.context) in marked
        for form in list_forms(message.string)
        if list_half_width(form) and not is_allowed("half-width", list_forms(message.id)[0])
    ]
    assert wrong == []


def test_templates_put_no_space_of_their_own_between_two_sentences():
    spaced = {
        str(path.relative_to(ROOT)): found
        for path in TEMPLATES
        if (found := SPACED.findall(path.read_text()))
    }
    assert spaced == {}


def test_what_the_glossary_allows_is_said_somewhere_and_breaks_a_rule():
    forms = {form for message in messages.collect() for form in list_forms(message.id)}
    assert [one["message"] for one in GLOSSARY["allowed"] if one["message"] not in forms] == []
    assert [one["message"] for one in GLOSSARY["allowed"] if not one["reason"]] == []


def test_a_room_that_waits_has_messages():
    files = {file for message in messages.collect() for file, _line in message.locations}
    waiting = GLOSSARY["waiting"]
    assert [one for one in waiting if not any(file.startswith(one) for file in files)] == []


@pytest.mark.parametrize(
    "text",
    ["Hand the file in", "It was mended.", "m is no unit", "Nobody ruled on it", "Calls at most"],
)
def test_banned_words_are_noticed(text):
    assert list_banned(text)


def test_a_word_that_is_gone_is_noticed_and_its_plain_one_named():
    page = ("templates/curation/queue.html", 1)
    assert list_gone(Message("This round is closed", locations=[page])) == [
        r"(?<!way )\b[Rr]ounds?\b: say stage, review"
    ]
    assert list_gone(Message("This stage is closed", locations=[page])) == []
    assert list_gone(Message("%(round)s of {round}", locations=[page])) == []


def test_a_room_that_waits_for_a_word_keeps_only_that_word():
    waits = [("grading/judging/words.py", 1)]
    assert list_gone(Message("The comment", locations=waits)) == []
    assert list_gone(Message("The round", locations=waits)) != []
    elsewhere = [*waits, ("curation/texts/words.py", 1)]
    assert list_gone(Message("The comment", locations=elsewhere)) != []


@pytest.mark.parametrize("text", ["There is no file.", "k stands for a constant", "Submit"])
def test_plain_words_are_not(text):
    assert list_banned(text) == []


@pytest.mark.parametrize(
    "text", ["两人, 三人", "准确率 (%)", "%(n)s 人: %(m)s", "完成.", "<b>甲</b>; 乙"]
)
def test_half_width_punctuation_beside_chinese_is_noticed(text):
    assert list_half_width(text)


@pytest.mark.parametrize(
    "text", ["区间 0.1", "<code>f(x), 甲</code>", "v1.2", "Tick, tock", "甲（乙）"]
)
def test_half_width_punctuation_elsewhere_is_not(text):
    assert list_half_width(text) == []


def test_a_translation_with_another_term_is_noticed():
    right = Message("Show the reference answer", "显示参考答案")
    assert list_wrong_terms("zh_Hans", right) == []
    for other in ("显示答案", "显示标准答案"):
        assert list_wrong_terms("zh_Hans", Message("Show the reference answer", other))
