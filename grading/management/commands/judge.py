"""Have responses judged by rules and by language models, and keep all they say. No database."""

import contextlib
import json
import os
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.answers.symbolic import judge
from grading.endpoints import Egress
from grading.judging.engine.configuration import (
    Configuration,
    parse_configuration,
)
from grading.judging.engine.documents import BadConfiguration
from grading.judging.engine.items import LARGEST_FILE, BadItems, Listed, parse_items
from grading.judging.engine.summary import sum_up
from grading.judging.files.keys import BadKey, read_keys
from grading.judging.files.lines import BadFile, Journal, Output, set_aside
from grading.judging.files.next_steps import say_next
from grading.judging.files.run import Run
from grading.judging.files.sentences import describe
from phybench.files import json_list
from phybench.files.progress import Progress
from phybench.pages.excerpt import show
from phybench.work import sandbox
from phybench_grader.judges import Reason
from phybench_grader.judges.items import Item

LARGEST_CONFIGURATION = 1024**2
"""Bytes."""
MOST_AT_ONCE = 64
MOST_SECONDS = 366 * 24 * 3600.0
"""Of what an endpoint asks for, that are written as a date."""
SECONDS_OF_RULES = 60.0
"""For the symbolic judge to compare one answer."""
UNUSABLE = 2
"""Exit status when nothing was judged, as argparse has it for its own complaints."""
STOPPED = 130
ALLOWED_NAME = "JUDGE_EGRESS_ALLOW"


