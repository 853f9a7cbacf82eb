"""What workers do with certificates: make them."""

from curation.certificates import actions
from curation.certificates.models import Certificate
from phybench.work.kinds import Kind, register

CERTIFYING = register(
    Kind(
        name="make_certificate",
        rows=Certificate.objects.unfinished(),
        do=actions.run,
        give_up=actions.give_up,
    )
)
