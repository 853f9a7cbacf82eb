"""What narrows the lists of what waits for a ruling, and of rulings."""

from django.db.models import Exists, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField
from grading.answers.models import LEFT_TO_A_PERSON, Attempt
from grading.judging.rulings.waiting import list_doubted
from grading.samples.labels.models import Ruling
from phybench.pages import listing
from phybench.pages.listing import ListFilter


class WaitingFilter(ListFilter):
    domain = listing.choice(_("Domain"), PhysicsField.choices, "revision__problem__domain")
    left = listing.choice(
        _("Left open by"),
        [("grader", _("the grader")), ("judges", _("a judge"))],
        method="find_left",
    )

    def find_left(self, found: QuerySet[Attempt], name: str, by: str) -> QuerySet[Attempt]:
        if by == "grader":
            return found.filter(LEFT_TO_A_PERSON)
        return found.filter(Exists(list_doubted()))


class GivenFilter(ListFilter):
    choice = listing.choice(_("Ruling"), Ruling.Choice.choices)
    origin = listing.choice(
        _("From"), [("page", _("a page")), ("file", _("a file"))], method="find_origin"
    )

    def find_origin(self, found: QuerySet[Ruling], name: str, origin: str) -> QuerySet[Ruling]:
        return found.filter(label_file__isnull=origin == "page")
