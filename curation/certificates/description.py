"""What pages say of a certificate."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from curation.certificates.actions import CONFIRMATION
from curation.certificates.models import Certificate
from curation.references.sentences import translate
from grading.expressions import CASE_KINDS, Sentence

FIRST = (Certificate.Outcome.FAILED, Certificate.Outcome.OPEN)
"""What there is something to do about, before the rest."""


@dataclass(frozen=True, slots=True)
class CaseShown:
    """One case in a table."""

    kind: str
    text: str
    is_to_be_accepted: bool
    outcome: str
    outcome_label: str
    eed: float | None
    message: str


def describe(certificate: Certificate | None) -> dict[str, Any]:
    """Return what the editor’s `certificate` and `_certificate_rows.html` need."""
    if certificate is None:
        return {"certificate": None}
    lines = [_read_row(row) for row in certificate.rows]
    lines.sort(key=lambda line: FIRST.index(line.outcome) if line.outcome in FIRST else len(FIRST))
    return {
        "certificate": certificate,
        "lines": lines,
        "left_out": [
            (_name_kind(one["kind"]), translate(Sentence(one["reason"])))
            for one in certificate.left_out
        ],
        "confirmation": gettext(CONFIRMATION),
    }


def _name_kind(kind: str) -> str:
    return gettext(CASE_KINDS[kind]) if kind in CASE_KINDS else kind


def _read_row(row: dict[str, Any]) -> CaseShown:
    outcome = row["outcome"]
    return CaseShown(
        kind=_name_kind(row["kind"]),
        text=row["text"],
        is_to_be_accepted=row["expected"] == "ACCEPTED",
        outcome=outcome,
        outcome_label=str(Certificate.Outcome(outcome).label) if outcome else "",
        eed=row.get("eed"),
        message=translate(Sentence.read(row["message"])) if row.get("message") else "",
    )
