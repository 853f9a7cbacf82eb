"""Read the files of a submission again, by the fields by which its draft was read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from grading.answers.submissions.models import Submission
from grading.submissions.drafts.models import RUN, DraftFile
from grading.submissions.drafts.pieces import hash_file, hash_together
from phybench.files.answer_files.answers import Answer, Reading
from phybench.files.answer_files.fields import FieldMap
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.matching import Problems
from phybench.files.answer_files.rows import open_rows

NAMED = 12
"""Characters of a hash that tell files apart for people."""


class WrongFile(Exception):
    """These are not the files that were handed in, or they can't be read; the message says so."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What a submission was put together of."""

    files: Sequence[DraftFile]
    """Empty of what `seed_bank` makes, which is of no draft."""
    is_by_run: bool
    """Whether some of its answers were asked for by a run of a model: they are in no file."""
    has_files: bool


def find_handed_in(submission: Submission) -> HandedIn:
    files = list(DraftFile.objects.filter(draft__submissions__submission=submission).order_by("pk"))
    is_by_run = any(one.format == RUN for one in files)
    return HandedIn(files, is_by_run, not files or any(one.format != RUN for one in files))


def check_files(submission: Submission, handed_in: HandedIn, paths: Sequence[Path]) -> list[str]:
    """
    Return the hash of each of these files.

    Raises:
        WrongFile: they are not all of those that were handed in, or others.
    """
    hashes = []
    for path in paths:
        try:
            with path.open("rb") as file:
                hashes.append(hash_file(file).sha256)
        except OSError as why:
            raise WrongFile(
                _("%(file)s can’t be read: %(why)s.") % {"file": path, "why": why.strerror}
            ) from None
    # A run has no bytes: the hash that tells it from others is among those of the files.
    of_runs = [one.sha256 for one in handed_in.files if one.format == RUN]
    if hash_together([*hashes, *of_runs]) == submission.file_sha256:
        return hashes
    known = {one.sha256: one.name for one in handed_in.files if one.format != RUN}
    for path, sha256 in zip(paths, hashes, strict=True):
        if not known or sha256 not in known:
            raise WrongFile(
                _("%(file)s is not a file that was submitted: its SHA-256 is %(found)s…")
                % {"file": path, "found": sha256[:NAMED]}
            )
    missing = [name for sha256, name in known.items() if sha256 not in hashes]
    raise WrongFile(
        _("Several files were submitted. Give these, too: %(files)s.")
        % {"files": ", ".join(missing)}
    )


def read_answers(
    submission: Submission,
    handed_in: HandedIn,
    paths: Sequence[Path],
    hashes: Sequence[str],
    problems: Problems,
) -> Iterator[Answer]:
    """
    Yield the answers of a submission's model, each sample once: the first file that has it counts.

    Raises:
        WrongFile: one of them can't be read to its end.
    """
    given = dict(zip(hashes, paths, strict=True))
    order: list[tuple[str, str, FieldMap | None]]
    if handed_in.files:
        # In the order in which they were added, whatever the order in which they are given.
        order = [(one.sha256, one.name, one.map) for one in handed_in.files if one.sha256 in given]
    else:
        order = [(sha256, submission.file_name, None) for sha256 in given]
    seen: set[tuple[str, int]] = set()
    for sha256, name, field_map in order:
        try:
            for answer in _read(given[sha256], name, field_map, problems):
                key = answer.id, answer.sample
                if answer.model == submission.solver.name and key not in seen:
                    seen.add(key)
                    yield answer
        except RefusedFile as why:
            raise WrongFile(f"{given[sha256]}: {why}") from None


def _read(
    path: Path, name: str, field_map: FieldMap | None, problems: Problems
) -> Iterator[Answer]:
    with path.open("rb") as file:
        rows = open_rows(file, name)
        chosen = field_map or guess(rows.head(), known=problems.ids, remarks=rows.remarks)
        for row in Reading(rows, chosen, problems=problems):
            if isinstance(row, Answer):
                yield row
