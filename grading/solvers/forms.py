from django import forms
from django.utils.translation import gettext_lazy as _

from grading.solvers.models import Organisation
from phybench.names import tidy_name


class OrganisationForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the organisation"),
        max_length=120,
        help_text=_("A group, a laboratory or a company. The board names it beside its models."),
    )

    def clean_name(self) -> str:
        name = tidy_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(_("Write a name that can be seen."))
        return name


class MergeForm(forms.Form):
    into = forms.ModelChoiceField(
        label=_("Merge it into"), queryset=Organisation.objects.none(), empty_label="–"
    )
    is_meant = forms.BooleanField(label=_("Yes, merge them for good"))

    def __init__(self, organisation: Organisation, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        into = self.fields["into"]
        assert isinstance(into, forms.ModelChoiceField)
        into.queryset = (
            Organisation.objects.standing()
            .filter(confirmed_at__isnull=False)
            .exclude(pk=organisation.pk)
        )
