"""What Celery does for imports: fetch, and hand on. Doing a task twice changes nothing."""

import logging
from contextlib import suppress

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from curation.exchange import imports
from curation.exchange.models import Import

logger = logging.getLogger(__name__)


@shared_task
def run_import(transfer_id: int) -> None:
    transfer = imports.claim(transfer_id)
    if transfer is not None:
        with suppress(imports.ImportLost):
            imports.run(transfer)


@shared_task
def requeue_unattended_imports() -> int:
    """Queue again what a killed worker held, or what the broker lost; return how many."""
    pks = list(Import.objects.unattended().values_list("pk", flat=True))
    Import.objects.filter(pk__in=pks).update(queued_at=timezone.now())
    for pk in pks:
        run_import.delay(pk)
    return len(pks)


def wake_worker(transfer_id: int) -> None:
    try:
        run_import.delay(transfer_id)
    except OperationalError:
        # It is queued in the database: the sweep finds it once the broker is back.
        logger.exception("the broker does not answer; import %d waits", transfer_id)
