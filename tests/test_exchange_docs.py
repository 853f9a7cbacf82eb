"""What docs/exchange.md says of files is so."""

import re
from pathlib import Path

import pytest

from curation.exchange.models import Import, ImportRow
from curation.exchange.plans import plan
from curation.exchange.rows import PROBLEMS, parse
from curation.exchange.terms import ImportTerms
from curation.problems.models import Difficulty, PhysicsField
from curation.texts.references.reference import SIGNS_IN_WORDS
from curation.texts.schema import EXPORTED
from phybench.files.problem_files import LARGEST_FILE, MOST_ROWS, read

DOCUMENT = (Path(__file__).parents[1] / "docs" / "exchange.md").read_text()
EXAMPLES = re.findall(r"^```(json|jsonl|csv)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(4))
def test_each_example_can_be_imported(number, contributor, admin, benchmark):
    kind, text = EXAMPLES[number]
    file = read(text.encode(), PROBLEMS)
    is_published = '"content"' in text
    purpose = Import.Purpose.PUBLISHED if is_published else Import.Purpose.DRAFTS
    terms = ImportTerms(purpose, benchmark, admin if is_published else contributor)
    plans = list(plan(parse(file.rows), terms))
    assert [(one.action, one.faults) for one in plans] == [("CREATE", ())] * len(plans)
    assert (file.format, file.unknown) == (kind, [])


def test_every_example_is_tried():
    assert len(EXAMPLES) == 4


def test_every_name_is_said():
    names = {
        *EXPORTED,
        "canary",
        *PhysicsField.values,
        *Difficulty.values,
        *SIGNS_IN_WORDS,
    }
    assert [name for name in sorted(names) if f"`{name}`" not in DOCUMENT] == []
    assert [one.label for one in ImportRow.Action if f"| `{one.label}` |" not in DOCUMENT] == []
    assert f"at most {LARGEST_FILE // 1024**2} MB and {MOST_ROWS:,} problems" in DOCUMENT
