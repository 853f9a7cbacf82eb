"""A benchmark in the layout that Hugging Face `datasets` loads; docs/exchange.md says how tried."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.versions.exchange import dataset
from curation.versions.exchange.models import Download
from curation.versions.models import BenchmarkVersion
from phybench_grader import GRADER_VERSION
from tests.versions import publish_version

pytestmark = pytest.mark.django_db
KEYS = {"answer", "must_accept", "must_reject", "solution", "broken_rules"}


@pytest.fixture
def version(accepted_problem, benchmark) -> BenchmarkVersion:
    return publish_version(benchmark)


def export(folder: Path, **options) -> Path:
    target = folder / "dataset"
    call_command("export_dataset", benchmark="Test", output=target, stdout=io.StringIO(), **options)
    return target


def read_head(card: str) -> str:
    """Return the YAML between the two lines of dashes with which a card has to begin."""
    found = re.match(r"---\n(.*?\n)---\n\n# ", card, re.DOTALL)
    assert found
    return found[1]


def test_the_card_names_the_file_that_is_there(version, tmp_path):
    folder = export(tmp_path)
    assert sorted(str(one.relative_to(folder)) for one in folder.rglob("*.*")) == [
        "README.md",
        "data/test.jsonl",
    ]
    head = read_head((folder / "README.md").read_text())
    assert "configs:\n- config_name: default\n  data_files:\n  - split: test\n" in head
    assert "    path: data/test.jsonl\n" in head
    for line in ("license: other", "language:\n- en", "size_categories:\n- n<1K"):
        assert f"{line}\n" in head
    assert "task_categories:\n- question-answering\n" in head


@pytest.mark.parametrize("with_answers", [False, True])
def test_every_row_has_the_columns_that_the_card_declares(version, tmp_path, with_answers):
    folder = export(tmp_path, with_answers=with_answers, license="cc-by-4.0")
    card = (folder / "README.md").read_text()
    declared = re.findall(r"^  - name: (\w+)$", card, re.MULTILINE)
    rows = [json.loads(line) for line in (folder / "data/test.jsonl").read_text().splitlines()]
    assert [list(row) for row in rows] == [declared]
    assert (KEYS & {*declared}) == (KEYS if with_answers else set())
    assert ("m g h" in (folder / "data/test.jsonl").read_text()) == with_answers
    assert "license: cc-by-4.0" in card


def test_the_card_says_what_it_is_how_it_is_graded_and_how_to_keep_it_out_of_training(
    version, tmp_path
):
    folder = export(tmp_path)
    card = (folder / "README.md").read_text()
    assert "| mechanics | 1 |" in card
    assert "| high school | 1 |" in card
    assert GRADER_VERSION in card
    assert "no answers and no solutions" in card
    [row] = map(json.loads, (folder / "data/test.jsonl").read_text().splitlines())
    assert f"    {row['canary']}\n" in card
    assert "@misc{test_" in card


def test_the_same_texts_have_the_same_canary(version, benchmark):
    first, second = (dataset.make(benchmark, with_answers=True) for _ in range(2))
    assert first.lines == second.lines


def test_each_time_it_is_written_down(version, tmp_path):
    export(tmp_path, with_answers=True)
    [written] = Download.objects.all()
    assert (written.person, written.format, written.has_keys) == (None, "DATASET", True)
    assert len(written.revisions_with_keys) == 1


def test_a_folder_that_is_there_is_left_alone(version, tmp_path):
    (tmp_path / "dataset").mkdir()
    (tmp_path / "dataset" / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="choose another"):
        export(tmp_path)
    assert not Download.objects.exists()


def test_what_can_not_be_written_says_why(benchmark, tmp_path):
    with pytest.raises(CommandError, match="No version of “Test” is published yet"):
        export(tmp_path)
    with pytest.raises(CommandError, match=r"There is no benchmark “X”\. There are: Test"):
        call_command("export_dataset", benchmark="X", output=tmp_path / "x")
    with pytest.raises(CommandError, match="two or three letters"):
        export(tmp_path, language="en\nlicense: mit")


def test_an_admin_downloads_it_as_a_zip(client, admin, version, benchmark):
    client.force_login(admin)
    address = reverse("curation:export", args=[benchmark.slug]) + "?of=dataset"
    answer = client.post(address, {"license_name": "mit", "language": "zh", "with_answers": "on"})
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer)))
    assert archive.namelist() == ["test/README.md", "test/data/test.jsonl"]
    assert "language:\n- zh" in archive.read("test/README.md").decode()
    assert Download.objects.get().person == admin
    assert client.post(address, {"license_name": "mine"}).status_code == 400


def test_a_benchmark_without_a_version_has_no_dataset(client, admin, benchmark):
    client.force_login(admin)
    address = reverse("curation:export", args=[benchmark.slug]) + "?of=dataset"
    assert "is published yet" in client.get(address).content.decode()
    answer = client.post(address, {"license_name": "mit", "language": "en"})
    assert answer["Location"] == address
    assert not Download.objects.exists()


def test_a_name_can_not_break_the_card(version, benchmark, tmp_path):
    Benchmark.objects.filter(pk=benchmark.pk).update(name='A "B": c')
    call_command(
        "export_dataset", benchmark='A "B": c', output=tmp_path / "d", stdout=io.StringIO()
    )
    assert 'pretty_name: "A \\"B\\": c"\n' in (tmp_path / "d" / "README.md").read_text()
