"""Of a benchmark's steps: how its problems are reviewed."""

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.reviewing.pipelines.models import ReviewSettings
from phybench.news.desks.lines import Milestone
from phybench.news.desks.registry import milestones


@milestones(3)
def choose(slug: str) -> Milestone:
    chosen = ReviewSettings.objects.filter(benchmark__slug=slug).exclude(pipeline=None)
    found = chosen.select_related("pipeline").first()
    pipeline = found.pipeline if found else None
    return Milestone(
        3,
        _("Choose how problems are reviewed"),
        str(pipeline) if pipeline else _("Not chosen: the default is used."),
        pipeline is not None,
        _("Next: choose how problems are reviewed."),
        _("Choose the review"),
        reverse("curation:review_settings", args=[slug]),
        can_wait=True,
    )
