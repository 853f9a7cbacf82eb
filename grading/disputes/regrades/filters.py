"""What narrows the list of answers that a grading run changes."""

from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField
from grading.answers.models import NOT_GRADED, VerdictChoice
from phybench.pages import listing
from phybench.pages.listing import ListFilter

OUTCOMES = [*VerdictChoice.choices, (NOT_GRADED, _("not graded"))]


class MovedFilter(ListFilter):
    old = listing.choice(_("Now"), OUTCOMES)
    new = listing.choice(_("By this run"), OUTCOMES)
    domain = listing.choice(_("Domain"), PhysicsField.choices, "revision__problem__domain")
    change = listing.choice(
        _("Change"),
        [("verdict", _("the verdict differs")), ("eed", _("only the EED differs"))],
        method="find_change",
    )

    def find_change(self, found: QuerySet, name: str, change: str) -> QuerySet:
        other = {"old": F("new")}
        return found.exclude(**other) if change == "verdict" else found.filter(**other)
