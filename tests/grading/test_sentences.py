"""What judges and calls say is listed for translators, and said in the language of the page."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import translation

import grading
from grading import endpoints, sentences
from grading.endpoints import BadURL, BaseURL
from grading.judges import RULES

FOLDER = Path(grading.__file__).parent
CHINESE = re.compile("[\u4e00-\u9fff]")
SAYS = {
    "endpoints/base_url.py": {"BadURL"},
    "endpoints/keys.py": {"KeyringError"},
    "judges/prompts/templates.py": {"TemplateError"},
}
"""Modules that refuse what people write, with the errors whose words they read."""


def shape_of(text: str) -> str:
    return re.sub(r"{\w*}", "{}", text)


LISTED = {shape_of(one) for one in sentences.SENTENCES}


@pytest.mark.parametrize(
    "said",
    [
        *(rule.message for rule in endpoints.RULES.values()),
        *(rule.message for rule in RULES.values()),
    ],
)
def test_whatever_a_table_says_is_listed_for_translators(said):
    assert said in sentences.SENTENCES


def list_errors(path: Path, names: set[str]) -> Iterator[str]:
    """List the words that a module raises errors with, with {} for what is filled in."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in names:
            continue
        for said in node.args:
            if isinstance(said, ast.Constant):
                yield str(said.value)
            elif isinstance(said, ast.JoinedStr):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "{}"
                    for part in said.values
                )


def test_whatever_is_refused_is_listed_for_translators():
    said = {one for name, errors in SAYS.items() for one in list_errors(FOLDER / name, errors)}
    assert len(said) > 15
    assert said - LISTED == set()


def test_nothing_is_listed_twice():
    assert len(set(sentences.SENTENCES)) == len(sentences.SENTENCES)


@pytest.mark.parametrize("text", sentences.SENTENCES)
def test_all_that_is_listed_is_said_in_chinese(text):
    with translation.override("zh-hans"):
        assert CHINESE.search(sentences.translate(text))


def test_what_is_filled_in_stays_and_what_surrounds_it_is_translated():
    with translation.override("zh-hans"):
        said = sentences.translate("own.txt lacks {answer} in the user's message: add it.")
        assert "own.txt" in said
        assert "{answer}" in said
        assert CHINESE.search(said)


def test_the_filter_says_it_in_the_language_of_the_page():
    page = Template("{% load grading %}{{ error|said }}")
    with pytest.raises(BadURL) as refused:
        BaseURL.parse("ftp://example.com")
    told = Context({"error": refused.value})
    assert page.render(told) == "Begin the URL with https://, or http:// for a listed address."
    with translation.override("zh-hans"):
        assert not re.search(r"\b(?:Begin|address)\b", page.render(told))
