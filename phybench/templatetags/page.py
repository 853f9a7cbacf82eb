"""What every page shows around its content."""

from dataclasses import dataclass

from django import template
from django.conf import settings
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from grading.expressions import GRADER_VERSION
from phybench import VERSION
from phybench.models import Role, User

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
                # An admin, who has the most places, finds it at home and beside submissions.
                places.append((_("Contests"), "grading:contests", "contests"))
            places.append((_("Judges"), "grading:judge_runs", "judges"))
        if user.has_role(Role.ADMIN):
            places.append((_("Endpoints"), "grading:endpoints", "endpoints"))
            places.append((_("People"), "curation:members", "people"))
    current = _find_section(request)
    return [Place(label, reverse(name), section == current) for label, name, section in places]


def _name_reviews(user: User) -> str:
    """Name the queue, with how many reviews somebody is assigned."""
    count = user.assignments.open().count() if user.has_role(Role.REVIEWER) else 0
    return _("Reviews (%(count)d)") % {"count": count} if count else _("Reviews")


def _find_section(request: HttpRequest | None) -> str:
    match = getattr(request, "resolver_match", None)
    if match is None:
        return ""
    sections = {
        "board_of": "board",
        **dict.fromkeys(("versions", "version", "draft_version", "draw_hidden"), "board"),
        **dict.fromkeys(("publish_version", "withdraw_item"), "board"),
        **dict.fromkeys(("audits", "audit", "new_audit"), "board"),
        **dict.fromkeys(("trust", "board_report", "sent_report"), "board"),
        **dict.fromkeys(("reported", "new_reported", "import_reported"), "board"),
        "withdraw_reported": "board",
        **dict.fromkeys(("label_audit", "adjudicate_audit"), "board"),
        **dict.fromkeys(("first_errors", "first_error_sample"), "board"),
        **dict.fromkeys(("label_first_error", "adjudicate_first_error"), "board"),
        "new_first_error_sample": "board",
        "queue": "review",
        "review": "review",
        "review_draft": "review",
        "new_comment": "review",
        **dict.fromkeys(("decline", "assign", "assignments", "assignment_list"), "review"),
        **dict.fromkeys(("distribute", "assignment_plan", "revoke", "conflicts"), "review"),
        **dict.fromkeys(("members", "member", "deactivate", "role_requests"), "people"),
        **dict.fromkeys(("person_changes", "invitations", "invite"), "people"),
        **dict.fromkeys(("benchmarks", "benchmark", "new_benchmark", "edit_benchmark"), "board"),
        **dict.fromkeys(("my_roles", "my_institution", "reviewing_profile"), "profile"),
        "invitation": "invitation",
        "to_answer": "answer",
        **dict.fromkeys(
            ("studies", "study", "new_study", "edit_study", "study_results"), "studies"
        ),
        **dict.fromkeys(("study_asked", "study_late", "study_pool"), "studies"),
        **dict.fromkeys(("preview_join", "preview_practice", "preview_session"), "studies"),
        **dict.fromkeys(("sittings", "join", "practise", "start", "session"), "studies"),
        **dict.fromkeys(
            ("letters", "letters_off", "withdraw_from_study", "debrief", "repairs"), "studies"
        ),
        "hand_in": "studies",
        "answer": "answer",
        **dict.fromkeys(("endpoints", "endpoint", "new_endpoint", "edit_endpoint"), "endpoints"),
        **dict.fromkeys(("contests", "contests_to_rule", "contest"), "contests"),
        **dict.fromkeys(("trials", "trial_answer"), "curation"),
        **dict.fromkeys(("judge_runs", "judge_run", "new_judge_run", "judgement"), "judges"),
        **dict.fromkeys(("judge_files", "judge_file"), "judges"),
        **dict.fromkeys(("judge_prompts", "judge_prompt", "rulings", "rule"), "judges"),
        **dict.fromkeys(("rulings_given", "label_files", "label_file", "calibration"), "judges"),
        **dict.fromkeys(("disagreements", "disagreement", "agreement"), "review"),
        **dict.fromkeys(("pipelines", "pipeline", "new_pipeline", "delete_pipeline"), "review"),
        **dict.fromkeys(("stage", "new_stage", "delete_stage"), "review"),
        # These are below every page, or on one's profile.
        "contributors": "contributors",
        "my_contributions": "contributors",
    }
    name = str(match.url_name)
    return sections.get(name) or match.app_name or name


@register.simple_tag
def version() -> str:
    return VERSION


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


@register.filter
def count_errors(form: Form) -> int:
    """Count what there is to fix in a form: a field can have several errors."""
    return sum(len(messages) for messages in form.errors.values())
