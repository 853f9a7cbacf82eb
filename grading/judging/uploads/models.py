"""Files of items, kept byte for byte."""

import pgtrigger
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.solvers.models import Organisation
from phybench.people.models import User


class JudgeFile(models.Model):
    """
    A file of items as it was uploaded, for runs of judges.

    What a line means hangs on the judge and on what is left to the item, so it is read anew for
    each run; the run keeps what was read.
    """

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="judge_files"
    )
    uploaded_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, help_text=_("Of the file, byte for byte."))
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        triggers = [
            pgtrigger.Protect(name="judge_file_stays", operation=pgtrigger.Delete),
            # Its organisation may be merged into another.
            pgtrigger.Protect(
                name="judge_file_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "uploaded_by", "file_name", "sha256", "content", "created_at"
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.file_name

    def get_absolute_url(self) -> str:
        return reverse("grading:judge_file", args=[self.pk])
