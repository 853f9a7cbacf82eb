"""The symbols that a text mentions, declared as it is submitted."""

from curation.problems.checks import Checked
from curation.problems.models import Revision


def declare_found(draft: Revision, checked: Checked) -> None:
    """Declare what the answer and the statement mention, as it stands when it is submitted."""
    draft.symbols = [row.store() for row in checked.fill(draft.symbol_rows, draft.left_out)]
    # Not by `save`: no other window has to be told that its draft is an older one.
    Revision.objects.filter(pk=draft.pk).update(symbols=draft.symbols)
