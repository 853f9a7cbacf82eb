"""Error reports: those that an admin is to decide, and those on one's own problems."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from curation.problems.models import Problem
from curation.problems.wording import name_in
from curation.reports.models import ErrorReport, ErrorReportQuerySet
from phybench.news.desks.counting import Counted
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_to_decide(user: User) -> Iterator[Line]:
    text = ngettext_lazy(
        "%(count)d error report to decide.", "%(count)d error reports to decide.", "count"
    )
    actions = _("Decide it"), _("Decide them")
    return _tell(ErrorReport.objects.open(), text, actions)


@desk_lines(Role.CONTRIBUTOR)
def list_reported(reader: User) -> Iterator[Line]:
    """Tell which problems of somebody's own are reported by others, until it is decided."""
    of_theirs = ErrorReport.objects.open().filter(revision__problem__in=Problem.objects.of(reader))
    text = ngettext_lazy(
        "%(count)d error report on your problems.",
        "%(count)d error reports on your problems.",
        "count",
    )
    actions, said = (_("Read it"), _("Read them")), _("An error was reported in “%(title)s”.")
    return _tell(of_theirs.exclude(reporter=reader), text, actions, said)


def _tell(
    found: ErrorReportQuerySet, text: Counted, actions: tuple[str, str], of_the_only: str = ""
) -> Iterator[Line]:
    """Lead to those that are not decided; to the report itself where it is the only one."""
    found = found.filter(outcome="").order_by("reported_at", "pk")
    if first := found.select_related("revision__problem").first():
        count = found.count()
        said, address = text % {"count": count}, reverse("curation:reports") + "?stand=new"
        if count == 1:
            address = first.get_absolute_url()
            if of_the_only and first.revision:
                said = name_in(of_the_only, first.revision.problem)
        yield Line(Urgency.SOON, said, actions[count > 1], address, count, first.reported_at)
