"""E-mails about studies that could not be sent."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from grading.studies.letters.models import Letter
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_failed(user: User) -> Iterator[Line]:
    """Tell of e-mails of open studies that could not be sent."""
    found = Letter.objects.failed().filter(study__opened_at__isnull=False, study__ended_at=None)
    if first := found.order_by("failed_at", "pk").first():
        count = found.count()
        text = ngettext_lazy(
            "%(count)d e-mail about a study could not be sent.",
            "%(count)d e-mails about studies could not be sent.",
            "count",
        )
        address = reverse("grading:letters", args=[first.study_id])
        yield Line(
            Urgency.SOON, text % {"count": count}, _("See why"), address, count, first.failed_at
        )
