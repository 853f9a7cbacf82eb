"""What Celery does for certificates: fetch, and hand on. Doing a task twice changes nothing."""

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from curation.certificates import actions as certifying
from curation.certificates.models import Certificate


@shared_task
def make_certificate(certificate_id: int) -> None:
    certificate = certifying.claim(certificate_id)
    if certificate is not None:
        with suppress(certifying.CertificateLost):
            certifying.run(certificate)


@shared_task
def requeue_unattended_certificates() -> int:
    """Queue again what a killed worker held, or what the broker lost; return how many."""
    pks = list(Certificate.objects.unattended().values_list("pk", flat=True))
    # Meanwhile one may have been finished, and such a one can't be changed.
    Certificate.objects.unfinished().filter(pk__in=pks).update(queued_at=timezone.now())
    for pk in pks:
        make_certificate.delay(pk)
    return len(pks)
