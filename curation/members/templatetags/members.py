"""What pages of other apps say of somebody's roles."""

from django import template

from curation.members import requests
from phybench.people.models import User

register = template.Library()


@register.simple_tag
def list_standing(user: User) -> list[requests.Standing]:
    """List each role that `user` may ask for, with how their request stands."""
    return requests.list_standing(user)
