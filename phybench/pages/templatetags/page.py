"""What every page shows around its content."""

from dataclasses import dataclass

from django import template
from django.conf import settings
from django.forms import Form
from django.http import HttpRequest
from django.urls import ResolverMatch, resolve, reverse

from phybench.pages.places import ROOMS, SIDE_BY_SIDE, Tab, list_sections
from phybench.people.demo_people import list_demo_people, offers_demo_people
from phybench.people.http import read_scheme
from phybench.people.models import Role, User, UserQuerySet
from phybench_grader import GRADER_VERSION

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    label: str
    url: str
    is_current: bool


def _read_user(context: template.Context) -> User | None:
    """Read who looks; an error page has no request, and offers what is public."""
    user = getattr(context.get("request"), "user", None)
    return user if isinstance(user, User) else None


def _read_match(context: template.Context) -> ResolverMatch | None:
    return getattr(context.get("request"), "resolver_match", None)


def _find_address(context: template.Context, tab: Tab) -> str | None:
    """Find where a tab leads; None where that is of a benchmark, and there is none yet."""
    if not tab.of_benchmark:
        return reverse(tab.name)
    if place := context.get("place"):
        return reverse(tab.name, args=[place.slug])
    return reverse("board") if tab.name == "board_of" else None


@register.simple_tag(takes_context=True)
def list_rooms(context: template.Context) -> list[Place]:
    """List the rooms of the place that the viewer may enter, each by the first thing in it."""
    user = _read_user(context)
    match = _read_match(context)
    rooms = []
    for room in ROOMS:
        addresses = (_find_address(context, tab) for tab in room.list_tabs(user))
        if address := next(filter(None, addresses), None):
            rooms.append((room, address))
    keys = {room.key for room, _address in rooms}
    sections = list_sections(match.route) if match else ()
    current = next((one for one in sections if one in keys), "")
    return [Place(str(room.label), address, room.key == current) for room, address in rooms]


@register.simple_tag(takes_context=True)
def list_room_tabs(context: template.Context) -> dict[str, list[Place]]:
    """List what is in the room of the open page, where that page is one of it: `tabs`, `more`."""
    user = _read_user(context)
    match = _read_match(context)
    name = match.view_name if match else ""
    for room in ROOMS:
        tabs = room.list_tabs(user)
        if len(tabs) > 1 and any(tab.name == name for tab in tabs):
            places = [
                Place(str(tab.label), address, tab.name == name)
                for tab in tabs
                if (address := _find_address(context, tab))
            ]
            return {"tabs": places[:SIDE_BY_SIDE], "more": places[SIDE_BY_SIDE:]}
    return {"tabs": [], "more": []}


@register.simple_tag(takes_context=True)
def leads_elsewhere(context: template.Context, url: str) -> bool:
    """Tell whether an address lies in another room than the open page."""
    match = _read_match(context)
    there = list_sections(resolve(url.partition("?")[0]).route)
    return match is None or not set(there) & set(list_sections(match.route))


@register.simple_tag(takes_context=True)
def is_own_page(context: template.Context) -> bool:
    """Tell whether the open page is about the viewer: profile, roles, password, addresses."""
    match = _read_match(context)
    return match is not None and "profile" in list_sections(match.route)


@register.simple_tag(takes_context=True)
def scheme(context: template.Context) -> str:
    """Name the look that the reader chose: "light", "dark", or none."""
    # A page of an error of ours is made of no request.
    request = context.get("request")
    return read_scheme(request) if request else ""


@register.simple_tag
def version() -> str:
    return settings.VERSION


@register.simple_tag
def grader_version() -> str:
    return GRADER_VERSION


@register.filter
def has_role(user: object, role: str) -> bool:
    """Tell whether `user` holds the role named `role`; nobody signed in holds none."""
    return isinstance(user, User) and user.has_role(Role(role))


@register.simple_tag
def emails_are_printed() -> bool:
    """Tell whether e-mails go to the terminal, so that pages can say where to look."""
    return settings.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend"


@register.simple_tag(takes_context=True)
def demo_people(context: template.Context) -> UserQuerySet | None:
    """List as whom the viewer may sign in by one click, where they may."""
    request: HttpRequest | None = context.get("request")
    return list_demo_people() if request and offers_demo_people(request) else None


@register.filter
def count_errors(form: Form) -> int:
    """Count what there is to fix in a form: a field can have several errors."""
    return sum(len(messages) for messages in form.errors.values())
