"""What pages say of a certificate."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from curation.problems.certificates.models import OWN_CASES, Certificate
from curation.texts.records import CONFIRMATION
from curation.texts.sentences import translate
from phybench_grader.authoring.certificate import CASE_KINDS
from phybench_grader.numbers.sentences import Sentence

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
        "blamed": say_what_failed(certificate),
        "left_out": [
            (_name_kind(one["kind"]), translate(Sentence(one["reason"])))
            for one in certificate.left_out
        ],
        "confirmation": gettext(CONFIRMATION),
    }


def say_what_failed(certificate: Certificate) -> str:
    """Say what to change of an answer whose certificate failed: the answer, or an example."""
    if certificate.failed_of == {"author"}:
        return gettext(
            "An example of yours contradicts the reference answer, so this can’t be submitted. "
            "Correct the example, or the answer if the example is right."
        )
    if "author" in certificate.failed_of:
        return gettext(
            "The grader does not take this answer as it should, and an example of yours "
            "contradicts it, so this can’t be submitted. The table says what failed."
        )
    return gettext(
        "The grader does not grade this answer as it should, so it can’t be submitted. "
        "Write it in another way; the table shows what failed."
    )


def _say_what_is_wrong(row: dict[str, Any]) -> str:
    """Say what is wrong with an author's example that failed."""
    if row["outcome"] != Certificate.Outcome.FAILED or row["kind"] not in OWN_CASES:
        return ""
    if row["kind"] == "must_reject":
        return gettext(
            "You listed this as wrong, but it has the value of the reference answer: remove it, or "
            "correct it."
        )
    if row.get("reason"):
        return gettext("You listed this as right, but it can’t be read: write it in another way.")
    return gettext(
        "You listed this as right, but its value is not that of the reference answer: correct it, "
        "or the answer."
    )


def _name_kind(kind: str) -> str:
    return gettext(CASE_KINDS[kind]) if kind in CASE_KINDS else kind


def _read_row(row: dict[str, Any]) -> CaseShown:
    outcome = row["outcome"]
    said = translate(Sentence.read(row["message"])) if row.get("message") else ""
    return CaseShown(
        kind=_name_kind(row["kind"]),
        text=row["text"],
        is_to_be_accepted=row["expected"] == "ACCEPTED",
        outcome=outcome,
        outcome_label=str(Certificate.Outcome(outcome).label) if outcome else "",
        eed=row.get("eed"),
        message=" ".join(filter(None, (_say_what_is_wrong(row), said))),
    )
