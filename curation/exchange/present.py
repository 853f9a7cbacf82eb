"""What the bank holds already of the problems in a file, fetched for all rows at once."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q

from curation.exchange.models import Import
from curation.exchange.rows import Row
from curation.exchange.terms import ImportTerms
from curation.problems.models import OUR_OWN_ID, Problem, Revision
from curation.problems.permissions import list_visible
from curation.texts.schema import OF_PROBLEM


@dataclass(frozen=True, slots=True)
class Present:
    """A problem that is here, with its first text and its newest."""

    problem: Problem
    revisions: list[Revision]
    """Oldest first; at least one."""
    is_readable: bool
    """Whether the person who imports may read its statement."""

    @property
    def newest(self) -> Revision:
        return self.revisions[-1]

    @property
    def submitted(self) -> Revision | None:
        """The newest text that others than its writers may read."""
        return next((one for one in reversed(self.revisions) if one.submitted_at), None)

    @property
    def state(self) -> str:
        """Whether anything was done to it since."""
        problem = self.problem
        facts = [
            *(problem.pk, problem.status, problem.benchmark_id),
            *(getattr(problem, name) for name in OF_PROBLEM),
            *(self.newest.number, self.newest.saved_at.isoformat(), bool(self.newest.submitted_at)),
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


class Bank:
    """Finds the problem that a row is about; three queries, however many rows."""

    def __init__(self, rows: Iterable[Row], terms: ImportTerms) -> None:
        self.terms = terms
        rows = [row for row in rows if not row.faults]
        own = [int(row.id[1:]) for row in rows if OUR_OWN_ID.fullmatch(row.id)]
        others = [row.id for row in rows if row.id and not OUR_OWN_ID.fullmatch(row.id)]
        wanted = Q(pk__in=own, published_id=None) | Q(published_id__in=others)
        if terms.person and terms.purpose == Import.Purpose.DRAFTS:
            keys = [make_form_key(row) for row in rows]
            wanted |= Q(author=terms.person, form_key__in=keys)
        person = terms.person
        visible = list_visible(person) if person else Problem.objects.all()
        problems = (
            Problem.objects.filter(wanted)
            .annotate(is_readable=Exists(visible.filter(pk=OuterRef("pk"))))
            .select_related("benchmark", "author")
            .prefetch_related("credits")
        )
        found = {one.pk: one for one in problems}
        revisions: dict[int, list[Revision]] = {pk: [] for pk in found}
        for revision in Revision.objects.filter(problem__in=found).order_by("number"):
            revisions[revision.problem_id].append(revision)
        self.by_name: dict[str, Present] = {}
        for pk, problem in found.items():
            if not revisions[pk]:
                continue
            is_readable: bool = problem.is_readable  # type: ignore[attr-defined]  # annotated above
            present = Present(problem, revisions[pk], is_readable)
            self.by_name[problem.identifier] = present
            if terms.person and problem.author_id == terms.person.pk and problem.form_key:
                self.by_name[problem.form_key] = present

    def find(self, row: Row) -> Present | None:
        return self.by_name.get(row.id) or self.by_name.get(make_form_key(row))


def make_form_key(row: Row) -> str:
    """
    Name a new draft after its row, so that the same file a second time finds it again.

    It is the id that its author gave it; without one, its title and statement.
    """
    told: list[Any] = [row.values.get("title"), row.values.get("statement")]
    text = json.dumps([row.id] if row.id else told, ensure_ascii=False)
    return f"import-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
