"""What files and drafts may take: as much as their sender may have kept, while somebody cares."""

import gzip
import json
from datetime import timedelta
from typing import Any

import pgtrigger
import pytest
from django.db.models import F

from curation.problems.models import Problem
from grading.submissions.drafts import actions, preview, reading
from grading.submissions.drafts.models import Draft, DraftAnswer, DraftFile
from grading.submissions.drafts.tasks import discard_forgotten
from phybench.people.models import User
from phybench.work.budgets import KEPT, name_person, spend
from tests import drafts
from tests.addresses import client_of
from tests.budgets import pass_time

pytestmark = pytest.mark.django_db


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def row(problem: Problem | str, response: str = r"\boxed{m g h}", **more: Any) -> dict[str, Any]:
    identifier = problem if isinstance(problem, str) else problem.identifier
    return {"problem_id": identifier, "model": "A", "response": response, **more}


def make_long_file(problem: Problem, answers: int) -> bytes:
    """Return a packed file that unpacks to far more."""
    content = lines(*(row(problem, "m g h " * 2_000, sample=n) for n in range(answers)))
    return gzip.compress(content)


def test_a_packed_file_is_read_as_far_as_its_senders_budget_goes_and_on_later(
    draft: Draft, problems: list[Problem], evaluator: User, settings: Any
) -> None:
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = 0.4, 1
    packed = make_long_file(problems[0], 5 * reading.AT_ONCE)
    file = drafts.add(draft, packed, by=evaluator)
    paused = DraftAnswer.objects.filter(file=file).count()
    assert (file.read_at, file.lease_until, file.broken_off) == (None, None, "")
    assert 0 < paused < 5 * reading.AT_ONCE
    assert file.next_at is not None
    page = client_of(evaluator).get(draft.get_absolute_url()).text
    assert "The rest of the file is read later" in page
    tries = 0
    while file.read_at is None:
        pass_time(3600)
        DraftFile.objects.filter(pk=file.pk).update(next_at=None)
        file = drafts.read(file)
        tries += 1
    assert tries > 1
    samples = DraftAnswer.objects.filter(file=file).values_list("sample", flat=True)
    assert sorted(samples) == list(range(1, 5 * reading.AT_ONCE + 1))
    assert file.characters == 5 * reading.AT_ONCE * len("m g h " * 2_000)
    [one] = preview.look(draft, [file]).models
    assert (one.samples, one.twice) == ({5 * reading.AT_ONCE: 1}, 0)


@pytest.mark.parametrize(
    ("is_matched", "days", "is_kept"),
    [(False, 0.9, True), (False, 1.1, False), (True, 13.9, True), (True, 14.1, False)],
)
def test_a_draft_goes_that_nobody_goes_on_with(
    draft: Draft,
    problems: list[Problem],
    evaluator: User,
    is_matched: bool,
    days: float,
    is_kept: bool,
) -> None:
    content = lines(row(problems[0]) if is_matched else row("other"))
    drafts.add(draft, content, by=evaluator)
    make_older(draft, days)
    discard_forgotten()
    assert Draft.objects.filter(pk=draft.pk).exists() is is_kept


def test_a_draft_that_is_empty_goes_after_a_day_and_one_that_was_touched_stays(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    empty = actions.begin(organisation=draft.organisation, benchmark=draft.benchmark, by=evaluator)
    drafts.add(draft, lines(row(problems[0])), by=evaluator)
    make_older(empty, 2)
    make_older(draft, 20)
    drafts.add(draft, lines(row(problems[1])), by=evaluator)
    assert discard_forgotten() == 1
    assert list(Draft.objects.all()) == [draft]


def make_older(draft: Draft, days: float) -> None:
    """Have all that was done with a draft be so long ago."""
    age = timedelta(days=days)
    with pgtrigger.ignore():
        Draft.objects.filter(pk=draft.pk).update(made_at=F("made_at") - age)
        DraftFile.objects.filter(draft=draft).update(
            **{name: F(name) - age for name in ("added_at", "mapped_at", "read_at")}
        )


def test_no_file_is_begun_with_while_its_senders_budget_is_used_up(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    """Else many small files that each unpack to much would be read at once."""
    spend(name_person(evaluator.pk), size=KEPT().at_once)
    file = drafts.add(draft, lines(row(problems[0])), by=evaluator)
    assert (file.read_at, DraftAnswer.objects.count()) == (None, 0)
    assert file.next_at is not None
    pass_time(3600)
    DraftFile.objects.filter(pk=file.pk).update(next_at=None)
    assert drafts.read(file).read_at is not None