class Command(BaseCommand):
    help = (
        "Have items ([{id, question, response, ground_truth or reference, …}, …], one JSON object a"
        " line) judged as the configuration says, and write one record a line. Run again, it goes"
        " on where it stopped: what has a verdict is not asked about again. Exit status 0: all were"
        " judged; 1: some could not be; 2: nothing was done, because something is not usable."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("items", type=Path, metavar="ITEMS.jsonl")
        parser.add_argument("--config", type=Path, required=True, metavar="CONFIG.json")
        parser.add_argument("--output", type=Path, required=True, metavar="JUDGEMENTS.jsonl")
        parser.add_argument(
            "--attempts",
            type=Path,
            metavar="FILE.jsonl",
            help="where every call is kept, in full (JUDGEMENTS.attempts.jsonl)",
        )
        parser.add_argument(
            "--key-env",
            action="append",
            default=[],
            metavar="[JUDGE=]NAME",
            help="the environment variable that holds the endpoint’s key; begins with JUDGE_KEY_",
        )
        parser.add_argument(
            "--allow",
            default=os.environ.get(ALLOWED_NAME, ""),
            metavar="NETWORKS",
            help=f"networks that may be called though they are not public ({ALLOWED_NAME})",
        )
        parser.add_argument(
            "--at-once",
            type=count_calls,
            default=4,
            metavar="N",
            help="items judged at the same time (%(default)s)",
        )
        parser.add_argument(
            "--fresh", action="store_true", help="set earlier records aside and start anew"
        )
        parser.add_argument(
            "--no-canaries",
            action="store_false",
            dest="canaries",
            help="leave out the items that try whether the judge can be talked round",
        )
        parser.add_argument(
            "--no-empty-answers",
            action="store_false",
            dest="empty_answers",
            help="leave out the answers that hold nothing; an untried judge may not rank",
        )
        parser.add_argument(
            "--json", action="store_true", dest="in_json", help="print the summary as JSON"
        )

    def handle(
        self,
        *,
        items: Path,
        config: Path,
        output: Path,
        attempts: Path | None,
        key_env: Sequence[str],
        allow: str,
        at_once: int,
        fresh: bool,
        canaries: bool,
        empty_answers: bool,
        in_json: bool,
        **options: Any,
    ) -> None:
        configuration = load_configuration(config)
        try:
            keys = read_keys(configuration.judges, key_env, os.environ)
        except BadKey as error:
            raise CommandError(f"--key-env: {error}", returncode=UNUSABLE) from None
        egress = read_networks(allow)
        read = load_items(items, configuration)
        for remark in read.list_remarks():
            self.stderr.write(show(remark))
        listed = read.items
        if not configuration.template.is_fenced:
            self.stderr.write(
                _("%(template)s has no {fence} around its data: use it only for trusted answers.")
                % {"template": configuration.template.name}
            )
        journal_path = attempts or output.with_suffix(".attempts.jsonl")
        check_paths({"items": items, "--config": config}, output, journal_path)
        with self.refusing(output):
            if fresh:
                self.set_aside(output, journal_path)
            with opened(configuration, output, journal_path) as (kept, journal):
                check_ids(kept, listed)
                run = Run(
                    configuration,
                    listed,
                    output=kept,
                    journal=journal,
                    keys=keys,
                    egress=egress,
                    symbolic=partial(judge, deadline=SECONDS_OF_RULES),
                    tell=self.tell_closed,
                )
                tried = configuration.list_canaries(listed) if canaries else []
                tried += configuration.list_empty_answers() if empty_answers else []
                self.work_on(run, run.list_open(tried), at_once)
                records = run.settle()
                summary = sum_up(
                    configuration.kind,
                    records,
                    tried=journal.canaries.values(),
                    spent=journal.spent,
                    config_hash=configuration.identity,
                    needs_empty_answers=configuration.needs_empty_answers,
                )
        self.say(summary, in_json=in_json)
        self.end(run, summary, output)

    @contextlib.contextmanager
    def refusing(self, output: Path) -> Iterator[None]:
        try:
            yield
        except BadFile as error:
            raise CommandError(str(error), returncode=UNUSABLE) from None
        except OSError as error:
            raise CommandError(
                f"{error.filename or output}: {error.strerror}", returncode=UNUSABLE
            ) from None

    def set_aside(self, *paths: Path) -> None:
        for path in paths:
            if aside := set_aside(path):
                self.stderr.write(
                    _("%(file)s is kept as %(aside)s.") % {"file": path, "aside": aside}
                )

    def work_on(self, run: Run, items: Sequence[Item], at_once: int) -> None:
        """Judge what is open; at Ctrl-C let the calls under way end, and keep what they bring."""
        own = sum(not item.canary for item in items)
        progress = Progress(sys.stderr, len(run.items))
        done = len(run.items) - own
        sandbox.allow(min(at_once, os.cpu_count() or 1))
        try:
            with stopping(run, progress):
                for item in run.judge_all(items, at_once=at_once):
                    done += not item.canary
                    progress.draw(done)
        finally:
            progress.clear()
            sandbox.close()

    def tell_closed(self, endpoint: str, seconds: float, reason: Reason) -> None:
        """Say why nothing goes on for a while, and until when."""
        until = timezone.localtime(timezone.now() + timedelta(seconds=min(seconds, MOST_SECONDS)))
        self.stderr.write(
            "\n"
            + _("%(endpoint)s: %(why)s No call is made before %(time)s.")
            % {
                "endpoint": endpoint,
                "why": _(reason.message),
                "time": until.strftime("%Y-%m-%d %H:%M:%S %Z"),
            }
        )

    def say(self, summary: dict[str, Any], *, in_json: bool) -> None:
        if in_json:
            self.stdout.write(json.dumps(summary, ensure_ascii=False, indent=2))
            return
        for line in describe(summary):
            self.stdout.write(show(line))

    def end(self, run: Run, summary: dict[str, Any], output: Path) -> None:
        """Say what is left to do, and with which exit status."""
        halted = run.store.halted_by
        if halted is Reason.CANCELLED:
            raise CommandError(
                _(
                    "Stopped: %(scored)d of %(all)d are judged. Run the same command again "
                    "to continue."
                )
                % {"scored": summary["scored"], "all": summary["items"]},
                returncode=STOPPED,
            )
        lacking = summary["items"] - summary["scored"]
        if not lacking:
            return
        if halted is not None:
            self.stderr.write(_("The run ended early: %(why)s") % {"why": _(halted.message)})
            if run.store.detail:
                self.stderr.write(_("In detail: %(said)s") % {"said": show(run.store.detail)})
            self.stderr.write(say_next(halted))
        raise CommandError(
            _("Not judged: %(lacking)d of %(all)d; %(file)s says why for each.")
            % {"lacking": lacking, "all": summary["items"], "file": output}
        )


def count_calls(written: str) -> int:
    if not written.isdecimal() or not 1 <= int(written) <= MOST_AT_ONCE:
        raise ArgumentTypeError(_("give an integer from 1 to %(most)d") % {"most": MOST_AT_ONCE})
    return int(written)


def load_configuration(path: Path) -> Configuration:
    try:
        content = json_list.fetch(path, largest=LARGEST_CONFIGURATION)
        return parse_configuration(content, folder=path.parent)
    except (json_list.NotAList, BadConfiguration) as error:
        raise CommandError(f"{path}: {error}", returncode=UNUSABLE) from None


def load_items(path: Path, configuration: Configuration) -> Listed:
    try:
        content = json_list.fetch(path, largest=LARGEST_FILE)
        return parse_items(content, configuration.kind, configuration.choices)
    except (json_list.NotAList, BadItems) as error:
        raise CommandError(f"{path}: {error}", returncode=UNUSABLE) from None


def read_networks(written: str) -> Egress:
    try:
        return Egress.parse(written)
    except ValueError as error:
        raise CommandError(
            _("--allow: %(what)s. Write networks such as 127.0.0.0/8, separated by commas.")
            % {"what": error},
            returncode=UNUSABLE,
        ) from None


def check_paths(sources: dict[str, Path], output: Path, journal: Path) -> None:
    """Refuse to write where something is to be read, or twice to one file."""
    taken = {path.resolve(): name for name, path in sources.items()}
    for name, path in (("--output", output), ("--attempts", journal)):
        if path.exists() and not path.is_file():
            raise CommandError(_("%(file)s is not a file.") % {"file": path}, returncode=UNUSABLE)
        if path.resolve() in taken:
            raise CommandError(
                _("%(name)s: %(file)s is used by %(other)s: write to another file.")
                % {"name": name, "file": path, "other": taken[path.resolve()]},
                returncode=UNUSABLE,
            )
        taken[path.resolve()] = name


def check_ids(output: Output, items: Sequence[Item]) -> None:
    """Refuse records of other items: they would be lost, or counted among these."""
    known = {item.key for item in items}
    # An item that could not be understood may have got an id since, or another line.
    others = [
        key
        for key, record in output.records.items()
        if key not in known and record.reason is not Reason.BAD_ITEM
    ]
    if others:
        raise BadFile(
            ngettext(
                "The output has a record of an item that is not among these: %(id)s. Name another"
                " file, or start anew with --fresh.",
                "The output has records of %(count)d items that are not among these, such as"
                " %(id)s. Name another file, or start anew with --fresh.",
                len(others),
            )
            % {"count": len(others), "id": show(others[0])}
        )


@contextlib.contextmanager
def opened(
    configuration: Configuration, output: Path, journal: Path
) -> Iterator[tuple[Output, Journal]]:
    kept = Output(output, identity=configuration.identity)
    calls = Journal(journal, identity=configuration.identity)
    try:
        kept.open()
        calls.open()
        yield kept, calls
    finally:
        calls.close()
        kept.close()


@contextlib.contextmanager
def stopping(run: Run, progress: Progress) -> Iterator[None]:
    """
    Halt the run at the first signal to end, and leave at once at the second.

    Calls under way are waited for: they are paid for already.
    """
    is_asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        if is_asked:
            # Every line that was written is whole; the next run goes on from them.
            os._exit(STOPPED)
        is_asked = True
        run.store.halt(Reason.CANCELLED)
        progress.clear()
        sys.stderr.write(
            _("Waiting for the calls in progress. Press Ctrl-C again to stop without them.") + "\n"
        )

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(one, stop) for one in signals]
    try:
        yield
    finally:
        for one, handler in zip(signals, before, strict=True):
            signal.signal(one, handler)
