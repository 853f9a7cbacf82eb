"""Error reports: those that an admin is to decide, and those on one's own problems."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.models import Problem
from curation.problems.wording import name_in
from curation.reports.models import ErrorReport, ErrorReportQuerySet
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_to_decide(user: User) -> Iterator[Line]:
    found = ErrorReport.objects.open().filter(outcome="")
    if first := found.order_by("reported_at", "pk").first():
        count = found.count()
        text = ngettext(
            "%(count)d error report to decide.", "%(count)d error reports to decide.", count
        )
        address = reverse("curation:reports") + "?stand=new"
        if count == 1:
            address = first.get_absolute_url()
        action = _("Decide it") if count == 1 else _("Decide them")
        yield Line(Urgency.SOON, text % {"count": count}, action, address, count, first.reported_at)


@desk_lines(Role.CONTRIBUTOR)
def list_reported(reader: User) -> Iterator[Line]:
    """Tell which problems of somebody's own are reported by others, until it is decided."""
    found: ErrorReportQuerySet = (
        ErrorReport.objects.open()
        .filter(outcome="", revision__problem__in=Problem.objects.of(reader))
        .exclude(reporter=reader)
        .order_by("reported_at", "pk")
    )
    if first := found.select_related("revision__problem").first():
        count = found.count()
        text = ngettext(
            "%(count)d error report on your problems.",
            "%(count)d error reports on your problems.",
            count,
        )
        said, address = text % {"count": count}, reverse("curation:reports") + "?stand=new"
        if count == 1 and first.revision:
            one = _("An error was reported in “%(title)s”.")
            said, address = name_in(one, first.revision.problem), first.get_absolute_url()
        action = _("Read it") if count == 1 else _("Read them")
        yield Line(Urgency.SOON, said, action, address, count, first.reported_at)
