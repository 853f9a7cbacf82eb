"""What workers do with certificates: make them."""

from curation.problems.certificates import actions
from curation.problems.certificates.models import Certificate
from phybench.work import budgets
from phybench.work.kinds import Kind, register


def _make(certificate: Certificate) -> None:
    """Make a certificate, at the expense of whose problem it is."""
    before = certificate.seconds
    try:
        actions.run(certificate)
    finally:
        author = certificate.problem.author_id
        # What was published elsewhere has none here.
        if author is not None:
            seconds = certificate.seconds - before
            budgets.spend(budgets.name_person(author), seconds=seconds)


CERTIFYING = register(
    Kind(
        name="make_certificate",
        rows=Certificate.objects.unfinished(),
        do=_make,
        give_up=actions.give_up,
    )
)
