"""What workers do with certificates: make them."""

from curation.problems.certificates import actions
from curation.problems.certificates.models import Certificate
from phybench.work.kinds import Kind, register

CERTIFYING = register(
    Kind(
        name="make_certificate",
        rows=Certificate.objects.unfinished(),
        do=actions.run,
        give_up=actions.give_up,
    )
)
