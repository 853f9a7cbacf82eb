#!/usr/bin/env python
"""Run Django's commands. `python3 dev.py manage …` does it with everything installed."""

import io
import os
import sys

STANDALONE = ("read", "grade", "judge", "calibrate")
"""Commands that work on texts and files alone: they need no settings, database or broker."""


def main(arguments: list[str]) -> None:
    if arguments[1:2] and arguments[1] in STANDALONE:
        run_standalone(arguments)
    else:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")
        run_with_settings(arguments)


def run_with_settings(arguments: list[str]) -> None:
    """Run a command, and say in a sentence what is wrong with the settings or the database."""
    # Not at the top: the child processes of `grade` load this file again, and need no Django.
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")
    except DatabaseError as error:
        from phybench.work import tables

        if sentence := tables.explain():
            sys.exit(f"manage.py: {sentence}")
        raise error


def run_standalone(arguments: list[str]) -> None:
    """Run a command without the project's settings, and without waiting for its apps to load."""
    from django.conf import settings
    from django.core.management import load_command_class

    settings.configure(USE_I18N=False)
    # Whatever the terminal's encoding: a character it lacks must not hide a result.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        load_command_class("grading", arguments[1]).run_from_argv(arguments)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv)
