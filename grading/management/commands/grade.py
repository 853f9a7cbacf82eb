"""Grade a file of models' answers against a file of references. Needs no database."""

import contextlib
import io
import json
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.answers import references as references_file
from grading.answers.batch import BatchLine, BatchSummary, grade_all, plan
from grading.answers.references import References
from phybench.files import json_list
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.rows import Limits
from phybench.files.answer_files.whole import ModelAnswers, read_whole
from phybench.files.progress import Progress
from phybench.pages.excerpt import show
from phybench_grader.statistics.metrics import Tally
from phybench_grader.statistics.provisional import Range

LARGEST_ANSWERS = 512 * 1024**2
"""Bytes; a file of many models' whole responses is larger than one that is handed in."""
MOST_PROCESSES = 64
MOST_LISTED = 20
"""Failed answers named one by one; all are in the output."""
UNUSABLE = 2
"""Exit status when nothing was graded, as argparse has it for its own complaints."""
STANDARD_INPUT = Path("-")


class Command(BaseCommand):
    help = (
        "Grade answers (id, model, response) against references (id, answer, symbols?), each as"
        " JSON, JSON lines or CSV, also gzipped, and write one JSON object a line: one for each"
        " answer and for each that is missing. Which field holds what is told by its name. Exit"
        " status 1: some could not be graded; 2: nothing was graded."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "references", type=Path, metavar="REFERENCES", help="such as export_dataset writes"
        )
        parser.add_argument(
            "answers", type=Path, metavar="ANSWERS", help="“-” reads standard input"
        )
        parser.add_argument("--output", type=Path, required=True, metavar="GRADES.jsonl")
        parser.add_argument(
            "--model", default="", metavar="NAME", help="whose the answers are that name no model"
        )
        parser.add_argument(
            "--processes",
            type=count_processes,
            default=os.cpu_count() or 1,
            metavar="N",
            help="answers graded at the same time (%(default)s); changes no grade",
        )
        parser.add_argument(
            "--deadline",
            type=count_seconds,
            default=60.0,
            metavar="SECONDS",
            help="for one answer (%(default)s); one that takes longer is not graded",
        )

    def handle(
        self,
        *,
        references: Path,
        answers: Path,
        output: Path,
        model: str,
        processes: int,
        deadline: float,
        **options: Any,
    ) -> None:
        known = load_references(references)
        models = load_answers(answers, known.by_id.keys(), model)
        if known.without_answer:
            self.stderr.write(
                ngettext(
                    "%(file)s: %(count)d of its rows has no answer and is left out.",
                    "%(file)s: %(count)d of its rows have no answer and are left out.",
                    len(known.without_answer),
                )
                % {"file": references, "count": len(known.without_answer)}
            )
        planned = plan(known, models)
        summary = BatchSummary(known)
        failed = []
        progress = Progress(sys.stderr, len(planned))
        try:
            with replacing(output, (references, answers)) as file:
                lines = grade_all(planned, processes=processes, deadline=deadline)
                with contextlib.closing(lines):
                    for done, line in enumerate(lines):
                        progress.draw(done)
                        file.write(json.dumps(asdict(line), ensure_ascii=False) + "\n")
                        summary.add(line)
                        if line.status == "failed":
                            failed.append(line)
        except KeyboardInterrupt:
            progress.clear()
            raise CommandError(_("Stopped. Nothing was written."), returncode=130) from None
        finally:
            progress.clear()
        self.say(summary, failed)
        if summary.failed_only.keys() == models.keys():
            raise CommandError(_("Nothing was graded: all calls failed."), returncode=UNUSABLE)
        if failed:
            raise CommandError(
                _("Not graded or left out: %(failed)d of %(all)d; %(file)s says why for each.")
                % {"failed": len(failed), "all": len(planned), "file": output}
            )
        if summary.failed_only:
            raise CommandError(
                _("No score, because all calls failed: %(models)s.")
                % {"models": show(", ".join(summary.failed_only))}
            )

    def say(self, summary: BatchSummary, failed: Sequence[BatchLine]) -> None:
        for line in failed[:MOST_LISTED]:
            self.stderr.write(f"{name(line)}: {line.reason}: {show(line.message)}")
        if len(failed) > MOST_LISTED:
            self.stderr.write(_("… and %(count)d more.") % {"count": len(failed) - MOST_LISTED})
        tallies = summary.tally()
        for model, tally in tallies.items():
            told = describe(tally, has_score=model in summary.matched)
            if calls := summary.failed_only.get(model):
                told = _("no score, only failed calls (%(count)d)") % {"count": calls}
            self.stdout.write(f"{show(model)}: {told}")
        for status, label in (
            ("graded", _("Unreadable")),
            ("missing", _("Not answered")),
            ("failed", _("Not graded")),
            ("left_out", _("Left out, by reason")),
        ):
            if reasons := summary.reasons[status]:
                counts = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
                self.stdout.write(f"{label}: {counts}")
        self.stdout.write(
            _("Graded: %(graded)d. Missing: %(missing)d. Not graded: %(ungraded)d.")
            % {
                "graded": sum(one.scored for one in tallies.values()),
                "missing": sum(one.missing for one in tallies.values()),
                "ungraded": sum(one.ungraded for one in tallies.values()),
            }
        )
        if summary.left_out:
            self.stdout.write(
                ngettext(
                    "Left out: %(count)d row, because no reference answer has its id.",
                    "Left out: %(count)d rows, because no reference answer has their id.",
                    summary.left_out,
                )
                % {"count": summary.left_out}
            )


