"""
A column for what the pure core says.

The core says a code with what is filled in. Rows keep that, and pages say it in the language of
whoever reads them: see `curation/texts/sentences.py` and `grading/runs/sentences.py`.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

from phybench_grader.numbers.sentences import Sentence


def chain(code: str, sentences: Sequence[Sentence]) -> Sentence:
    """
    Join one or more sentences by one that has a `{first}` and a `{rest}`.

    >>> chain("listed", [Sentence("a"), Sentence("b")]).write()
    {'code': 'listed', 'first': {'code': 'a'}, 'rest': {'code': 'b'}}
    """
    *before, last = sentences
    return reduce(
        lambda rest, first: Sentence.of(code, first=first, rest=rest), reversed(before), last
    )


class SentenceField(models.JSONField):
    """A `Sentence`, kept by its code; None is none."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"null": True, "blank": True, **options})

    def from_db_value(
        self, value: str | None, expression: Expression, connection: BaseDatabaseWrapper
    ) -> Any:
        kept = super().from_db_value(value, expression, connection)
        return Sentence.read(kept) if isinstance(kept, dict) else kept

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(value.write() if isinstance(value, Sentence) else value)
