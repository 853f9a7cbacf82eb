import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from curation.problems import actions
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Event, Problem, Revision
from phybench.files.progress import Progress
from tests.shared import find_published

pytestmark = pytest.mark.django_db


def row(**fields) -> dict:
    return {
        "id": 54,
        "tag": "MECHANICS",
        "content": "A ball of mass $m$ falls from the height $h$.",
        "solution": "Energy is kept.",
        "answer": "$$m g h$$",
        **fields,
    }


def import_rows(folder: Path, *rows, **options) -> list[str]:
    """Run the command on these rows; return the lines that it wrote."""
    file = folder / "problems.json"
    file.write_text(json.dumps(rows))
    return run(file, **options)


def run(file: Path, **options) -> list[str]:
    written = io.StringIO()
    try:
        call_command("import_problems", file, stdout=written, **options)
    except CommandError as error:
        return [*written.getvalue().splitlines(), f"! {error}"]
    return written.getvalue().splitlines()


def test_a_row_is_taken_as_an_accepted_problem_of_a_new_benchmark(tmp_path):
    assert import_rows(tmp_path, row()) == [
        "54  imported",
        "Imported: 1. Already here: 0. Not imported: 0.",
    ]
    problem = Problem.objects.get()
    assert (problem.identifier, problem.status, problem.author) == ("54", "ACCEPTED", None)
    assert problem.benchmark == Benchmark.objects.get(name="PHYBench", slug="phybench")
    assert problem.revisions.current().get().answer == "$$m g h$$"
    assert Event.objects.get().kind == "IMPORT"


def test_broken_rules_are_said_and_kept_and_do_not_keep_a_row_out(tmp_path):
    lines = import_rows(tmp_path, row(id=505, answer="$$E^2 = 0.5 m g h$$"))
    assert lines == [
        "505  imported, breaks: equation, float",
        "Rule equation: 1.",
        "Rule float: 1.",
        "Imported: 1. Already here: 0. Not imported: 0.",
    ]
    assert Revision.objects.get().broken_rules == ["equation", "float"]


@pytest.mark.parametrize(
    ("tag", "domain", "said"),
    [
        ("optics", "OPTICS", ""),
        (
            "ASTRONOMY",
            "OTHER",
            "; “ASTRONOMY” is not among the values of “domain”, so it is “other”",
        ),
        (None, "OTHER", "; not in the file, so filled in: domain “other”"),
        ("", "OTHER", "; not in the file, so filled in: domain “other”"),
    ],
)
def test_a_tag_names_a_domain_and_an_unknown_one_is_said(tmp_path, tag, domain, said):
    assert import_rows(tmp_path, row(tag=tag))[0] == f"54  imported{said}"
    assert Problem.objects.get().domain == domain


def test_a_title_is_made_of_the_statement_or_of_the_id(tmp_path):
    import_rows(tmp_path, row(), row(id=55, content="$$x$$", answer="$$x$$"))
    titles = Problem.objects.order_by("pk").values_list("title", flat=True)
    assert list(titles) == ["A ball of mass m falls from the height h.", "Problem 55"]


def test_a_solution_may_be_missing(tmp_path):
    without = row()
    del without["solution"]
    assert import_rows(tmp_path, without)[0] == "54  imported"


def test_what_can_not_be_taken_is_said_row_by_row_and_in_the_exit_status(tmp_path):
    assert import_rows(tmp_path, row(id=194, answer=""), row(), {"tag": "OPTICS"}) == [
        "194  not imported (line 1): answer: it has no answer",
        "54  imported",
        "(row 3)  not imported (line 1): id: a published problem needs its id (a number or a text)",
        "Imported: 1. Already here: 0. Not imported: 2.",
        "! Not imported: 2 of 3; the reasons are above.",
    ]


def test_a_benchmark_is_made_only_for_a_row_that_is_taken(tmp_path):
    assert import_rows(tmp_path, row(answer=""), benchmark="Later")[-1].startswith(
        "! Not imported: 1"
    )
    assert not Benchmark.objects.exists()
    import_rows(tmp_path, row(answer=""), row(id=55), benchmark="Later")
    assert Benchmark.objects.get().name == "Later"


def test_an_id_like_our_own_is_none_of_a_published_problem(tmp_path):
    assert import_rows(tmp_path, row(id="C12"))[0] == (
        "C12  not imported (line 1): id: an id like C12 names a problem written here"
    )


def test_a_csv_is_taken_as_well(tmp_path):
    file = tmp_path / "problems.csv"
    file.write_text("id;tag;content;answer;colour\n54;OPTICS;A ball of mass $m$;m;red\n")
    assert run(file) == [
        "Ignored fields: colour.",
        "54  imported",
        "Imported: 1. Already here: 0. Not imported: 0.",
    ]


def test_a_published_file_becomes_drafts_of_the_difficulty_that_the_command_names(
    tmp_path, contributor
):
    options = {"drafts_of": contributor.email}
    assert import_rows(tmp_path, row(), **options)[0].startswith(
        "54  not imported (line 1): difficulty: it is not given"
    )
    lines = import_rows(tmp_path, row(tag=""), domain="OPTICS", difficulty="OLYMPIAD", **options)
    said = "not in the file, so filled in: domain “optics”, difficulty “olympiad”"
    assert lines[0] == f"54  imported; {said}"
    [problem] = contributor.problems.all()
    assert (problem.domain, problem.difficulty) == ("OPTICS", "OLYMPIAD")


