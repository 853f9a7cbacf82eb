"""What holds of files of items: each is the one that was uploaded."""

import hashlib

from grading.judging.models import JudgeFile
from phybench.work.integrity import Invariant, each, register

register(
    Invariant(
        JudgeFile.objects.all(),
        each(lambda one: one.sha256 != hashlib.sha256(one.content).hexdigest()),
        "has another hash than its content",
    ),
)
