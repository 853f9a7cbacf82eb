"""What evaluators are told by e-mail: that all answers of a submission are graded."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.news.mails.models import When
from phybench.people.models import Role, User


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    """Find what was submitted and graded since; who uploaded it is told, and nobody else."""
    found = Submission.objects.filter(
        tally__waiting=0, tally__graded_at__gt=since, withdrawn_at=None
    )
    # Who asked for it when they had it graded is told by that.
    found = found.exclude(made_from__draft__notices__way="MAIL")
    # What was graded anew is another matter: whoever adopts that says so.
    for pk, person in found.filter(created_at__gt=since).values_list("pk", "uploaded_by"):
        yield person, str(pk)


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    found = list_submissions(person).filter(pk__in=[int(key) for key in keys])
    for one in found.order_by("pk"):
        text = _("All answers of %(submission)s are graded.")
        yield Item(text % {"submission": one}, one.get_absolute_url())


RESULTS = register(
    MailKind(
        name="results",
        label=gettext_lazy("All answers that you submitted are graded"),
        roles=(Role.EVALUATOR,),
        find=find,
        tell=tell,
        default=When.DAILY,
    )
)
