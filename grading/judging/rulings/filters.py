"""What narrows the lists of what waits for a ruling, and of rulings."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField
from grading.samples.labels.models import Ruling
from phybench.pages import listing
from phybench.pages.listing import ListFilter


class WaitingFilter(ListFilter):
    domain = listing.choice(_("Domain"), PhysicsField.choices, "revision__problem__domain")


class GivenFilter(ListFilter):
    choice = listing.choice(_("Ruling"), Ruling.Choice.choices)
    origin = listing.choice(
        _("From"), [("page", _("a page")), ("file", _("a file"))], method="find_origin"
    )

    def find_origin(self, found: QuerySet[Ruling], name: str, origin: str) -> QuerySet[Ruling]:
        return found.filter(label_file__isnull=origin == "page")
