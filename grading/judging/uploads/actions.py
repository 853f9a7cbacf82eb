"""What people do with files of items: upload one, and have it judged."""

import hashlib

from django.db import transaction
from django.utils.translation import gettext as _

from grading.judging.engine.configuration import Configuration
from grading.judging.engine.items import BadItems, Listed, parse_items
from grading.judging.given import write_item
from grading.judging.models import JudgeFile, JudgeItem, JudgeRun
from grading.judging.permissions import may_run_on_file
from grading.judging.prompts.configurations import read
from grading.judging.runs.actions import (
    CannotRun,
    Plan,
    list_canary_rows,
    list_known,
    start,
)
from grading.solvers.models import Organisation
from grading.solvers.permissions import can_hand_in
from phybench.files.problem_files import Refused, check_values
from phybench.people.models import User
from phybench.work.budgets import A_ROW
from phybench_grader.judges.kinds import KINDS

LARGEST_FILE = 14 * 1024**2
"""Bytes: a run keeps all items once more, at once, and nobody may keep more in a minute."""
MOST_ITEMS = 10_000


class CannotUpload(Exception):
    """A file that can't be judged; the message says what to do."""


class UploadedBefore(Exception):
    """A file that its organisation has already, byte for byte; `file` is the earlier one."""

    def __init__(self, file: JudgeFile) -> None:
        super().__init__(str(file))
        self.file = file


@transaction.atomic
def upload(*, by: User, organisation: Organisation, file_name: str, content: bytes) -> JudgeFile:
    """
    Keep a file of items.

    Raises:
        CannotUpload: it is not theirs to upload, too large, or no line of it can be understood.
        UploadedBefore: their organisation has it already.
    """
    if not can_hand_in(by, organisation):
        raise CannotUpload(_("Only members of the team can upload a file for it."))
    if len(content) > LARGEST_FILE:
        raise CannotUpload(
            _("This file is larger than %(size)d MB. Split it, or use the command “judge”.")
            % {"size": LARGEST_FILE // 1024**2}
        )
    # What one judge understands of a line, the others that look at one answer do as well.
    kind = next(one for one in KINDS.values() if not one.compares)
    try:
        check_values(content, is_json=True)
        parse_items(content, kind, most_items=MOST_ITEMS)
    except (BadItems, Refused) as error:
        raise CannotUpload(str(error)) from None
    sha256 = hashlib.sha256(content).hexdigest()
    # Of two who upload the same at once, the second finds the first's.
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    earlier = JudgeFile.objects.filter(organisation=organisation, sha256=sha256)
    if found := earlier.select_related("uploaded_by").defer("content").first():
        raise UploadedBefore(found)
    return JudgeFile.objects.create(
        organisation=organisation,
        uploaded_by=by,
        file_name=file_name[:200],
        sha256=sha256,
        content=content,
    )


def measure_run(file: JudgeFile) -> float:
    """
    Return how many bytes a run over a file keeps.

    Each item is a row, which is written anew when it is begun and when it is judged or cancelled.
    """
    content = bytes(file.content)
    return 2.4 * len(content) + A_ROW * min(MOST_ITEMS, content.count(b"\n") + 1)


def read_items(file: JudgeFile, configuration: Configuration) -> Listed:
    """Read a file's items as the command does; raises `BadItems`."""
    return parse_items(bytes(file.content), configuration.kind, configuration.choices)


@transaction.atomic
def begin(*, file: JudgeFile, started_by: User, plan: Plan) -> JudgeRun:
    """
    Begin a run over all items of a file, with the canaries of its languages before them.

    Raises:
        CannotRun: it is not theirs, can't be read, or an endpoint is not what was agreed to.
    """
    # Of two who begin the same at once, the second finds the first's.
    file = JudgeFile.objects.select_for_update(no_key=True).get(pk=file.pk)
    if not may_run_on_file(started_by, file):
        raise CannotRun(_("Only members of its team and admins can have it judged."))
    configuration = read(plan.document, plan.prompt)
    if configuration.kind.compares:
        raise CannotRun(_("This judge compares two submissions. Choose another judge for a file."))
    try:
        items = read_items(file, configuration).items
    except BadItems as error:
        raise CannotRun(str(error)) from None

    def list_rows(run: JudgeRun) -> list[JudgeItem]:
        return [
            *list_canary_rows(run, list_known(configuration, plan, items)),
            *(JudgeItem(run=run, given=write_item(one)) for one in items),
        ]

    return start(plan, list_rows, by=started_by, file=file)
