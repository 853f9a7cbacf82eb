"""What holds for every form."""

from collections.abc import Iterator

import pytest
from django import forms

import phybench.urls  # noqa: F401  # with the views come all forms
from phybench.people.forms import NameField


def list_forms(of: type[forms.BaseForm] = forms.BaseForm) -> Iterator[type[forms.BaseForm]]:
    for form in of.__subclasses__():
        if form.__module__.split(".")[0] in {"curation", "grading", "phybench"}:
            yield form
        yield from list_forms(form)


@pytest.mark.parametrize("form", sorted(set(list_forms()), key=str), ids=str)
def test_no_text_area_cuts_off_what_is_pasted_into_it(form):
    areas = {
        name: field.widget.attrs
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field.widget, forms.Textarea)
    }

    assert [name for name, attributes in areas.items() if "maxlength" in attributes] == []


@pytest.mark.parametrize("typed", ["x" * 61, "\ufdfa" * 4, " ", "\u200b", "a\0b"])
def test_a_name_has_room_and_can_be_seen_as_it_is_kept(typed):
    field = NameField(max_length=60)
    with pytest.raises(forms.ValidationError):
        field.clean(typed)
    assert field.clean(" Ann\u200b  Lee ") == "Ann Lee"