def count_processes(written: str) -> int:
    if not written.isdecimal() or not 1 <= int(written) <= MOST_PROCESSES:
        raise ArgumentTypeError(_("give an integer from 1 to %(most)d") % {"most": MOST_PROCESSES})
    return int(written)


def count_seconds(written: str) -> float:
    try:
        seconds = float(written)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise ArgumentTypeError(_("give a number of seconds above 0"))
    return seconds


def load_references(file: Path) -> References:
    try:
        return references_file.parse(json_list.fetch(file, largest=references_file.LARGEST_FILE))
    except (json_list.NotAList, RefusedFile) as error:
        raise CommandError(f"{file}: {error}", returncode=UNUSABLE) from None


def load_answers(file: Path, known: Collection[str], model: str) -> dict[str, ModelAnswers]:
    read = partial(read_whole, known=known, limits=Limits(sent=LARGEST_ANSWERS), model_name=model)
    try:
        if file == STANDARD_INPUT:
            # It is read twice: once to find out what its fields hold.
            content = io.BytesIO(sys.stdin.buffer.read(LARGEST_ANSWERS + 1))
            return read(content)
        with file.open("rb") as opened:
            return read(opened, file.name)
    except RefusedFile as error:
        raise CommandError(f"{file}: {error}", returncode=UNUSABLE) from None
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}", returncode=UNUSABLE) from None


@contextlib.contextmanager
def replacing(output: Path, sources: Iterable[Path]) -> Iterator[TextIO]:
    """
    Write a file that takes its name only once it is whole, or leave what was there.

    Half a file would look like all the grades of fewer answers.
    """
    target = output.resolve()
    if target.exists() and not target.is_file():
        raise CommandError(_("%(file)s is not a file.") % {"file": output}, returncode=UNUSABLE)
    if any(source.exists() and target == source.resolve() for source in sources):
        raise CommandError(
            _("%(file)s is the input: write to another file.") % {"file": output},
            returncode=UNUSABLE,
        )
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            with part.open("w", encoding="utf-8") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise CommandError(
            f"{output}: {error.strerror}. {_('Nothing was written.')}", returncode=UNUSABLE
        ) from None


def name(line: BatchLine) -> str:
    row = _("row %(row)d") % {"row": line.row} if line.row else ""
    identifier = "" if line.id is None else _("id %(id)s") % {"id": line.id}
    return show(", ".join(part for part in (row, identifier, line.model) if part))


def describe(tally: Tally, *, has_score: bool = True) -> str:
    """
    Say a model's means, and what they are over.

    Args:
        has_score: False of a model none of whose rows is to a problem: it would get 0 for that.

    >>> from phybench_grader.statistics.metrics import Outcome, tally
    >>> describe(tally([Outcome(1, 100.0, 100.0), Outcome(2, 0.0, 45.0)], missing=2))
    'accuracy 25.00, EED 36.25 over 4 problems (graded 2, unreadable 0, missing 2, not graded 0)'
    """
    counts = _(
        "graded %(graded)d, unreadable %(unreadable)d, missing %(missing)d, not graded %(ungraded)d"
    ) % {
        "graded": tally.scored,
        "unreadable": tally.unreadable,
        "missing": tally.missing,
        "ungraded": tally.ungraded,
    }
    if not has_score or tally.accuracy.value is None or tally.eed.value is None:
        return _("no score (%(counts)s)") % {"counts": counts}
    return ngettext(
        "accuracy %(accuracy)s, EED %(eed)s over %(problems)d problem (%(counts)s)",
        "accuracy %(accuracy)s, EED %(eed)s over %(problems)d problems (%(counts)s)",
        tally.accuracy.count,
    ) % {
        "accuracy": write_mean(tally.accuracy.value, tally.accuracy_range),
        "eed": write_mean(tally.eed.value, tally.eed_range),
        "problems": tally.accuracy.count,
        "counts": counts,
    }


def write_mean(value: float, found: Range | None) -> str:
    """Write a mean, or where it can lie while some answers are not graded."""
    if found is None or not found.is_provisional:
        return f"{value:.2f}"
    return f"{found.low:.2f}–{found.high:.2f}"
