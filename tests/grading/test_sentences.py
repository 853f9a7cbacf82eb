"""What judges, calls and the grader say is kept by its code and said in the page's language."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import translation

from grading import endpoints
from grading.endpoints import BadURL, BaseURL
from grading.runs import sentences
from phybench import catalogue
from phybench_grader.judges import RULES
from phybench_grader.numbers.sentences import Sentence

CHINESE = re.compile("[\u4e00-\u9fff]")
FILLED_IN = re.compile(r"\{\w+\}")
FOLDERS = [Path(settings.BASE_DIR) / name for name in catalogue.FOLDERS]


def list_fields(text: str) -> set[str]:
    return {name for _literal, name, *_ in Formatter().parse(text) if name}


def list_made(source: str) -> Iterator[tuple[str, set[str]]]:
    """List the sentences that a module makes: code, and the names of what it fills in."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        made, code = ast.unparse(node.func), node.args[0]
        if made in {"Sentence", "Sentence.of"} and isinstance(code, ast.Constant):
            unpacked = [one for one in node.keywords if one.arg is None]
            if not unpacked:
                yield str(code.value), {str(one.arg) for one in node.keywords}


def test_a_sentence_that_is_made_is_noticed():
    source = 'Sentence.of("no_range", error=message), Sentence("empty")'
    assert sorted(list_made(source)) == [("empty", set()), ("no_range", {"error"})]


def test_every_sentence_that_is_made_has_what_its_text_fills_in():
    made = [
        one
        for folder in FOLDERS
        for path in folder.rglob("*.py")
        for one in list_made(path.read_text())
    ]
    assert len(made) > 40
    for code, names in made:
        assert list_fields(sentences.SENTENCES[code]) == names, code


def test_every_sentence_is_said_in_chinese():
    with translation.override("zh-hans"):
        for code, text in sentences.SENTENCES.items():
            if not re.search("[A-Za-z]", FILLED_IN.sub("", text)):
                continue  # It only puts others one after another.
            fields = dict.fromkeys(list_fields(text), "x")
            assert CHINESE.search(sentences.translate(Sentence.of(code, **fields))), code


def test_whatever_a_table_says_is_listed_for_translators():
    said = {
        *(rule.message for rule in endpoints.RULES.values()),
        *(rule.message for rule in RULES.values()),
        *sentences.WRONG_KEYS.values(),
    }
    assert said - sentences.LISTED == set()


def list_errors(path: Path, name: str) -> Iterator[str]:
    """List the words that a module raises an error with."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
            yield from (str(one.value) for one in node.args if isinstance(one, ast.Constant))


def test_whatever_an_address_is_refused_with_is_listed_for_translators():
    said = set(list_errors(Path(endpoints.__file__).parent / "base_url.py", "BadURL"))
    assert len(said) > 10
    assert said - sentences.LISTED == set()


def test_all_that_is_listed_is_said_in_chinese():
    with translation.override("zh-hans"):
        for text in sentences.LISTED:
            assert CHINESE.search(sentences.translate(text)), text


def test_what_is_filled_in_stays_and_what_surrounds_it_is_translated():
    lacking = Sentence.of("prompt_lacking", file="own.txt", names="{answer}")
    with translation.override("zh-hans"):
        said = sentences.translate(lacking)
        assert "own.txt" in said
        assert "{answer}" in said
        assert CHINESE.search(said)


def test_what_a_row_keeps_of_a_sentence_is_the_sentence():
    nested = Sentence.of("reference_unreadable", message=Sentence.of("unknown_command", what="é"))
    assert Sentence.read(json.loads(json.dumps(nested.write()))) == nested


def test_a_code_that_is_no_more_says_itself():
    assert sentences.translate(Sentence.of("of_long_ago", what="x")) == "of_long_ago"


def test_the_filter_says_it_in_the_language_of_the_page():
    page = Template("{% load grading %}{{ error|said }}")
    with pytest.raises(BadURL) as refused:
        BaseURL.parse("ftp://example.com")
    told = Context({"error": refused.value})
    assert (
        page.render(told) == "Begin the URL with https://, or with http:// for an allowed address."
    )
    with translation.override("zh-hans"):
        assert not re.search(r"\b(?:Begin|address)\b", page.render(told))
