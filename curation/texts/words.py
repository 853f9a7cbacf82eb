"""What each field of an exported file says, for whoever chooses among them."""

from typing import Any

from django.utils.translation import gettext_lazy as _

EXPORTED_WORDS: dict[str, Any] = {
    "id": _("identifier of the problem"),
    "title": _("title"),
    "domain": _("domain of physics"),
    "difficulty": _("difficulty"),
    "statement": _("statement, in Markdown"),
    "quantity": _("the quantity that is asked for"),
    "unit": _("unit of the answer"),
    "terms": _("symbols that the answer may contain"),
    "conditions": _("relations between the symbols"),
    "answer": _("reference answer, in LaTeX"),
    "symbols": _("table of symbols"),
    "must_accept": _("answers that must be accepted"),
    "must_reject": _("answers that must be rejected"),
    "solution": _("solution, in Markdown"),
    "adaptation": _("how far it is adapted"),
    "source": _("what it is adapted from"),
    "benchmark": _("benchmark"),
    "status": _("status"),
    "revision": _("number of the revision"),
    "author": _("author"),
    "broken_rules": _("rules that the reference answer breaks"),
    "errata": _("errors that were corrected"),
}
