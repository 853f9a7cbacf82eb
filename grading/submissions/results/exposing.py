"""Who was told how a submission's answers were graded."""

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from phybench.people.models import User


def record_verdicts(person: User, *submissions: Submission) -> None:
    """
    Write down what a page or a file has told, once it is made: some is graded meanwhile.

    Sums tell what is graded as lists do: over one answer a mean is its verdict.
    """
    told = Attempt.objects.filter(submission__in=submissions).telling().order_by()
    ledger.write_verdicts(person, Reason.GRADE, told.values_list("revision", flat=True).distinct())
