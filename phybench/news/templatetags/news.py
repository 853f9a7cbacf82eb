"""What every page tells an admin of a benchmark that is being set up."""

from django import template

from phybench.news.desks.desks import read_count
from phybench.news.desks.lines import SetupStep
from phybench.news.desks.registry import find_next_step
from phybench.people.models import Role, User

register = template.Library()


@register.simple_tag(takes_context=True)
def kept_count(context: template.Context) -> int | None:
    """Return how much waits for the viewer; None where that has to be counted."""
    user = getattr(context.get("request"), "user", None)
    return read_count(user) if isinstance(user, User) else None


@register.simple_tag(takes_context=True)
def next_step(context: template.Context) -> SetupStep | None:
    """Find what an admin does next; None where all is done, and for who is no admin."""
    user = getattr(context.get("request"), "user", None)
    place = context.get("place")
    if not place or not isinstance(user, User) or not user.has_role(Role.ADMIN):
        return None
    return find_next_step(place.slug, place.put_off)
