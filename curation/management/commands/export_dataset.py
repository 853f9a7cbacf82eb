"""Write a benchmark as a folder that Hugging Face `datasets` loads."""

import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.management.benchmarks import find_benchmark
from curation.versions.exchange import dataset


class Command(BaseCommand):
    help = (
        "Write the public part of a benchmark's newest version as a dataset for Hugging Face: a"
        " card and JSON lines. Without --with-answers it holds neither answers nor solutions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", required=True, metavar="NAME", help="or slug")
        parser.add_argument("--output", required=True, type=Path, metavar="FOLDER")
        parser.add_argument("--with-answers", action="store_true")
        parser.add_argument("--license", default="other", choices=dataset.LICENSES)
        parser.add_argument("--language", default="en", help="of the statements (en)")

    def handle(
        self,
        *,
        benchmark: str,
        output: Path,
        with_answers: bool,
        license: str,  # noqa: A002  # the option's name
        language: str,
        **options: Any,
    ) -> None:
        if not re.fullmatch(r"[a-z]{2,3}", language):
            raise CommandError(_("A language is two or three letters, such as en or zh."))
        found = find_benchmark(benchmark)
        if output.exists() and (not output.is_dir() or any(output.iterdir())):
            message = _("%(folder)s is there already, and not an empty folder: choose another.")
            raise CommandError(message % {"folder": output})
        try:
            made = dataset.make(
                found, with_answers=with_answers, license_name=license, language=language
            )
            dataset.write_folder(made, output)
        except dataset.Empty:
            message = _("No version of “%(name)s” is published yet.")
            raise CommandError(message % {"name": found}) from None
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}") from None
        message = ngettext(
            "%(count)d problem in %(folder)s.",
            "%(count)d problems in %(folder)s.",
            len(made.lines),
        )
        self.stdout.write(message % {"count": len(made.lines), "folder": output})
