"""
How long the server takes for the editor's preview of the longest published statement.

    python -m tests.benchmarks.preview

Asked for are under 200 ms. The ratio is to the preview of an empty form, so that what every page
costs can be told from what the text costs. There is no database: a preview makes no query.
"""

from __future__ import annotations

import os
import statistics
import time

from tests.benchmarks.published import FILE, load_rows

TURNS = 30
LIMIT_MILLISECONDS = 200


def load_longest() -> dict[str, str]:
    """Return the longest statement, with its answer and the longest solution where there are."""
    statements = [*load_rows(FILE), *load_rows("questions-only-400.json")]
    longest = max(statements, key=lambda row: len(row["content"]))
    answered = max(statements, key=lambda row: len(row.get("answer") or ""))
    solved = max(statements, key=lambda row: len(row.get("solution") or ""))
    return {
        "statement": longest["content"],
        "answer": answered["answer"],
        "solution": solved["solution"],
    }


def main() -> None:
    os.environ.setdefault("SECRET_KEY", "of no use to anybody")
    os.environ.setdefault("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none")
    os.environ.setdefault("CELERY_BROKER_URL", "memory://")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phybench.settings")
    import django

    django.setup()
    from django.test import RequestFactory

    from curation.authoring.drafts.preview import preview
    from phybench.people.models import Role, User
    from phybench.work.sandbox import close, warm

    warm()
    author = User(email="author@test.example", roles=[Role.CONTRIBUTOR])

    def measure(data: dict[str, str]) -> float:
        """Return the median of the milliseconds that one preview takes, once it is warm."""
        took = []
        for _ in range(TURNS):
            request = RequestFactory().post("/b/test/problems/new/?part=preview", data)
            request.user = author
            started = time.perf_counter()
            response = preview(request)
            took.append(1000 * (time.perf_counter() - started))
            assert response.status_code == 200
        print(f"  first {took[0]:.0f} ms, slowest of the rest {max(took[1:]):.0f} ms")
        return statistics.median(took)

    longest = load_longest()
    print({name: len(text) for name, text in longest.items()}, "characters")
    empty, full = measure({}), measure(longest)
    print(f"empty form {empty:.1f} ms, longest {full:.1f} ms: {full / empty:.1f} times")
    print("kept" if full < LIMIT_MILLISECONDS else "NOT kept", f"under {LIMIT_MILLISECONDS} ms")
    close()


if __name__ == "__main__":
    main()
