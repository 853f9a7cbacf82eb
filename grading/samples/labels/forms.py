"""Bringing labels in a file."""

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from phybench.files.problem_files import LARGEST_FILE
from phybench.people.forms import UncutField


class LabelForm(forms.Form):
    file = forms.FileField(label=_("File"))
    origin = UncutField(
        label=_("Where the labels come from"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Who labelled, when, by what instructions, and what they had seen."),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                __("This file is larger than %(size)d MB. Split it into smaller ones.")
                % {"size": LARGEST_FILE // 1024**2}
            )
        return file
