"""
What lies at one address: its page, others of it by `?show=`, and the buttons that are posted to it.

Each has a door of its own, as `role_required` makes one: `tests/addresses.py` says who may press
which button and is shown what, and `tests/every_page/test_buttons.py` tries each as everybody.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http.response import HttpResponseBase

from phybench.people.http import MemberRequest

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, eq=False)
class Address:
    """The view of an address; what names no button, and nothing to be shown, is the page's."""

    page: View
    buttons: Mapping[str, View] = field(default_factory=dict)
    """What `do` names, in what is posted."""
    shows: Mapping[str, View] = field(default_factory=dict)

    def __call__(self, request: MemberRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST":
            view = self.buttons.get(request.POST.get("do", ""))
        else:
            view = self.shows.get(request.GET.get("show", ""))
        return (view or self.page)(request, *args, **kwargs)
