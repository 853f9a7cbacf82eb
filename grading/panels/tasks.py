"""What the clock does for panels: freeze the first of each version."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.versions.models import BenchmarkVersion
from curation.workflow import NotAllowedNow
from grading.panels.actions import freeze


@shared_task
def freeze_first_panels() -> int:
    """Freeze who stands on the boards that have no panel, once they are enough; return how many."""
    made = 0
    for version in BenchmarkVersion.objects.published().filter(panels=None):
        name = _("Models on the board on %(day)s") % {"day": timezone.localdate().isoformat()}
        try:
            freeze(version=version, name=name, by=None)
        except NotAllowedNow:
            continue
        made += 1
    return made