def test_drafts_of_somebody_keep_the_rules_and_are_found_again(tmp_path, contributor):
    Benchmark.objects.create(name="PHYBench", slug="phybench")
    good = row(difficulty="OLYMPIAD")
    options = {"drafts_of": contributor.email.upper()}
    lines = import_rows(tmp_path, good, row(id=55, answer="0.5 m g h"), **options)
    assert lines[0] == "54  imported"
    assert lines[1].startswith("55  not imported (line 1): difficulty: it is not given; it can be")
    assert Problem.objects.get().author == contributor
    broken = row(id=55, answer="0.5 m g h", difficulty="OLYMPIAD")
    lines = import_rows(tmp_path, {**good, "quantity": "E"}, broken, **options)
    assert lines[0] == "54  changed: quantity"
    assert lines[1] == "55  imported, breaks: float"


def test_drafts_need_somebody_whose_they_are(tmp_path):
    [line] = import_rows(tmp_path, row(), drafts_of="nobody@test.example")
    assert line == "! No one here has the address nobody@test.example."


def test_doing_it_twice_changes_nothing(tmp_path):
    import_rows(tmp_path, row(), row(id=55))
    before = [list(model.objects.values()) for model in (Benchmark, Problem, Revision, Event)]
    assert import_rows(tmp_path, row(), row(id=55)) == [
        "54  already here",
        "55  already here",
        "Imported: 0. Already here: 2. Not imported: 0.",
    ]
    after = [list(model.objects.values()) for model in (Benchmark, Problem, Revision, Event)]
    assert after == before


def test_a_changed_text_does_not_replace_what_is_here(tmp_path):
    import_rows(tmp_path, row())
    lines = import_rows(tmp_path, row(answer="$$2 m g h$$"))
    assert lines[0] == "54  not imported (line 1): already here with a different text (answer)"
    assert lines[-1].startswith("!")
    assert Revision.objects.get().answer == "$$m g h$$"


def test_an_id_belongs_to_one_benchmark(tmp_path):
    import_rows(tmp_path, row())
    lines = import_rows(tmp_path, row(), benchmark="Another")
    assert lines[0] == ("54  not imported (line 1): id: already here in the benchmark “PHYBench”")


def test_a_retired_problem_stays_retired(tmp_path, admin):
    import_rows(tmp_path, row())
    actions.retire(problem=Problem.objects.get(), admin=admin, note="Its key is wrong.")
    assert import_rows(tmp_path, row())[0] == "54  already here"
    assert Problem.objects.get().status == "RETIRED"


def test_a_dry_run_says_the_same_and_keeps_nothing(tmp_path):
    assert import_rows(tmp_path, row(), dry_run=True) == [
        "54  imported",
        "Imported: 1. Already here: 0. Not imported: 0.",
        "Nothing was kept: this was a dry run.",
    ]
    assert not Benchmark.objects.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (json.dumps([row(), row(id=55)])[:-40], "it was cut off. Download it again."),
        ("<html>Not found</html>", "This is neither JSON nor a table of problems"),
        (json.dumps({"54": row()}), "This file must be a JSON list"),
    ],
)
def test_of_a_file_that_is_none_nothing_is_taken(tmp_path, content, sentence):
    file = tmp_path / "problems.json"
    file.write_text(content)
    [line] = run(file)
    assert sentence in line
    assert not Benchmark.objects.exists()


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    [line] = run(tmp_path / "none.json")
    assert line.endswith("none.json: No such file or directory")
    [line] = run(tmp_path)
    assert line.endswith("Is a directory")


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "two\nlines"])
def test_a_benchmark_needs_a_usable_name(tmp_path, name):
    [line] = import_rows(tmp_path, row(), benchmark=name)
    assert line == "! A benchmark's name is 1 to 80 printable characters."


def test_published_problems_do_not_mix_with_the_demos(tmp_path):
    Benchmark.objects.create(name="Demo", slug="demo", is_demo=True)
    [line] = import_rows(tmp_path, row(), benchmark="Demo")
    assert line == "! “Demo” is for the demo’s problems only."


def test_two_benchmarks_do_not_share_an_address(tmp_path):
    import_rows(tmp_path, row(), benchmark="PHYBench 2")
    [line] = import_rows(tmp_path, row(id=55), benchmark="PHYBench, 2")
    assert line.startswith("! “PHYBench, 2” would have the same address as “PHYBench 2”")


def test_a_crash_in_the_middle_keeps_nothing(tmp_path, monkeypatch):
    class FullDisk(io.StringIO):
        def write(self, text: str) -> int:
            if text.startswith("55"):
                raise OSError("no space left on device")
            return super().write(text)

    file = tmp_path / "problems.json"
    file.write_text(json.dumps([row(), row(id=55)]))
    with pytest.raises(OSError, match="no space"):
        call_command("import_problems", file, stdout=FullDisk())
    assert not Problem.objects.exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("output", "seconds", "drawn"),
    [
        (Terminal(), 2, "\r[######........................] 1 of 5\r\x1b[K"),
        (Terminal(), 0, ""),
        (io.StringIO(), 2, ""),
    ],
)
def test_progress_is_drawn_on_a_terminal_after_a_second(output, seconds, drawn):
    progress = Progress(output, 5)
    progress.started -= seconds
    progress.draw(1)
    progress.clear()
    assert output.getvalue() == drawn


def test_the_published_files_are_taken_and_taken_again():
    file = find_published("with-answers-50.json")
    first = run(file)
    assert first[-1] == "Imported: 50. Already here: 0. Not imported: 0."
    assert first[-6:-1] == [
        "Rule equation: 28.",
        "Rule not_introduced: 8.",
        "Rule ambiguous: 3.",
        "Rule without_symbol: 1.",
        "Rule zero: 1.",
    ]
    assert run(file)[-1] == "Imported: 0. Already here: 50. Not imported: 0."
    assert run(find_published("questions-only-400.json"))[-1] == (
        "! Not imported: 400 of 400; the reasons are above."
    )
    assert Problem.objects.count() == 50
