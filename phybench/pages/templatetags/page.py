"""What every page shows around its content."""

from dataclasses import dataclass

from django import template
from django.conf import settings
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from phybench.people.demo_people import list_demo_people, offers_demo_people
from phybench.people.models import Role, User, UserQuerySet
from phybench_grader import GRADER_VERSION

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    label: str
    url: str
    is_current: bool


@register.simple_tag(takes_context=True)
def list_places(context: template.Context) -> list[Place]:
    """List where the viewer may go. An error page has no request; it offers what is public."""
    request: HttpRequest | None = context.get("request")
    user = getattr(request, "user", None)
    places = [(_("Board"), "board", "board")]
    if isinstance(user, User):
        places = [
            (_("Home"), "home", "home"),
            *places,
            (_("Problems"), "curation:problems", "curation"),
        ]
        if user.has_role(Role.REVIEWER) or user.has_role(Role.ADMIN):
            places.append((_name_reviews(user), "curation:queue", "review"))
        if user.has_role(Role.PARTICIPANT):
            places.append((pgettext("verb", "Answer"), "grading:to_answer", "answer"))
            places.append((_("Studies"), "grading:sittings", "studies"))
        if user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN):
            places.append((_("Submissions"), "grading:submissions", "grading"))
            if not user.has_role(Role.ADMIN):
                # An admin, who has the most places, finds it at home and beside submissions, and
                # studies at home.
                places.append((_("Contests"), "grading:contests", "contests"))
            places.append((_("Judges"), "grading:judge_runs", "judges"))
        if user.has_role(Role.ADMIN):
            places.append((_("Endpoints"), "grading:endpoints", "endpoints"))
            places.append((_("People"), "curation:members", "people"))
    has_place = {section for _label, _name, section in places}
    current = next((one for one in list_sections(request) if one in has_place), "")
    return [Place(label, reverse(name), section == current) for label, name, section in places]


@register.simple_tag(takes_context=True)
def is_own_page(context: template.Context) -> bool:
    """Tell whether the open page is about the viewer: profile, roles, password, addresses."""
    return "profile" in list_sections(context.get("request"))


def _name_reviews(user: User) -> str:
    """Name the queue, with how many reviews somebody is assigned."""
    count = user.assignments.open().count() if user.has_role(Role.REVIEWER) else 0
    return _("Reviews (%(count)d)") % {"count": count} if count else _("Reviews")


SECTIONS = {
    **dict.fromkeys(("", "boards", "benchmarks", "audits", "first-errors", "reported"), ("board",)),
    # A published model or its receipt is reached from the board by those who have no submissions.
    **dict.fromkeys(("solvers", "submissions"), ("grading", "board")),
    **dict.fromkeys(("attempts", "drafts", "keys", "model-runs", "regrades"), ("grading",)),
    "organisations": ("grading",),
    # A participant contests a grade of an own answer.
    "contests": ("contests", "grading", "answer"),
    "judges": ("judges",),
    "endpoints": ("endpoints",),
    **dict.fromkeys(("problems", "imports", "downloads", "exposures", "trials"), ("curation",)),
    # The reporter of an error may have no account.
    "reports": ("curation", "board"),
    **dict.fromkeys(("reviews", "assignments", "conflicts", "comments", "repairs"), ("review",)),
    **dict.fromkeys(("agreement", "disagreements", "pipelines", "stages"), ("review",)),
    **dict.fromkeys(("people", "invitations", "requests"), ("people",)),
    **dict.fromkeys(("home", "jobs"), ("home",)),
    "answer": ("answer",),
    **dict.fromkeys(("studies", "sessions"), ("studies",)),
    **dict.fromkeys(("profile", "accounts"), ("profile",)),
}
"""Where an address belongs by how it begins: the first of these that a viewer has a place for."""


def list_sections(request: HttpRequest | None) -> tuple[str, ...]:
    """List the sections that the open page can be shown in; an error page may be of none."""
    match = getattr(request, "resolver_match", None)
    return SECTIONS.get(match.route.partition("/")[0], ()) if match else ()


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
