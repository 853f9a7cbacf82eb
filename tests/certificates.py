"""Certificates for problems: each answer is really tried, in the sandbox, once in a session."""

from dataclasses import replace
from typing import Any

from curation.problems.certificates import actions as certifying
from curation.problems.certificates.models import Certificate
from curation.problems.certificates.tasks import CERTIFYING
from curation.problems.checks import check
from curation.problems.declaring import declare_found
from curation.problems.models import Problem
from curation.texts.references.reference import Reference

NOT_COPIED = {"id", "problem"}
made: dict[Reference, dict[str, Any]] = {}


def declare(problem: Problem) -> Reference:
    """Have the newest text declare what it mentions, as before it is certified."""
    draft = problem.revisions.latest("number")
    if draft.answer.strip() and not draft.submitted_at:
        declare_found(draft, check(draft.answer, draft.statement, rows=draft.symbol_rows))
    return draft.reference


def give_certificate(problem: Problem) -> None:
    """Give the newest text what `certifying` makes of its answer, however often that is asked."""
    reference = declare(problem)
    if not reference.answer.strip():
        return
    # Here no statement's formulas have an answer read otherwise, and each trial takes a second.
    alike = replace(reference, statement="")
    if alike in made:
        of_this = {"statement": reference.statement, "reference_sha256": reference.sha256}
        Certificate.objects.create(problem=problem, **{**made[alike], **of_this})
        return
    certificate = CERTIFYING.claim(certifying.begin(problem, reference).pk)
    assert certificate is not None
    certifying.run(certificate)
    names = [field.name for field in Certificate._meta.fields if field.name not in NOT_COPIED]
    made[alike] = {name: getattr(certificate, name) for name in names} | {"lease_until": None}
