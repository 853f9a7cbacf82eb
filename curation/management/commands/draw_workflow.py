"""Draw the workflow from its table into `docs/concepts.md`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from curation.texts.workflow import TRANSITIONS, Status, Transition

BEGIN = "<!-- drawn by `manage.py draw_workflow` from curation/texts/workflow.py: begin -->"
END = "<!-- drawn by `manage.py draw_workflow`: end -->"


def draw() -> str:
    """Return the table of transitions as a Mermaid state diagram."""
    names = [f"    {status.value} : {status.label}" for status in Status]
    lines = ["```mermaid", "stateDiagram-v2", *names, *map(_arrow, TRANSITIONS)]
    ends = set(Status) - {transition.before for transition in TRANSITIONS}
    lines += [f"    {status.value} --> [*]" for status in Status if status in ends]
    return "\n".join([*lines, "```"])


def _arrow(transition: Transition) -> str:
    before = transition.before.value if transition.before else "[*]"
    return f"    {before} --> {transition.after.value} : {transition.step.label}"


def put_into(text: str) -> str:
    """
    Return the text with the drawing between its marks brought up to date.

    Raises:
        ValueError: it has not both marks, once each and in order.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"write these two lines where the drawing goes:\n{BEGIN}\n{END}")
    before, rest = text.split(BEGIN)
    _old, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{draw()}\n\n{END}{after}"


class Command(BaseCommand):
    help = "Bring the drawing in docs/concepts.md up to date with curation/texts/workflow.py."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit status 1 when it is stale"
        )
        parser.add_argument("--file", type=Path, default=settings.BASE_DIR / "docs" / "concepts.md")

    def handle(self, *, check: bool, file: Path, **options: Any) -> None:
        try:
            text = file.read_text(encoding="utf-8")
            drawn = put_into(text)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        except ValueError as error:
            raise CommandError(f"{file}: {error}") from None
        if drawn == text:
            self.stdout.write(f"{file.name} is up to date.")
        elif check:
            raise CommandError(f"{file.name} is stale: run `manage.py draw_workflow`.")
        else:
            file.write_text(drawn, encoding="utf-8")
            self.stdout.write(f"{file.name} is drawn anew.")
