"""What admins are told by e-mail of the nightly look at all rows: that some break what holds."""

from collections.abc import Collection, Iterator
from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import Role, User
from phybench.people.permissions import is_admin


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    if not is_admin(person):
        return
    for day in sorted(keys):
        text = _(
            "The check of %(day)s found damaged data.\nThe log names each row. To see them again, "
            "run on the server: manage.py check_integrity"
        )
        yield Item(text % {"day": date_format(date.fromisoformat(day))}, reverse("home"))


DAMAGE = register(
    MailKind(
        name="damage",
        label=gettext_lazy("The nightly check finds damaged data"),
        roles=(Role.ADMIN,),
        # The check writes it: to look takes too long to be done each minute.
        tell=tell,
    )
)
