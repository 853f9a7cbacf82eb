"""What people fill in to comment on a passage, and to answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.fields import SourceField
from curation.problems.models import Revision
from curation.reviewing.discussion.actions import text_of
from curation.reviewing.discussion.models import PASSAGES, ThreadPart

LONGEST = 5_000
"""Characters of a comment."""


class ReplyForm(forms.Form):
    text = SourceField(label=gettext_lazy("Your reply"), max_length=LONGEST, classes="", rows=3)

    def clean_text(self) -> str:
        return refuse_nothing(self.cleaned_data["text"])


def refuse_nothing(text: str) -> str:
    if not text.strip():
        raise forms.ValidationError(_("Write something first."))
    return text


@dataclass(frozen=True, slots=True)
class Target:
    """What a comment is to be about: of a statement or a solution, a place in its source."""

    part: ThreadPart
    source: str = ""
    start: int = 0
    end: int = 0

    @classmethod
    def read(cls, data: Mapping[str, str], revision: Revision) -> "Target | None":
        """Read it from an address or a form; None where it is about nothing."""
        name = data.get("part", "")
        if name not in ThreadPart.values:
            return None
        part = ThreadPart(name)
        if part not in PASSAGES:
            return cls(part)
        numbers = [data.get("start", ""), data.get("end", "")]
        if not all(one.isascii() and one.isdigit() and len(one) < 7 for one in numbers):
            return None
        start, end = map(int, numbers)
        found = cls(part, text_of(revision, part), start, end)
        return found if found.quote.strip() else None

    @property
    def is_passage(self) -> bool:
        return self.part in PASSAGES

    @property
    def quote(self) -> str:
        return self.source[self.start : self.end]

    def narrow(self, quote: str) -> "Target | None":
        """Return the place of a shorter quote within this one; None where it is not there once."""
        wanted = quote.strip()
        if not wanted or self.quote.count(wanted) != 1:
            return None
        start = self.start + self.quote.index(wanted)
        return Target(self.part, self.source, start, start + len(wanted))


class CommentForm(forms.Form):
    """
    A comment, and of a passage its quote.

    Without a mouse one begins with a whole paragraph and shortens the quote.
    """

    quote = SourceField(
        label=gettext_lazy("The passage"),
        rows=3,
        help_text=gettext_lazy("Shorten it to the words you mean, without changing them."),
    )
    text = SourceField(
        label=gettext_lazy("Your message"),
        max_length=LONGEST,
        classes="",
        rows=4,
        help_text=gettext_lazy("Markdown, with formulas as $…$."),
    )

    def __init__(self, target: Target, data: Any = None) -> None:
        super().__init__(data, initial={"quote": target.quote}, auto_id="comment_%s")
        self.target = target
        if not target.is_passage:
            del self.fields["quote"]
        # Loaded into a page, it takes the focus.
        self.fields["text"].widget.attrs["autofocus"] = True

    def clean_text(self) -> str:
        return refuse_nothing(self.cleaned_data["text"])

    def clean_quote(self) -> str:
        quote: str = self.cleaned_data["quote"]
        narrowed = self.target.narrow(quote)
        if narrowed is None:
            raise forms.ValidationError(
                _("This quote is not in the text, or occurs more than once. Quote a little more.")
            )
        self.place = narrowed
        return quote

    def read(self) -> dict[str, Any]:
        """Return what `open_thread` takes."""
        place = self.place if self.target.is_passage else self.target
        text = self.cleaned_data["text"]
        return {"part": place.part, "text": text, "start": place.start, "end": place.end}
