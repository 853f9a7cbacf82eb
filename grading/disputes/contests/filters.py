"""What narrows the lists of contested grades."""

from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField
from grading.disputes.contests.models import Contest
from phybench.pages.listing import ListFilter, choice


class ContestFilter(ListFilter):
    reason = choice(_("Contested because"), Contest.Reason.choices)
    fault = choice(_("Ruling"), Contest.Fault.choices)


class WaitingContestFilter(ListFilter):
    reason = choice(_("Contested because"), Contest.Reason.choices)
    domain = choice(_("Domain"), PhysicsField.choices, "attempt__revision__problem__domain")
