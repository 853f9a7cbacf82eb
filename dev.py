#!/usr/bin/env python3
"""
Set up this checkout and run it.

    python3 dev.py run [--port 8000]   the whole application, with demo data, until Ctrl-C
    python3 dev.py test [...]          the tests; what follows is given to pytest
    python3 dev.py test --changed      the tests of what differs from the last commit
    python3 dev.py manage ...          Django's manage.py, with a database
    python3 dev.py check               all that CI checks: lint, then test
    python3 dev.py lint                formatting, ruff, djade, mypy, imports, migrations, licences
    python3 dev.py licences            the dependencies' licences, and which are not known
    python3 dev.py mutants [...]       the tests, once for each small fault put into the code

It needs Python 3.11 and nothing else: the rest is installed into .venv, PostgreSQL and a message
broker included; what only tests and lints, the first time one of those is asked for. Set
DATABASE_URL or CELERY_BROKER_URL to use a server of your own instead.
"""

import os
import sys

OLDEST_PYTHON = (3, 11)


def explain_refusal(version: "tuple[int, ...]", platform: str) -> str:
    """Say why this Python or system won't do, and what will; nothing when it will."""
    if version < OLDEST_PYTHON:
        return (
            f"Python {version[0]}.{version[1]} is too old for this project: start dev.py with "
            f"Python {OLDEST_PYTHON[0]}.{OLDEST_PYTHON[1]} or newer, e.g. `python3.11 dev.py run`."
        )
    if platform == "win32":
        return "Windows itself is not supported: run dev.py inside WSL (`wsl --install`)."
    return ""


# An old Python can read this file up to here, and must not go on.
refusal = explain_refusal(tuple(sys.version_info[:2]), sys.platform)
if refusal:
    sys.exit(refusal)

from development import catalogues, commands, environment  # noqa: E402  # only a Python that will do reads it
from development.failure import Failure, describe  # noqa: E402


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    try:
        status = obey(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Nobody reads on (`| head`): Python would complain of what it could not write at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 130
    except (Failure, OSError) as failure:
        print(f"\ndev.py: {describe(failure)}", file=sys.stderr)
        return 1


def obey(arguments: list[str]) -> int:
    usage = (__doc__ or "").strip()
    if arguments in (["help"], ["-h"], ["--help"]):
        print(usage)
        return 0
    if not arguments or arguments[0] not in commands.COMMANDS:
        unknown = f"dev.py: there is no command `{arguments[0]}`.\n\n" if arguments else ""
        print(f"{unknown}{usage}", file=sys.stderr)
        return 2
    environment.prepare(tools=arguments[0] in commands.WITH_TOOLS)
    catalogues.prepare()
    return commands.COMMANDS[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
