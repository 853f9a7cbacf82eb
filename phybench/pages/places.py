"""
The place: the rooms of a benchmark as the header names them, what is inside each, and for whom.

All by the names of addresses. A room is shown to who may open something in it, and leads to the
first of that. What only an admin of one benchmark needs is not asked for here: roles are global.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from phybench.people.models import Role, User

SIDE_BY_SIDE = 3
"""Tabs of a room; what follows is behind “More”."""


@dataclass(frozen=True, slots=True)
class Tab:
    label: Promise
    name: str
    """Of its address."""
    roles: tuple[Role, ...] = ()
    """Who may open it; empty: all who have an account."""
    of_benchmark: bool = False
    """Whether its address takes the slug of a benchmark."""
    visitors: bool = False
    members: bool = True

    def is_for(self, user: User | None) -> bool:
        if user is None:
            return self.visitors
        return self.members and (not self.roles or any(map(user.has_role, self.roles)))


@dataclass(frozen=True, slots=True)
class Room:
    key: str
    label: Promise
    tabs: tuple[Tab, ...]

    def list_tabs(self, user: User | None) -> list[Tab]:
        return [tab for tab in self.tabs if tab.is_for(user)]


ADMIN = (Role.ADMIN,)
REVIEWS = (Role.REVIEWER, Role.ADMIN)
SUBMITS = (Role.EVALUATOR, Role.ADMIN)
ANSWERS = (Role.PARTICIPANT,)

ROOMS = (
    Room("overview", _("Overview"), (Tab(_("Overview"), "curation:overview", of_benchmark=True),)),
    Room(
        "problems",
        _("Problems"),
        (
            Tab(_("Problems"), "curation:problems", of_benchmark=True),
            Tab(_("Problems"), "items", of_benchmark=True, visitors=True, members=False),
        ),
    ),
    Room(
        "review",
        _("Review"),
        (
            Tab(_("Queue"), "curation:queue", REVIEWS, of_benchmark=True),
            Tab(_("Who reviews what"), "curation:assignments", ADMIN, of_benchmark=True),
            Tab(_("Error reports"), "curation:reports", ADMIN),
            Tab(_("Contested grades"), "grading:contests", ADMIN),
            Tab(_("Reference answers in doubt"), "grading:keys", ADMIN),
            Tab(_("Check samples"), "grading:audits", ADMIN),
            Tab(_("First errors"), "grading:first_errors", ADMIN),
            Tab(_("Regrades"), "grading:regrades", ADMIN),
        ),
    ),
    Room(
        "models",
        _("Models"),
        (
            Tab(_("Submissions"), "grading:submissions", SUBMITS),
            Tab(_("Judges"), "grading:judge_runs", SUBMITS),
            Tab(_("Teams"), "grading:organisations", SUBMITS),
            Tab(_("Contests"), "grading:contests", (Role.EVALUATOR,)),
            Tab(_("Endpoints"), "grading:endpoints", ADMIN),
            Tab(_("Scores reported elsewhere"), "grading:reported", ADMIN),
        ),
    ),
    Room(
        "baseline",
        _("Human baseline"),
        (
            Tab(_("Your studies"), "grading:sittings", ANSWERS),
            Tab(_("Your answers"), "grading:to_answer", ANSWERS),
            Tab(_("All studies"), "grading:studies", ADMIN),
        ),
    ),
    Room(
        "board",
        _("Board"),
        (Tab(_("Board"), "board_of", of_benchmark=True, visitors=True),),
    ),
    Room(
        "about",
        _("About"),
        (Tab(_("How grading works"), "how_grading_works", visitors=True, members=False),),
    ),
    Room(
        "settings",
        _("Settings"),
        (
            Tab(_("Benchmark"), "curation:edit_benchmark", ADMIN, of_benchmark=True),
            Tab(_("Review"), "curation:review_settings", ADMIN, of_benchmark=True),
            Tab(_("Members"), "curation:members", ADMIN),
            Tab(_("Versions"), "curation:versions", ADMIN, of_benchmark=True),
            Tab(_("New benchmark"), "curation:new_benchmark", ADMIN),
            Tab(_("Records"), "curation:records", ADMIN),
        ),
    ),
)

_MODELS = ("models", "board")
BEGINNINGS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("", "b", "reported", "items"), ("board",)),
    **dict.fromkeys(("overview", "home", "inbox", "jobs"), ("overview",)),
    **dict.fromkeys(("problems", "p", "trials"), ("problems",)),
    "how-grading-works": ("about",),
    # The reporter of an error may have no account.
    "reports": ("review", "problems", "board"),
    **dict.fromkeys(("review", "r", "repairs"), ("review",)),
    **dict.fromkeys(("audits", "keys", "regrades"), ("review", "models")),
    # Where models first go wrong is told of a board.
    "first-errors": ("review", "models", "board"),
    # A participant contests a grade of an own answer.
    "contests": ("review", "models", "baseline"),
    # A published model or its receipt is reached from the board by those who have no submissions.
    **dict.fromkeys(("solvers", "submissions"), ("models", "board")),
    **dict.fromkeys(("attempts", "drafts", "model-runs"), ("models", "baseline")),
    **dict.fromkeys(("organisations", "judges", "endpoints"), ("models",)),
    **dict.fromkeys(("answer", "studies", "sessions"), ("baseline",)),
    **dict.fromkeys(("settings", "benchmarks"), ("settings",)),
    "versions": ("settings", "board"),
    **dict.fromkeys(("people", "records"), ("settings",)),
    **dict.fromkeys(("me", "accounts"), ("profile",)),
}
"""The rooms that an address may lie in, by how it begins: of these the first that a viewer has."""
OF_BENCHMARK = "b/<slug:slug>/"


def list_sections(route: str) -> tuple[str, ...]:
    """
    List the rooms that an address may lie in.

    >>> list_sections("b/<slug:slug>/overview/"), list_sections("b/<slug:slug>/eed/")
    (('overview',), ('board',))
    """
    if route.startswith(OF_BENCHMARK):
        within = BEGINNINGS.get(route.removeprefix(OF_BENCHMARK).partition("/")[0])
        return within or ("board",)
    return BEGINNINGS.get(route.partition("/")[0], ())
