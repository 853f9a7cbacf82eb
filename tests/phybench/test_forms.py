"""What holds for every form."""

from collections.abc import Iterator

import pytest
from django import forms

import phybench.urls  # noqa: F401  # with the views come all forms


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
