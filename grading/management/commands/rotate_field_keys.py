"""Encrypt endpoints' keys anew, so that an older one of `FIELD_KEYS` can be dropped."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from grading.endpoints import Keyring, KeyringError
from grading.runs.models import Endpoint
from grading.runs.reservations import lock


class Command(BaseCommand):
    help = (
        "Encrypt the keys of endpoints anew with the first of FIELD_KEYS. To change it: put a new"
        " one before the others, restart the application, run this, and drop the others."
    )

    def handle(self, **options: Any) -> None:
        try:
            ring = Keyring.parse(settings.FIELD_KEYS)
        except KeyringError as error:
            raise CommandError(str(error)) from None
        rotated, lost = 0, []
        kept = Endpoint.objects.exclude(key_encrypted="").order_by("name")
        for pk, name in kept.values_list("pk", "name"):
            try:
                rotated += rotate(pk, ring)
            except KeyringError:
                lost.append(name)
        self.stdout.write(
            _("API keys of endpoints: %(all)d. Encrypted anew: %(rotated)d.")
            % {"all": kept.count(), "rotated": rotated}
        )
        if lost:
            raise CommandError(
                _("None of FIELD_KEYS decrypts the API key of %(names)s: enter it again.")
                % {"names": ", ".join(lost)}
            )


@transaction.atomic
def rotate(pk: int, ring: Keyring) -> bool:
    """Encrypt one endpoint's key with the first key, unless it is; tell whether it was done."""
    # An admin may be entering another key.
    endpoint = lock(pk)
    if not endpoint.key_encrypted or ring.is_current(endpoint.key_encrypted):
        return False
    Endpoint.objects.filter(pk=pk).update(key_encrypted=ring.rotate(endpoint.key_encrypted))
    return True
