"""Who wants which e-mails when, and the link in each by which one wants no more of them."""

from collections.abc import Collection, Iterable

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from phybench.news.mails.kinds import MailKind, list_kinds
from phybench.news.mails.models import MailChoice, When
from phybench.people.models import User

_SIGNER = signing.Signer(salt="phybench.mails")


def find_choices(people: Collection[int], kind: MailKind) -> dict[int, When]:
    """Return when each of these people wants e-mails of one kind."""
    chosen = MailChoice.objects.filter(kind=kind.name, person__in=people)
    found = {one.person_id: When(one.when) for one in chosen}
    return {pk: found.get(pk, kind.default) for pk in people}


def wants(person: User, kind: MailKind) -> bool:
    return find_choices([person.pk], kind)[person.pk] is not When.NEVER


@transaction.atomic
def choose(person: User, chosen: Iterable[tuple[MailKind, When]]) -> None:
    """Write down what somebody chose; two that choose at once leave one choice a kind."""
    MailChoice.objects.bulk_create(
        [MailChoice(person=person, kind=kind.name, when=when) for kind, when in chosen],
        update_conflicts=True,
        unique_fields=["person", "kind"],
        update_fields=["when"],
    )


def link_off(person: User, kinds: Iterable[MailKind]) -> str:
    """Return the address at which whoever holds it has these e-mails stopped, and nothing else."""
    token = _SIGNER.sign(":".join([str(person.pk), *(kind.name for kind in kinds)]))
    return settings.SITE_URL + reverse("stop_mails", args=[token])


def read_link(token: str) -> tuple[User, list[MailKind]] | None:
    """Return whose e-mails of which kinds a signed link stops; None where it is not one of ours."""
    try:
        number, *names = _SIGNER.unsign(token).split(":")
        person = User.objects.filter(pk=int(number), is_active=True).first()
    except (signing.BadSignature, ValueError):
        return None
    # A kind that there is no more needs no stopping.
    return (person, [kind for kind in list_kinds() if kind.name in names]) if person else None
