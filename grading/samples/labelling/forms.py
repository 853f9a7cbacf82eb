"""What is filled in to end a sample early, and to ask somebody to label it."""

from typing import Any

from django import forms
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from grading.samples.labelling.permissions import list_labellers
from phybench.people.forms import UncutField
from phybench.people.models import User


class EndForm(forms.Form):
    why = UncutField(
        label=_("Reason for ending early"),
        max_length=300,
        help_text=_("This is public: the sample stays listed, without rates."),
    )


class PersonField(forms.ModelChoiceField):
    """Names people with their roles: names may be alike."""

    def label_from_instance(self, obj: Model) -> str:
        assert isinstance(obj, User)
        roles = __(", ").join(role for role, _does in obj.role_labels())
        return __("%(person)s (%(roles)s)") % {"person": obj, "roles": roles}


class AskForm(forms.Form):
    person = PersonField(
        label=_("Reviewer or evaluator"),
        queryset=User.objects.none(),
        empty_label=_("choose a person"),
        help_text=_("They will see the reference answers of the problems in the sample."),
    )

    def __init__(self, labellers: QuerySet[Any], *args: Any, **options: Any) -> None:
        """Offer whom `labellers`, those of the sample, are not yet."""
        super().__init__(*args, **options)
        asked = labellers.filter(taken_off_at=None).values("person")
        people = list_labellers().exclude(pk__in=asked)
        field = self.fields["person"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = people.order_by("display_name", "pk")
