"""Answers of audit samples that wait for somebody's label."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from grading import permissions
from grading.labelling.actions import list_to_adjudicate, list_to_label
from phybench.desks.counting import count_line
from phybench.desks.lines import Line, Link, Urgency
from phybench.desks.registry import desk_lines, desk_links
from phybench.models import Role, User


@desk_lines(Role.REVIEWER, Role.EVALUATOR, Role.ADMIN)
def list_samples(user: User) -> Iterator[Line]:
    """Tell of answers that wait for somebody's label, or, once there are none, to be settled."""
    labelable = permissions.list_labelable_of_all(user)
    to_label = list_to_label(user, labelable)
    if first := to_label.order_by("sample", "place").first():
        yield from count_line(
            to_label,
            "sample__drawn_at",
            Urgency.SOON,
            ngettext_lazy(
                "%(count)d answer of an audit sample needs your label.",
                "%(count)d answers of audit samples need your label.",
                "count",
            ),
            _("Label them"),
            reverse("grading:label_audit", args=[first.sample_id]),
        )
        return
    to_settle = list_to_adjudicate(user, labelable)
    if first := to_settle.order_by("sample", "place").first():
        yield from count_line(
            to_settle,
            "sample__drawn_at",
            Urgency.SOON,
            ngettext_lazy(
                "Two labels differ on %(count)d audited answer: settle it.",
                "Two labels differ on %(count)d audited answers: settle them.",
                "count",
            ),
            _("Settle them"),
            reverse("grading:adjudicate_audit", args=[first.sample_id]),
        )


@desk_links(Role.ADMIN)
def list_places(user: User) -> Iterator[Link]:
    yield Link(_("Audit samples"), reverse("grading:audits"))
