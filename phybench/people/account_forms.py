"""
The library's forms of accounts, with labels in our manner.

Signing up asks for more: `phybench/people/forms.py`, which the library reads before its own forms.
"""

from typing import Any, ClassVar

from allauth.account import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class _Relabelled:
    labels: ClassVar[dict[str, Promise]]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, label in self.labels.items():
            self.fields[name].label = label  # type: ignore[attr-defined]


class LoginForm(_Relabelled, forms.LoginForm):  # type: ignore[misc]  # allauth has no types
    labels = {"login": _("E-mail address"), "remember": _("Keep me signed in")}


class SignupForm(_Relabelled, forms.SignupForm):  # type: ignore[misc]
    labels = {"email": _("E-mail address")}


class AddEmailForm(_Relabelled, forms.AddEmailForm):  # type: ignore[misc]
    labels = {"email": _("E-mail address")}


class ResetPasswordForm(_Relabelled, forms.ResetPasswordForm):  # type: ignore[misc]
    labels = {"email": _("E-mail address")}


class ResetPasswordKeyForm(_Relabelled, forms.ResetPasswordKeyForm):  # type: ignore[misc]
    labels = {"password1": _("New password"), "password2": _("New password (again)")}


class ChangePasswordForm(_Relabelled, forms.ChangePasswordForm):  # type: ignore[misc]
    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password (again)"),
    }
