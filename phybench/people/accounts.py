"""How people get in: whose addresses are confirmed, and what becomes of many wrong passwords."""

import base64
import time
from threading import BoundedSemaphore
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import get_ip
from allauth.core.ratelimit import consume
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from phybench.people.models import Role, User

_slowed = BoundedSemaphore(2)
"""How many of this process's threads may wait for tries that are slowed."""


CODE_SIGNS = 12
"""Of 32 each, so 60 bits: nobody guesses it."""


def is_without_admin() -> bool:
    """Say whether this is an empty install, which whoever started it may set up."""
    return not settings.WITH_DEMO and not User.objects.get_queryset().with_role(Role.ADMIN).exists()


def make_set_up_code() -> str:
    """Return the code of this install, the same in all its processes: "k3fa-5obc-d7xq"."""
    signed = salted_hmac("phybench.people.set-up", "code", algorithm="sha256").digest()
    code = base64.b32encode(signed).decode().lower()[:CODE_SIGNS]
    return "-".join(code[at : at + 4] for at in range(0, CODE_SIGNS, 4))


def say_how_to_set_up() -> str:
    """Return the terminal's line that leads to the first page; empty where there is an admin."""
    if not is_without_admin():
        return ""
    return f"Set up: {settings.SITE_URL}/setup/?code={make_set_up_code()}"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """What allauth asks of this project."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("The e-mail address or the password is wrong."),
        "too_many_login_attempts": _("Too many wrong passwords. Try again in a few minutes."),
    }

    def pre_login(self, request: HttpRequest, user: User, **hooks: Any) -> HttpResponse | None:
        """
        Take an address for confirmed whose owner did not sign up.

        Who did has a primary one from the beginning; who has none was brought in: by an admin, by
        the demo, by setting up an empty install.
        """
        if not hooks["signup"] and not EmailAddress.objects.get_primary(user):
            email = user.email.lower()
            is_free = not EmailAddress.objects.is_verified(email)
            EmailAddress.objects.update_or_create(
                user=user, email=email, defaults={"primary": True, "verified": is_free}
            )
        response: HttpResponse | None = super().pre_login(request, user, **hooks)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """
        Send an e-mail, unless its address got many today: anybody can type anybody's.

        It is counted whether or not there is an account, so the refusal tells nothing of that.
        """
        request = allauth_context.request
        if not consume(request, action="mail", key=email.lower()):
            said = {
                "title": _("Many e-mails were sent"),
                "why": _(
                    "Many e-mails were sent to this address today, so no more are sent. Use the "
                    "newest one, look in the spam folder too, or try again tomorrow."
                ),
            }
            refused = render(request, "429.html", said, status=429)
            refused["Retry-After"] = str(24 * 3600)
            raise ImmediateHttpResponse(refused)
        super().send_mail(template_prefix, email, context)

    def send_account_already_exists_mail(self, email: str) -> None:
        """Take as long as over a new account, whose password is hashed."""
        User().set_password(email)
        super().send_account_already_exists_mail(email)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count wrong passwords for an account and an address together: see `pre_authenticate`."""
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{get_ip(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """
        Refuse who tries one account from one address too often, and nobody else for it.

        An address alone is refused only once it has tried a great many accounts, and an account
        alone is only slowed: else anybody could lock its owner out.
        """
        super().pre_authenticate(request, **credentials)
        if not consume(request, action="login_address"):
            raise self.validation_error("too_many_login_attempts")
        account = credentials.get("email", "").lower()
        if not consume(request, action="login_slowed", key=account):
            self.slow_down()

    def slow_down(self) -> None:
        # Threads are few. Where all places are taken nobody is slowed: to refuse would let whoever
        # takes them lock out the owner.
        if not _slowed.acquire(blocking=False):
            return
        try:
            time.sleep(settings.LOGIN_SLOWED_SECONDS)
        finally:
            _slowed.release()
