"""Drafts of answers, as a test puts them together and has them graded."""

import io
from typing import Any

from curation.problems.benchmarks.models import Benchmark
from grading.answers.submissions.models import Submission
from grading.solvers.models import Organisation
from grading.submissions.drafts import actions, submitting
from grading.submissions.drafts.models import Draft, DraftFile
from grading.submissions.drafts.tasks import READING
from phybench.people.models import User
from tests.work import do


def read(file: DraftFile) -> DraftFile:
    """Have a file read as a worker reads it."""
    do(READING, file.pk)
    file.refresh_from_db()
    return file


def make_draft(
    *,
    organisation: Organisation,
    benchmark: Benchmark,
    by: User,
    content: bytes = b"",
    name: str = "answers.json",
) -> Draft:
    """Return a draft of one file that is read, or of none."""
    draft = actions.begin(organisation=organisation, benchmark=benchmark, by=by)
    if content:
        add(draft, content, by=by, name=name)
    return draft


def add(
    draft: Draft, content: bytes, *, by: User, name: str = "answers.json", **options: Any
) -> DraftFile:
    file = actions.add_file(draft=draft, file=io.BytesIO(content), name=name, by=by, **options)
    return read(file) if file.is_being_read else file


def grade(
    *,
    organisation: Organisation,
    benchmark: Benchmark,
    uploaded_by: User,
    content: bytes,
    file_name: str = "answers.json",
    **options: Any,
) -> list[Submission]:
    """Upload a file and have it graded at once."""
    draft = make_draft(
        organisation=organisation,
        benchmark=benchmark,
        by=uploaded_by,
        content=content,
        name=file_name,
    )
    return submitting.grade(draft=draft, by=uploaded_by, **{"again": True, **options})
