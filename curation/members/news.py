"""What somebody is told by e-mail: what an admin decided for them, and what is offered to them."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.members.models import Request
from curation.problems.people.models import Credit
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import Role, User

Outcome = Request.Outcome
DECIDED = (Outcome.GRANTED, Outcome.DECLINED)


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    decided = Request.objects.filter(outcome__in=DECIDED, decided_at__gt=since)
    for pk, person in decided.values_list("pk", "person"):
        yield person, str(pk)


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    found = person.requests.filter(outcome__in=DECIDED, pk__in=[int(key) for key in keys])
    for one in found.select_related("credit__given_by", "benchmark").order_by("pk"):
        yield Item(_say(one), _find_page(one))


def _find_page(request: Request) -> str:
    """Find where it goes on: with a new role, where the person wants to work."""
    if request.benchmark and request.outcome == Outcome.GRANTED:
        return reverse("curation:overview", args=[request.benchmark.slug])
    tab = "credits" if request.credit_id else "roles" if request.role else "institution"
    return f"{reverse('profile')}?tab={tab}"


def _say(request: Request) -> str:
    is_granted = request.outcome == Outcome.GRANTED
    if request.role:
        granted = _("You now have the role %(role)s.")
        declined = _("An admin declined your request for the role %(role)s.")
    elif request.credit_id:
        granted = _("An admin agreed that you are credited on a problem in review.")
        declined = _("An admin declined that you are credited on a problem in review.")
    else:
        granted = _("An admin agreed to the institution that you gave.")
        declined = _("An admin declined the institution that you gave.")
    said = (granted if is_granted else declined) % {"role": request.get_role_display()}
    # The subject is the first line: why it was declined is read in the e-mail.
    reason = _("The reason: %(reason)s") % {"reason": request.reason}
    return said if is_granted else f"{said}\n{reason}"


def find_offers(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    """Find what is offered since; who was asked about a problem before is not written to again."""
    before = Credit.objects.filter(
        problem=OuterRef("problem"), person=OuterRef("person"), pk__lt=OuterRef("pk")
    )
    found = Credit.objects.offered().filter(~Exists(before), given_at__gt=since)
    for pk, person in found.values_list("pk", "person"):
        yield person, str(pk)


def tell_offers(person: User, keys: Collection[str]) -> Iterator[Item]:
    found = person.credits.offered().filter(pk__in=[int(key) for key in keys])
    for one in found.select_related("given_by", "problem__benchmark").order_by("pk"):
        words = {
            "name": one.given_by,
            "role": one.get_role_display(),
            "benchmark": one.problem.benchmark.name,
        }
        text = _("%(name)s offers to credit you on a problem of %(benchmark)s: %(role)s.")
        yield Item(text % words, reverse("profile") + "?tab=credits")


OFFERS = register(
    MailKind(
        name="offers",
        label=gettext_lazy("Somebody offers to credit you on a problem"),
        roles=(Role.CONTRIBUTOR,),
        find=find_offers,
        tell=tell_offers,
    )
)
REQUESTS = register(
    MailKind(
        name="requests",
        label=gettext_lazy("An admin decides what you asked for"),
        # Whoever asks may hold none yet.
        roles=(),
        find=find,
        tell=tell,
    )
)
