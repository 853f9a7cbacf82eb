"""What holds of certificates: each is of the reference answer that it names."""

from curation.problems.certificates.models import Certificate
from phybench.work.integrity import Invariant, each, register

register(
    Invariant(
        Certificate.objects.all(),
        each(lambda one: one.reference_sha256 != one.reference.sha256),
        "has another hash than the reference answer that it was made of",
    ),
)
