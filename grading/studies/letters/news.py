"""That people choose whether they want e-mails about studies; `actions` writes those."""

from django.utils.translation import gettext_lazy as _

from phybench.news.mails.kinds import MailKind, register
from phybench.news.mails.models import When
from phybench.people.models import Role

STUDIES = register(
    MailKind(
        name="studies",
        label=_("Invitations to studies, and reminders of them"),
        roles=(Role.PARTICIPANT,),
        choices=(When.AT_ONCE, When.NEVER),
    )
)
