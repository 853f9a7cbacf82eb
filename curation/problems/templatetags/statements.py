"""Show what people wrote."""

from collections.abc import Iterable

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from curation.problems.models import Problem
from curation.problems.wording import mark_title
from curation.texts import stage_texts as texts
from curation.texts.rendering import render_line, render_markdown
from curation.texts.sentences import translate
from curation.texts.units import set_unit
from phybench_grader.numbers.sentences import RULES, Sentence
from phybench_grader.reading.transcript import plain

register = template.Library()


@register.filter
def statement(text: str) -> SafeString:
    """Render Markdown with mathematics, of a statement, a solution or a comment."""
    return render_markdown(text)


@register.filter
def titled(problem: Problem) -> SafeString:
    """Write a problem's title as words of its language."""
    return mark_title(problem)


@register.filter
def line(text: str) -> SafeString:
    """Render one line with mathematics, such as a message of the reader."""
    return render_line(str(text))


@register.filter
def formula(latex: str) -> SafeString:
    """Set a formula in LaTeX, within a sentence."""
    return format_html('<span data-tex="{}">{}</span>', latex, latex)


@register.filter
def unit(typed: str) -> SafeString:
    """Set a unit upright, with its powers raised."""
    return format_html('<span class="unit">{}</span>', set_unit(typed))


@register.filter
def formulas(listed: Iterable[str]) -> SafeString:
    """Set formulas with commas between them."""
    return format_html_join(", ", "{}", ((formula(one),) for one in listed))


@register.filter
def sentence(said: object) -> str:
    """Say what the grader says in the language of the page."""
    return translate(said)


@register.filter
def recorded(message: Sentence) -> str:
    """Say what the app wrote into a history; a stage that we ship is named in the language too."""
    values = tuple(
        (name, texts.say(value) if name == "stage" and isinstance(value, str) else value)
        for name, value in message.values
    )
    return translate(Sentence(message.code, values))


@register.filter
def own_words(text: str) -> SafeString:
    """Mark what a person typed in a language that is not known, within a page's own sentence."""
    return format_html('<span lang="">{}</span>', text)


@register.filter
def rule(code: str) -> str:
    """Say what a rule asks for; one that is no more is shown by its code."""
    return gettext(RULES[code]) if code in RULES else code


@register.filter
def phrase(marked: str) -> str:
    """Say what the core marked for translators."""
    return gettext(marked)


@register.simple_tag
def underline(text: str, start: int, end: int) -> SafeString:
    """Show `text` as it was typed with the place from `start` to `end` marked."""
    before, place, after = text[:start], text[start:end], text[end:]
    marked = f"<mark>{escape(place or ' ')}</mark>"
    return mark_safe(f"{escape(before)}{marked}{escape(after)}")


AROUND = 40


@register.simple_tag
def underline_near(text: str, start: int, end: int) -> SafeString:
    """Show the marked place with a few words around it, of a text too long to show whole."""
    first, last = max(0, start - AROUND), min(len(text), end + AROUND)
    marked = underline(text[first:last], start - first, end - first)
    return format_html("{}{}{}", "… " if first else "", marked, " …" if last < len(text) else "")


@register.filter
def is_tex(text: str) -> bool:
    """Tell LaTeX from what is typed as on paper: `2*pi*sqrt(m/k)` is read best as it stands."""
    return "\\" in text or "$" in text


@register.filter
def unmarked(typed: str) -> str:
    """Write what was read as it was typed without the marks on what was implied."""
    return plain(typed)


@register.filter
def bare_tex(text: str) -> str:
    """Return an answer's TeX without the dollar signs or brackets that it may be written in."""
    text = text.strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)")):
        inner = text[len(opening) : -len(closing)]
        if text.startswith(opening) and text.endswith(closing) and opening not in inner:
            return inner.strip()
    return text
