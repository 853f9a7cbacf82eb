from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grading.metrics import Mean

register = template.Library()


@register.simple_tag
def mean(figure: Mean) -> SafeString | str:
    """Write a mean with its interval, or a dash where there is none."""
    if figure.value is None:
        return "–"
    value = f"{figure.value:.1f}"
    if figure.low is None or figure.high is None:
        return value
    return format_html(
        '<span class="mean">{} <span class="interval">({}–{})</span></span>',
        value,
        f"{figure.low:.1f}",
        f"{figure.high:.1f}",
    )
