"""
Logs of Inspect and packed folders of harnesses are read as they are.

The files in `made/` were written by the versions in their names: by Inspect with a model of a few
lines, two problems and two epochs; by lm-evaluation-harness with its model `dummy` and a task of
two problems.
"""

import io
import json
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from backports.zstd import zipfile as zstd_zipfile

from phybench.files.answer_files.answers import Answer
from phybench.files.answer_files.formats import archive
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.formats.row import Limits
from phybench.files.answer_files.rows import open_rows
from phybench.files.answer_files.whole import ModelAnswers, read_whole
from tests.grading.answer_files.files import as_lines

MADE = Path(__file__).parent / "made"
LOG, FOLDER = MADE / "inspect-0.3.285.eval", MADE / "lm-eval-0.4.13.zip"
MB = 1024**2
ANSWERS = as_lines({"id": "C1", "response": "x", "model": "A"})


def zip_up(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zstd_zipfile.ZipFile(packed, "w", method) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return packed.getvalue()


def read(content: bytes, limits: Limits | None = None) -> dict[str, ModelAnswers]:
    return read_whole(io.BytesIO(content), "", limits=limits or Limits())


def list_answers(content: bytes) -> list[tuple[str, str, int, str]]:
    models = read(content)
    return sorted(
        (name, one.id, one.sample, one.response) for name in models for one in models[name].answers
    )


def test_a_log_of_inspect_is_read_as_it_was_written():
    said = r"So \boxed{m g h}"
    expected = [("a-model", one, epoch, said) for one in ("C1", "C2") for epoch in (1, 2)]
    assert list_answers(LOG.read_bytes()) == expected


def test_logs_that_were_packed_together_are_read_one_after_the_other():
    second = LOG.read_bytes()
    packed = zip_up({"logs/a.eval": LOG.read_bytes(), "logs/b.eval": second, "logs/a.txt": b"x"})
    models = read(packed)
    assert len(models["a-model"].answers) == 4
    assert {one.row for one in models["a-model"].left_out} == {5, 6, 7, 8}  # the same again


def test_a_folder_of_lm_evaluation_harness_is_read_with_the_model_that_its_results_name():
    assert list_answers(FOLDER.read_bytes()) == [
        ("lab/a-model", "C1", 1, "lol"),
        ("lab/a-model", "C2", 1, "lol"),
    ]


@pytest.mark.parametrize("root", ["", "outputs/default/20261128_120000/"])
def test_a_folder_of_opencompass_is_read_with_the_models_that_it_is_parted_by(root):
    """Beside what was predicted lies what was made of it, row by row as well."""

    def predict(text: str) -> bytes:
        rows = {str(n): {"origin_prompt": "?", "prediction": text, "gold": "x"} for n in (0, 1)}
        return json.dumps(rows).encode()

    packed = zip_up(
        {
            f"{root}predictions/qwen-7b/PHYBench.json": predict("x"),
            f"{root}predictions/other/PHYBench.json": predict("y"),
            f"{root}results/qwen-7b/PHYBench.json": predict("wrong"),
            f"{root}summary/summary.csv": b"dataset,version,metric,mode,qwen-7b\nP,1,acc,gen,5\n",
        }
    )
    assert list_answers(packed) == [
        (model, number, 1, text)
        for model, text in (("other", "y"), ("qwen-7b", "x"))
        for number in ("0", "1")
    ]


def test_rows_that_name_their_model_need_no_folder_that_does():
    packed = zip_up({"mine/a.jsonl": ANSWERS, "__MACOSX/mine/._a.jsonl": b"\0", "mine/.b": b"\0"})
    assert list_answers(packed) == [("A", "C1", 1, "x")]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, archive.ZSTANDARD])
def test_whatever_a_file_is_packed_by_all_of_it_is_read(method):
    rows = [{"id": f"C{n}", "response": "x" * 300_000, "model": "A"} for n in range(5)]
    read_rows = list_answers(zip_up({"a.jsonl": as_lines(*rows)}, method))
    assert [(one, len(text)) for _model, one, _n, text in read_rows] == [
        (f"C{n}", 300_000) for n in range(5)
    ]


@pytest.mark.parametrize("path", [LOG, FOLDER])
def test_what_was_cut_off_or_altered_is_refused_or_read_but_fails_never(path):
    whole = path.read_bytes()
    for at in range(0, len(whole), 97):
        for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            with suppress(RefusedFile):
                models = read(content)
                assert all(isinstance(one, Answer) for of in models.values() for one in of.answers)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, archive.ZSTANDARD])
@pytest.mark.parametrize("name", ["a.jsonl", "samples/a.json", "a.eval"])
def test_a_bomb_is_read_in_little_memory(method, name):
    bomb = io.BytesIO()
    with zstd_zipfile.ZipFile(bomb, "w", method) as opened:
        opened.writestr("header.json", b"{}")
        with opened.open(name, "w") as file:
            file.write(b'{"id": "1", "response": "')
            for _piece in range(200):
                file.write(b"a" * MB)
    content = bomb.getvalue()
    assert len(content) < MB
    tracemalloc.start()
    with pytest.raises(RefusedFile):
        read(content, Limits(sent=MB, unpacked=12 * MB, row=64 * 1024, rows=500))
    assert tracemalloc.get_traced_memory()[1] < 12 * MB
    tracemalloc.stop()


def test_the_first_rows_of_a_log_in_a_folder_take_little_memory_however_long_its_samples():
    sample = json.dumps({"id": "C1", "output": {"completion": "x" * 4 * MB}}).encode()
    names = [f"samples/{number}_epoch_1.json" for number in range(60)]
    log = zip_up({"header.json": b"{}", **dict.fromkeys(names, sample)})
    folder = io.BytesIO(zip_up({"logs/a.eval": log}))
    tracemalloc.start()
    rows = open_rows(folder)
    assert 2 < len(rows.head()) < 20
    assert tracemalloc.get_traced_memory()[1] < 100 * MB
    tracemalloc.stop()


def test_a_directory_of_a_million_files_is_refused_before_it_is_read():
    """Also one that says it holds few."""
    end = zip_up({"a.jsonl": ANSWERS})
    at = end.rfind(b"PK\x05\x06")
    many = end[: at + 10] + (60_000).to_bytes(2, "little") + end[at + 12 :]
    long = end[: at + 12] + (100 * MB).to_bytes(4, "little") + end[at + 16 :]
    for content in (many, long):
        with pytest.raises(RefusedFile, match="more than 20,000 files"):
            read(content)


def test_of_several_files_one_that_can_not_be_read_is_named():
    packed = zip_up({"a.jsonl": ANSWERS, "b.json": b'[{"id": "C2", "respon'})
    models = read(packed)
    assert [one.id for one in models["A"].answers] == ["C1"]
    assert [one.message for one in models["A"].left_out] == ["b.json: the file was cut off"]


def test_what_can_not_be_unpacked_says_why():
    locked = bytearray(zip_up({"a.jsonl": ANSWERS}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + at] |= 1
    for content, why in (
        (bytes(locked), "protected by a password"),
        (zip_up({"a.jsonl": ANSWERS}, zipfile.ZIP_LZMA), "pack it as an ordinary zip"),
        (zip_up({"a.jsonl": ANSWERS})[:-30], "damaged or was cut off"),
        (zip_up({"a.txt": b"x"}), "No file in this archive holds answers."),
        (zip_up({}), "No file in this archive holds answers."),
    ):
        with pytest.raises(RefusedFile, match=why):
            read(content)
