"""
What lies at one address: its page, and what stands behind the question mark or on a button.

A page, its parts for htmx (`?part=`), other lists (`?show=`), its files (`?as=`) and the steps that
its buttons take (`do`) are each a view of its own with a door of its own, as `role_required` makes
one, and have a name: that of the address with what is asked. So budgets, and the tests that walk
every address, know each of them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase

View = Callable[..., HttpResponseBase]


class Address:
    """
    The view of an address at which there are several.

    Args:
        page: answers where nothing else is asked for, and what names no view of `others`.
        others: views by what asks for them, as `do=withdraw`. What is posted may name its step as
            the value of the button that was pressed.
    """

    def __init__(self, page: View, others: Mapping[str, View]) -> None:
        self.page = page
        self.others = others
        # Django asks for an account before it calls this, where all of it needs one.
        self.login_required = all(map(_is_for_members, (page, *others.values())))

    def choose(self, asked: QueryDict) -> str:
        """Return what of `others` is asked for, or "" for the page."""
        given = {f"{name}={value}" for name, value in asked.items()}
        return next((one for one in self.others if one in given), "")

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        chosen = self.choose(request.GET)
        # A button of the page, or of a list that it shows besides.
        if request.method == "POST" and (not chosen or chosen.startswith("show=")):
            pressed = f"do={request.POST.get('do', '')}"
            chosen = pressed if pressed in self.others else chosen
        view = self.others[chosen] if chosen else self.page
        if _is_for_members(view) and not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)


def _is_for_members(view: View) -> bool:
    return getattr(view, "login_required", True)


def name_address(request: HttpRequest) -> str:
    """
    Name what a request asks for, as `reverse` takes it but for what follows `?`; "" for none.

    What a button's value says is left out: it is read after the limits on what is sent.
    """
    match = request.resolver_match
    if match is None:
        return ""
    chosen = match.func.choose(request.GET) if isinstance(match.func, Address) else ""
    return f"{match.view_name}?{chosen}" if chosen else match.view_name
