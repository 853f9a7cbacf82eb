"""Organisations: those to confirm, and people who ask to join one."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from grading.solvers.models import Membership, Organisation
from grading.solvers.permissions import list_hand_in_for
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_to_confirm(user: User) -> Iterator[Line]:
    return count_line(
        Organisation.objects.standing().filter(confirmed_at=None),
        "made_at",
        Urgency.SOON,
        ngettext_lazy("%(count)d team to confirm.", "%(count)d teams to confirm.", "count"),
        ngettext_lazy("See which one", "See which ones", "count"),
        reverse("grading:organisations") + "?sort=stands",
    )


@desk_lines(Role.EVALUATOR)
def list_asking(user: User) -> Iterator[Line]:
    """Tell of people who ask to join an organisation of somebody's, and of one's own asking."""
    organisations = list_hand_in_for(user)
    asked = Membership.objects.asked().filter(organisation__in=organisations)
    if first := asked.order_by("asked_at", "pk").select_related("organisation").first():
        address = first.organisation.get_absolute_url()
        yield from count_line(
            asked,
            "asked_at",
            Urgency.SOON,
            ngettext_lazy(
                "%(count)d person asks to join your team.",
                "%(count)d people ask to join your teams.",
                "count",
            ),
            _("Answer the first"),
            address,
        )
    elif own := user.memberships.asked().select_related("organisation").first():
        text = _("You have asked to join %(organisation)s: its members say yes or no.")
        yield Line(
            Urgency.LATER,
            text % {"organisation": own.organisation},
            _("See the teams"),
            reverse("grading:organisations"),
            since=own.asked_at,
        )
