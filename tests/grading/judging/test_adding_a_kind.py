"""A kind of judge is one module: nothing else names it, and another is added by adding one."""

import ast
import json
import re
from pathlib import Path

import pytest

import grading
import phybench_grader
from phybench_grader.judges.judgement import Judgement
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.kind import JudgeKind, Shown
from phybench_grader.judges.panel import vote
from phybench_grader.judges.prompts import fill_capped
from phybench_grader.judges.reasons import Reason
from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import count_asked, files, item  # noqa: F401  # a fixture

ROOT = Path(grading.__file__).parent.parent
NAMES = "|".join(KINDS)
MENTION = re.compile(rf"""["']({NAMES})["']|\bkinds\.({NAMES.lower()})\b""")


def test_the_kinds_are_listed_in_the_order_of_their_places():
    assert list(KINDS) == ["SEMANTIC", "RATING", "PROCESS", "PAIRWISE"]


def test_no_two_kinds_have_a_field_of_a_verdict_that_tells_them_apart():
    assert len({kind.field for kind in KINDS.values()}) == len(KINDS)


def test_nothing_but_its_module_and_its_templates_names_a_kind():
    library = Path(phybench_grader.__file__).parent
    kinds = library / "judges" / "kinds"
    code = [
        path
        for path in [*(ROOT / "grading").rglob("*.py"), *library.rglob("*.py")]
        if path.parent != kinds and "migrations" not in path.parts
    ]
    pages = [*(ROOT / "templates" / "grading").glob("*judge*.html")]
    assert len(code) > 100
    assert pages
    naming = {
        str(path): found[0]
        for path in code + pages
        if (found := MENTION.search(_without_examples(path.read_text())))
    }
    assert naming == {}


def test_no_sentence_that_is_said_elsewhere_names_a_kind():
    """Such a sentence had to be changed with each kind that is added."""
    names = re.compile("|".join(kind.name for kind in KINDS.values()), re.IGNORECASE)
    said = {
        str(path.relative_to(ROOT)): text
        for path in (ROOT / "grading" / "judging").rglob("*.py")
        # What the database says stands in its first migration.
        if path.name != "models.py"
        for text in _list_texts(path)
        if names.search(text)
    }
    said |= {
        str(path.relative_to(ROOT)): found[0]
        for path in (ROOT / "templates" / "grading").glob("*.html")
        if (found := names.search(path.read_text()))
    }
    assert said == {}


def _list_texts(path: Path) -> list[str]:
    """List the texts of a module that are no docstrings."""
    found = list(ast.walk(ast.parse(path.read_text())))
    docstrings = {id(one.value) for one in found if isinstance(one, ast.Expr)}
    return [
        one.value
        for one in found
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
        if id(one) not in docstrings
    ]


def _without_examples(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if ">>>" not in line)


class Stars(JudgeKind[int]):
    """A judge that gives one to three stars: all that there is to it stands here."""

    code = "STARS"
    place = 9
    scale = (1.0, 3.0)
    field = "stars"
    metric = "stars"
    needs_reference = False
    name = "star judge"
    does = "the star judge gives stars"
    shown = (Shown("stars", "Stars"),)

    def __init__(self, folder):
        self.folder = folder

    def list_needed(self, variant):
        return frozenset({"question", "answer"})

    def name_template(self, variant):
        return str(self.folder / "stars")

    def fill(self, item, manner):
        values = {"question": item.question, "answer": item.response}
        return fill_capped(manner.template, values, {"answer"}, manner.max_candidate)

    def read(self, reply, prompt):
        count = reply.text.count("*")
        return Judgement(count) if 1 <= count <= 3 else Judgement.missing(Reason.NO_VERDICT)

    def join(self, voices, *, quorum):
        return vote(voices, quorum=quorum)

    def write(self, verdict):
        return {"stars": verdict}

    def says_right(self, written):
        return written["stars"] > 1


@pytest.fixture
def stars(monkeypatch, tmp_path):
    text = "name: stars\nversion: 1\n--- user\n{fence} {question} {answer} {fence}\n"
    (tmp_path / "stars.txt").write_text(text)
    kind = Stars(tmp_path)
    monkeypatch.setitem(KINDS, kind.code, kind)
    return kind


def test_a_kind_that_is_registered_judges_like_any_other(stars, files, serve):  # noqa: F811  # a fixture
    def give_stars(request):
        return steps.ok("*" if "2 m g" in request.prompt else "***")

    server = serve(give_stars)
    files.configure(server, kind="stars", repeats=2)
    files.list_items(item(1), item(2, response="It is 2 m g."))

    done = files.judge(canaries=True)

    assert files.column("kind", "verdict", "status") == [
        ("stars", {"stars": 3}, "scored"),
        ("stars", {"stars": 1}, "scored"),
    ]
    assert done.summary["mean"] == 2.0
    assert done.summary["scale"] == [1.0, 3.0]
    assert done.summary["canaries"] == {"passed": 5, "failed": 0, "missing": 0, "rate": 1.0}
    assert count_asked(server)["1"] == 2
    assert json.loads(files.config.read_text())["kind"] == "stars"
