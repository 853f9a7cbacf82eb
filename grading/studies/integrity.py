"""What holds of studies: what was fixed beforehand is what its hash names."""

import hashlib

from grading.studies.actions import write
from grading.studies.models import Preregistration
from phybench.work.integrity import Invariant, each, register

register(
    Invariant(
        Preregistration.objects.all(),
        each(lambda one: one.sha256 != hashlib.sha256(write(one.content)).hexdigest()),
        "has another hash than what it says",
    ),
)
