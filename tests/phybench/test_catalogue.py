"""The catalogues are whole, keep what is filled in, and nothing on a page is left unmarked."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from django.conf import settings
from django.utils import translation

from curation.texts.sentences import translate
from phybench import catalogue
from phybench_grader import read
from phybench_grader.authoring.examination import examine
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.reading import Unreadable
from tests import messages

PATHS = list(catalogue.find_catalogues())
NAMES = [path.parent.parent.name for path in PATHS]
CODES = {"zh_Hans": "zh-hans"}

of_each_language = pytest.mark.parametrize("path", PATHS, ids=NAMES)


def texts(message: Message) -> tuple[list[str], list[str]]:
    """Return a message's forms and those of its translation."""
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    return ids, list(strings)


def list_translated(found: Catalog) -> list[Message]:
    return [message for message in found if message.id and all(texts(message)[1])]


def test_there_is_a_catalogue_for_each_language_but_the_original():
    assert [CODES[name] for name in NAMES] == [
        code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE
    ]


@of_each_language
def test_all_is_translated_and_nothing_is_a_guess(path):
    found = messages.read(path)
    marked = [(message.id, message.context) for message in messages.collect() if message.id]
    known = {(message.id, message.context) for message in found}
    assert [one for one in marked if one not in known] == [], "run manage.py update_messages"
    assert [one.id for one in catalogue.list_missing(found)] == []
    assert [one.id for one in found if one.id and one.fuzzy] == []


def test_a_message_is_found_with_its_context():
    assert [
        catalogue.split(function, arguments)
        for function, arguments in (
            ("pgettext", ("verb", "Report")),
            ("npgettext", ("of a run", "call", "calls", None)),
            ("ngettext", ("call", "calls", None)),
            ("_", "Name"),
        )
    ] == [
        ("verb", "Report"),
        ("of a run", ("call", "calls")),
        (None, ("call", "calls")),
        (None, "Name"),
    ]


@of_each_language
def test_nothing_is_translated_that_is_gone(path):
    marked = {(message.id, message.context) for message in messages.collect()}
    known = [(message.id, message.context) for message in messages.read(path)]
    assert [one for one in known if one not in marked] == []


FILLED_IN = re.compile(r"%\(\w+\)[sd]|%[sd%]|\{\w+\}")
KEPT = re.compile(r"</?\w+[^>]*>|\\[a-zA-Z]+|\$")


@of_each_language
def test_what_is_filled_in_survives(path):
    for message in list_translated(messages.read(path)):
        ids, strings = texts(message)
        for string in strings:
            # Of a plural, the form for many has all there is.
            assert set(FILLED_IN.findall(string)) == set(FILLED_IN.findall(ids[-1])), string
            assert Counter(KEPT.findall(string)) == Counter(KEPT.findall(ids[-1])), string
            assert string.strip() == string or ids[-1].strip() != ids[-1], string


@of_each_language
def test_what_is_compiled_is_what_is_written(path):
    with translation.override(CODES[path.parent.parent.name]):
        for message in list_translated(messages.read(path)):
            ids, strings = texts(message)
            if len(ids) == 1:
                assert say(message.context, ids[0]) == strings[0], "start dev.py again"
            else:
                assert say(message.context, *ids) == strings[0]


def say(context: str | None, one: str, many: str = "") -> str:
    """Say a message in the language that is active; of a plural, its form for five."""
    if many and context:
        return translation.npgettext(context, one, many, 5)
    if many:
        return translation.ngettext(one, many, 5)
    return translation.pgettext(context, one) if context else translation.gettext(one)


# --- The core -------------------------------------------------------------------------------


def test_what_the_core_says_is_said_in_the_language_of_the_page():
    with pytest.raises(Unreadable) as refused:
        read(r"\foo x")
    message = refused.value.message
    assert translate(message) == str(message)
    with translation.override("zh-hans"):
        assert translate(message) == r"不支持命令 \foo：请换一种写法。"
        nested = Sentence.of("bound_unreadable", message=Sentence("empty"))
        assert translate(nested) == "无法解析这个界限：这里没有表达式：请写一个。"
        assert translate("m g h") == "m g h"


