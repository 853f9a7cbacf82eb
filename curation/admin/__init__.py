"""The back office for all that is curated; each module registers its own kinds of rows."""

from curation.admin import (
    assignments,
    credit,
    errors,
    people,
    pipelines,
    problems,
    reviews,
    transfers,
)

__all__ = [
    "assignments",
    "credit",
    "errors",
    "people",
    "pipelines",
    "problems",
    "reviews",
    "transfers",
]
