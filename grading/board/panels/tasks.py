"""What the clock does for panels: freeze the first of each version."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion
from grading.board.panels.actions import freeze


@shared_task
def freeze_first_panels() -> int:
    """Freeze who stands on the boards that have no panel, once they are enough; return how many."""
    return sum(map(freeze_first, BenchmarkVersion.objects.published().filter(panels=None)))


def freeze_first(version: BenchmarkVersion) -> bool:
    """Freeze who stands on a board that has no panel; return whether they are enough."""
    name = _("Models on the board on %(day)s") % {"day": timezone.localdate().isoformat()}
    try:
        freeze(version=version, name=name, by=None)
    except NotAllowedNow:
        return False
    return True
