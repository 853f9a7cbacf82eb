"""A version’s public part as a folder that Hugging Face `datasets` loads: a card and JSON lines."""

import hashlib
import json
import uuid
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.template.loader import render_to_string
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from curation.texts.origin import ORIGIN
from curation.texts.schema import BY_NAME, EXPORTED, FIELDS, KEY_FIELDS, LISTS
from curation.versions.exchange import exports
from curation.versions.exchange.models import Download
from curation.versions.models import BenchmarkVersion
from curation.versions.permissions import can_export_key
from phybench.people.models import User
from phybench_grader import GRADER_VERSION

DATA_FILE = "data/test.jsonl"
CARD = "README.md"
LICENSES = ("other", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc0-1.0", "mit", "apache-2.0")
"""As Hugging Face names them; `other` where the card is to say which."""
# The card says the language.
OF_STATEMENT = tuple(name for name in FIELDS if name not in {*KEY_FIELDS, "language"})
OF_KEY = tuple(name for name in EXPORTED if name in KEY_FIELDS and name not in ORIGIN)
_LISTS = {"broken_rules", *(name for name in FIELDS if BY_NAME[name].kind in LISTS)}
_SYMBOL = ("latex", "meaning", "unit", "sign", "low", "high")
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_NAMESPACE = uuid.UUID("7b1f6a52-6d0e-4f0b-9a54-0d5a1c3f7e21")


class Empty(Exception):
    """A benchmark without a published version: there is nothing to write."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """The files of a dataset, ready to be written."""

    name: str
    card: str
    lines: tuple[str, ...]

    def files(self) -> Iterator[tuple[str, str]]:
        yield CARD, self.card
        yield DATA_FILE, "".join(self.lines)


def make(
    benchmark: Benchmark,
    *,
    with_answers: bool,
    person: User | None = None,
    license_name: str = "other",
    language: str = "en",
) -> Dataset:
    """
    Make the dataset of a benchmark's newest version, and write down that it leaves.

    It holds the public part: the hidden one has no business on a site that crawlers read.

    Args:
        person: the admin who takes it out; None is a command.
        license_name: one of `LICENSES`.
        language: of the statements, as in ISO 639-1.

    Raises:
        Empty: no version of it is published.
    """
    version = BenchmarkVersion.objects.current().filter(benchmark=benchmark).first()
    if version is None:
        raise Empty
    chosen = _choose(version, person)
    fields = [*OF_STATEMENT, *(OF_KEY if with_answers else ())]
    exports.record(
        chosen,
        person=person,
        file_format=Download.Format.DATASET,
        fields=fields,
        asked=f"dataset {benchmark.slug} {version.number}",
    )
    rows = list(exports.describe(chosen, fields))
    if not with_answers:
        for row in rows:
            # Who may have the key gets the others too; they tell what the answer is made of.
            row["symbols"] = [one for one in row["symbols"] if _is_described(one)]
    digest = hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()
    canary = str(uuid.uuid5(_NAMESPACE, f"{benchmark.slug} {digest}"))
    lines = [json.dumps({**row, "canary": canary}, ensure_ascii=False) + "\n" for row in rows]
    context = {
        "benchmark": benchmark,
        "version": version,
        "with_answers": with_answers,
        "license": license_name,
        "language": language,
        "rows": rows,
        "errata": _describe_errata(chosen),
        "size": next((name for most, name in SIZES if len(rows) < most), "n>100K"),
        "task": "question-answering",
        "features": [*_describe_features(fields)],
        "by_domain": _count(rows, "domain", PhysicsField),
        "by_difficulty": _count(rows, "difficulty", Difficulty),
        "grader_version": GRADER_VERSION,
        "digest": digest,
        "canary": canary,
        "data_file": DATA_FILE,
        "today": timezone.now().date(),
        "key": benchmark.slug.replace("-", "_"),
        "quoted_name": json.dumps(benchmark.name, ensure_ascii=False),
    }
    card = render_to_string("curation/dataset_card.md", context)
    return Dataset(benchmark.slug, card, tuple(lines))


def _choose(version: BenchmarkVersion, person: User | None) -> list[exports.ChosenProblem]:
    """List the public items of a version in their order, with the texts that it froze."""
    items = version.items.public().select_related("problem__author", "problem__benchmark")
    return [
        exports.ChosenProblem(
            item.problem,
            item.revision_id,
            has_key=person is None or can_export_key(person, item.problem),
            is_submitted=True,
        )
        for item in items.prefetch_related("problem__credits")
    ]


def _describe_errata(chosen: Sequence[exports.ChosenProblem]) -> list[tuple[str, dict[str, Any]]]:
    """Return each erratum with the name of its problem, in the order of the problems."""
    found = exports.list_errata(chosen)
    return [
        # A cell of the card's table is one line.
        (one.problem.identifier, {**row, "line": " ".join(row["text"].replace("|", r"\|").split())})
        for one in chosen
        for row in found.get(one.problem.pk, [])
    ]


def _is_described(symbol: dict[str, Any]) -> bool:
    return any(symbol[name] for name in _SYMBOL if name not in {"latex", "sign"}) or (
        symbol["sign"] != "positive"
    )


def _count(rows: Iterable[dict[str, Any]], name: str, choices: Any) -> list[tuple[str, int]]:
    counts = Counter(row[name] for row in rows)
    labels = [(value, str(label)) for value, label in choices.choices]
    counted = [(label, counts[value]) for value, label in labels if counts[value]]
    return counted + ([("not said", counts[""])] if counts[""] else [])


def _describe_features(fields: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the card that say of what type each column is."""
    for name in [*fields, "canary"]:
        yield f"  - name: {name}"
        if name == "symbols":
            yield "    list:"
            for part in _SYMBOL:
                yield f"    - name: {part}"
                yield "      dtype: string"
        elif name in _LISTS:
            yield "    sequence: string"
        else:
            yield "    dtype: string"


def write_folder(dataset: Dataset, folder: Path) -> None:
    """Write the files into a new or empty folder. Raises `FileExistsError` where it is neither."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(folder)
    for name, text in dataset.files():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def write_zip(dataset: Dataset, opened: IO[bytes]) -> None:
    with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in dataset.files():
            archive.writestr(f"{dataset.name}/{name}", text)
