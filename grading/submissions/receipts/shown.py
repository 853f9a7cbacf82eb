"""The figures of a receipt, as its page lays them out."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from grading.submissions.receipts.making import LEFT_TO_A_PERSON
from grading.submissions.receipts.receipt import Receipt, ReceiptMean, ReceiptScores
from grading.submissions.results import reasons

Column = tuple[str, ReceiptScores]
Row = tuple[str, list[tuple[str, str]]]


def list_columns(receipt: Receipt) -> list[Column]:
    if receipt.corrected is None:
        return [(_("All problems"), receipt.as_published)]
    return [
        (_("As published"), receipt.as_published),
        (_("Without problems withdrawn later"), receipt.corrected),
    ]


def list_rows(columns: Iterable[Column]) -> list[Row]:
    """List the figures, each with its value in each column."""
    columns = list(columns)
    counts = (
        (_("Problems"), "problems"),
        (_("Answers"), "answers"),
        (_("Samples of a problem"), "samples"),
        (_("Correct"), "correct"),
        (_("Partial"), "similar"),
        (_("Incorrect"), "incorrect"),
        (_("Unreadable"), "unreadable"),
        (_("Missing"), "missing"),
        (_("Not graded"), "not_graded"),
    )
    rows = [
        (label, [(column, str(getattr(scores, name))) for column, scores in columns])
        for label, name in counts
    ]
    means = ((_("Mean EED"), "eed"), (_("Accuracy, %"), "accuracy"))
    return [
        *(
            (label, [(column, _write_mean(getattr(scores, name))) for column, scores in columns])
            for label, name in means
        ),
        *rows,
    ]


def list_reasons(receipt: Receipt) -> list[tuple[str, list[tuple[str, int]]]]:
    """List why answers have no verdict that counts, where that is told."""
    scores = receipt.as_published
    told = (
        (_("Unreadable, by reason:"), scores.unreadable_by_reason),
        (_("Not graded, by reason:"), scores.not_graded_by_reason),
    )
    return [
        (label, [(_say(reason), count) for reason, count in counts.items()])
        for label, counts in told
        if counts
    ]


def _say(reason: str) -> str:
    return _("left to a person") if reason == LEFT_TO_A_PERSON else reasons.say(reason)


def _write_mean(mean: ReceiptMean) -> str:
    if mean.least is not None and mean.most is not None and mean.most > mean.least:
        return f"{mean.least:.1f}–{mean.most:.1f}"
    if mean.value is None:
        return "–"
    if mean.low is None or mean.high is None:
        return f"{mean.value:.1f}"
    return f"{mean.value:.1f} ({mean.low:.1f}–{mean.high:.1f})"
