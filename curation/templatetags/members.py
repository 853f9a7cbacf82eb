"""What pages of other apps say of somebody's roles."""

from django import template

from curation.members import requests
from curation.members.models import RoleRequest
from phybench.models import WHAT_A_ROLE_DOES, Role, User

register = template.Library()


@register.simple_tag
def list_standing(user: User) -> list[tuple[Role, str, RoleRequest | None, bool]]:
    """List each role that `user` may ask for, what it does, their request, and if they may now."""
    return [
        (role, str(WHAT_A_ROLE_DOES[role]), asked, is_askable)
        for role, asked, is_askable in requests.list_standing(user)
    ]