def test_every_rule_that_an_answer_breaks_is_told_in_chinese():
    answers = ["1/2 x = 3", "0.5 x", "x, y", "|x|", r"\sin x^2", "e^x + i", "x +", "q", "\x07lpha"]
    with translation.override("zh-hans"):
        for answer in answers:
            for rule in examine(answer, statement="Let $x$ be.").broken:
                assert re.search("[\u4e00-\u9fff]", translate(rule.message)), rule.message


@pytest.mark.parametrize("typed", ["{0.__class__}", "{what}", "%(x)s", "{", ""])
def test_what_somebody_typed_is_never_a_template(typed):
    with translation.override("zh-hans"):
        assert typed in translate(Sentence.of("unknown_command", what=typed))


@cache
def parse(path: Path) -> ast.AST:
    return ast.parse(path.read_text())


def list_aliases(tree: ast.AST) -> set[str]:
    """List the names by which a module calls what translates."""
    return {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for one in node.names
        if "gettext" in one.name
    }


def test_whatever_a_module_calls_gettext_translators_see_it():
    assert list_aliases(ast.parse("from django.utils.translation import gettext as say")) == {"say"}
    for folder in catalogue.FOLDERS:
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob("*.py")):
            if "gettext" in path.read_text():
                assert list_aliases(parse(path)) <= set(catalogue.KEYWORDS), path


# --- Nothing unmarked -----------------------------------------------------------------------

BLOCK = re.compile(r"{%\s*blocktranslate.*?{%\s*endblocktranslate\s*%}", re.DOTALL)
TAG = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}", re.DOTALL)
CODE = re.compile(r"<(code|pre|kbd|script|style)\b[^>]*>.*?</\1>|<!doctype html>", re.DOTALL)
FORMULA = re.compile(r'<span class="(?:math inline|formula)"[^>]*>.*?</span>', re.DOTALL)
ELEMENT = re.compile(r"<[^>]*>", re.DOTALL)
ATTRIBUTE = re.compile(r'\b(?:aria-label|title|placeholder|alt|data-label)="([^"]*)"')
NAMES_OF_THINGS = re.compile(r"\b(?:PHYBench|EED|UTC|LaTeX|CSV|JSON)\b")


def list_unmarked(source: str) -> list[str]:
    """List the words of a template that no translator sees."""
    text = CODE.sub(" ", TAG.sub(" ", BLOCK.sub(" ", source)))
    text = FORMULA.sub(" ", text)
    shown = [*ATTRIBUTE.findall(text), *ELEMENT.sub("\n", text).split("\n")]
    return [
        one.strip()
        for one in shown
        if re.search(r"(?<!\\)\b[A-Za-z]{2}", NAMES_OF_THINGS.sub("", one))
    ]


def test_unmarked_words_are_noticed():
    assert list_unmarked("<p>Hello {{ name }}</p>") == ["Hello"]
    assert list_unmarked('<a title="Go">{% translate "On" %}</a>') == ["Go"]
    assert list_unmarked("{% blocktranslate %}Hello{% endblocktranslate %}") == []


TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))


def test_every_word_of_a_template_is_marked():
    unmarked = {path: list_unmarked(path.read_text()) for path in TEMPLATES}
    assert {path: words for path, words in unmarked.items() if words} == {}


SAID = {"label", "help_text", "text", "title", "button", "empty_label"}
SAYS = {"success", "error", "warning", "info", "add_message"}
RAISED = {"NotAllowedNow", "PermissionDenied", "ValidationError", "Refused"}


def list_plain_strings(tree: ast.AST) -> list[str]:
    """List the words that code says to people without marking them."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        said = [one.value for one in node.keywords if one.arg in SAID]
        if name in RAISED or name in SAYS:
            said += node.args
        found += [
            str(one.value)
            for one in said
            if isinstance(one, ast.Constant) and re.search("[a-z] [a-z]", str(one.value))
        ]
    return found


def test_plain_strings_are_noticed():
    assert list_plain_strings(ast.parse('messages.error(request, "Not so.")')) == ["Not so."]
    assert list_plain_strings(ast.parse('messages.error(request, _("Not so."))')) == []


CODE_FILES = [
    path
    for app in ("phybench", "curation", "grading")
    for path in sorted((Path(settings.BASE_DIR) / app).rglob("*.py"))
    if not {"migrations", "expressions", "endpoints", "management"} & set(path.parts)
]


def test_what_code_says_is_marked():
    plain = {path: list_plain_strings(parse(path)) for path in CODE_FILES}
    assert {path: said for path, said in plain.items() if said} == {}
