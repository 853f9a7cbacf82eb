from decimal import Decimal
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from grading import sentences
from grading.answers import responses
from grading.judges.kinds.kind import JudgeKind
from grading.judging import words
from grading.solvers.models import Description
from grading.statistics.agreement import Figure, Interval
from grading.statistics.metrics import Mean

register = template.Library()
A_CENT = Decimal("0.01")


@register.simple_tag
def mean(figure: Mean, why: str = "") -> SafeString | str:
    """Write a mean with its interval, or a dash where there is none, with the reason if given."""
    if figure.value is None:
        return format_html('– <span class="muted small">({})</span>', why) if why else "–"
    value = f"{figure.value:.1f}"
    if figure.low is None or figure.high is None:
        return value
    return format_html(
        '<span class="mean">{} <span class="interval">({}–{})</span></span>',
        value,
        f"{figure.low:.1f}",
        f"{figure.high:.1f}",
    )


@register.filter
def said(text: object) -> str:
    """Say what a judge, a call or the grader says in the language of the page."""
    return sentences.translate(text)


@register.simple_tag
def kappa(figure: Figure, interval: Interval | None = None) -> SafeString:
    """Write a kappa, with its interval if given, or a dash with the reason."""
    if figure.value is None:
        why = (
            _("all said the same, so chance explains it all")
            if figure.count
            else _("nothing to compare")
        )
        return format_html('– <span class="muted small">({})</span>', why)
    value = _write_signed(figure.value)
    if interval is None or interval.low is None or interval.high is None:
        return format_html("{}", value)
    ends = {"low": _write_signed(interval.low), "high": _write_signed(interval.high)}
    return format_html(
        '<span class="mean">{} <span class="interval">({})</span></span>',
        value,
        _("%(low)s to %(high)s") % ends,
    )


def _write_signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


@register.filter
def money(amount: Decimal | None) -> str:
    """
    Write an amount with two decimals, or with as many as say something of a small one.

    >>> money(Decimal("1234.5000")), money(Decimal("0.262984")), money(Decimal("0.00035"))
    ('1,234.50', '0.263', '0.00035')
    """
    if amount is None:
        return "∞"
    whole, _point, part = f"{amount:,.{4 if amount >= A_CENT else 6}f}".partition(".")
    return f"{whole}.{part.rstrip('0').ljust(2, '0')}"


@register.filter
def percent(share: float) -> str:
    """Write a share of 1 in per cent."""
    return f"{100 * share:.1f}"


@register.simple_tag
def say_verdict(kind: JudgeKind[Any], is_right: bool | None, value: float) -> str:
    """Say a verdict of a kind of judge in a few words."""
    return _(kind.says[0 if is_right else 1]) % {"value": floatformat(value, -1)}


@register.filter
def kind_of_model(kind: str) -> str:
    return str(Description.Kind(kind).label)


register.filter("meaning", words.say)
register.filter("is_formula", responses.is_formula)
register.filter("mark_boxes", responses.mark_boxes)
register.filter("way", words.say_path)
register.filter("rule_words", words.say_rule)
register.filter("purpose_words", words.say_purpose)
