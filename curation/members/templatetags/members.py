"""What pages of other apps say of somebody's roles."""

from typing import Any

from django import template

from curation.members.models import Request
from curation.members.permissions import list_requestable
from phybench.people.models import WHAT_A_ROLE_DOES, User

register = template.Library()


@register.simple_tag
def list_standing(user: User) -> list[tuple[Any, Any, Request | None]]:
    """List each role that `user` may ask for: what it does, and their last request for it."""
    last = {one.role: one for one in user.requests.exclude(role="").order_by("pk")}
    return [(role, WHAT_A_ROLE_DOES[role], last.get(role)) for role in list_requestable(user)]
