"""What whoever has a model answer a version is given: its problems, as each harness takes them."""

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.permissions import refuse_closed
from curation.versions.models import BenchmarkVersion, VersionItem, VersionItemQuerySet
from grading.model_runs.prompt import WORDS, write_prompt
from phybench.files.answer_files.matching import NAMED, Problems
from phybench.people.models import User

PROBLEMS = "problems.jsonl"


@dataclass(frozen=True, slots=True)
class Harness:
    title: str
    """As its own people write it."""
    files: Mapping[str, str]
    """Templates, by the name that each has beside the problems; none is a plain file."""
    command: str = ""
    """How it is started, in the folder."""


HARNESSES: Mapping[str, Harness] = {
    "inspect": Harness(
        "Inspect",
        {"{name}.py": "grading/tasks/inspect_task.py.txt"},
        "inspect eval {name}.py --model …",
    ),
    "lm-eval": Harness(
        "lm-evaluation-harness",
        {"{name}.yaml": "grading/tasks/lm_eval.yaml", "{name}.py": "grading/tasks/lm_eval.py.txt"},
        "lm_eval --include_path . --tasks {name} --log_samples --output_path results --model …",
    ),
    "opencompass": Harness("OpenCompass", {"{name}.py": "grading/tasks/opencompass.py.txt"}),
    "jsonl": Harness("", {}),
}


def give_problems(items: VersionItemQuerySet, person: User) -> list[dict[str, str]]:
    """
    Write down that somebody is shown what these items ask, and return it, without keys.

    Beside each statement stands what is asked, as a sentence to put behind it.
    """
    in_order: list[VersionItem] = list(_order(items))
    refuse_closed(person, [item.problem_id for item in in_order])
    ledger.record(person, Reason.EXPORT, *(item.revision for item in in_order))
    return [
        {
            "id": item.identifier,
            "tag": item.problem.domain,
            "content": item.revision.statement,
            "asked": item.revision.wanted.write() if item.revision.wanted else "",
        }
        for item in in_order
    ]


def _order(items: VersionItemQuerySet) -> VersionItemQuerySet:
    """Put items into the order of task files: by it answers may be matched that have no id."""
    return items.with_all().order_by("problem")


def list_problems(version: BenchmarkVersion) -> Problems:
    """Return what answers to a version are matched to."""
    statements = _order(version.items.all()).values_list("identifier", "revision__statement")
    return Problems(dict(statements), version.sha256)


def name_task(version: BenchmarkVersion) -> str:
    """Return the name of a version's task, which is one in Python, too."""
    slug = re.sub(r"\W", "_", version.benchmark.slug)
    return f"{slug if slug[:1].isalpha() else f'b_{slug}'}_v{version.number}"


def list_tasks(version: BenchmarkVersion) -> list[tuple[str, str, str]]:
    """List the tasks of a version: key and title of the harness, and how it is started."""
    name = name_task(version)
    return [
        (key, harness.title, harness.command.format(name=name))
        for key, harness in HARNESSES.items()
    ]


def write_task(version: BenchmarkVersion, harness: str, person: User) -> tuple[str, bytes]:
    """
    Write the task of a version for a harness, and down that somebody has it.

    Returns:
        The name of a file, and its bytes: JSON lines, or a zip of them with what the harness reads.
    """
    name = name_task(version)
    rows = give_problems(version.items.all(), person)
    lines = "".join(map(_write, _add_prompts(rows, version)))
    plain = f"{name}-{version.sha256[:NAMED]}.jsonl"
    templates = HARNESSES[harness].files
    if not templates:
        return plain, lines.encode()
    context = {"name": name, "number": version.number, "sha256": version.sha256}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, f"{name}/{PROBLEMS}", lines)
        for beside, template in templates.items():
            text = render_to_string(template, context)
            _put(archive, f"{name}/{beside.format(name=name)}", text)
    return f"{name}-{harness}.zip", packed.getvalue()


def _put(archive: zipfile.ZipFile, name: str, text: str) -> None:
    # Without a date of now: who downloads it again has the same bytes.
    entry = zipfile.ZipInfo(name)
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, text, zipfile.ZIP_DEFLATED)


def _add_prompts(
    rows: Iterable[dict[str, str]], version: BenchmarkVersion
) -> Iterable[dict[str, str]]:
    for row in rows:
        prompt = write_prompt(WORDS, statement=row["content"], asked=row["asked"])
        yield {**row, "prompt": prompt, "version": version.sha256}


def _write(row: Mapping[str, str]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"
