"""What every template may use between sentences."""

from django import template
from django.utils.translation import get_language

register = template.Library()


@register.simple_tag
def gap() -> str:
    """Return what follows the end of a sentence; in Chinese nothing, as its sign is wide enough."""
    return "" if (get_language() or "").startswith("zh") else " "
