"""That people choose whether they want the e-mails that they asked for; `actions` writes those."""

from django.utils.translation import gettext_lazy as _

from phybench.news.mails.kinds import MailKind, register
from phybench.news.mails.models import When
from phybench.people.models import Role

GRADED = register(
    MailKind(
        name="graded",
        label=_("An upload of which you asked to be told is graded"),
        roles=(Role.EVALUATOR,),
        choices=(When.AT_ONCE, When.NEVER),
    )
)
