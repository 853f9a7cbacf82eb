"""What the environment says of this installation: read, or refused in a sentence that names it."""

import base64
import binascii
import math
import os
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

import dj_database_url
from django.core.exceptions import ImproperlyConfigured


def required(name: str, hint: str) -> str:
    """Return an environment variable, or stop with a sentence that says how to get one."""
    if value := os.environ.get(name):
        return value
    raise ImproperlyConfigured(f"{name} is not set: {hint}")


def is_on(name: str, *, default: bool = False) -> bool:
    return os.environ.get(name, "1" if default else "0").lower() in {"1", "true", "yes", "on"}


Number = TypeVar("Number", int, float)


def number(name: str, default: Number) -> Number:
    """Read a number from 0 up, whole where the default is, or stop with a sentence."""
    text = os.environ.get(name) or str(default)
    try:
        read = type(default)(text)
        if math.isfinite(read) and read >= 0:
            return read
    except ValueError:
        pass
    kind = "a whole number" if isinstance(default, int) else "a number"
    raise ImproperlyConfigured(
        f"{name} is {text!r}, and has to be {kind} from 0 up: correct it, or unset it ({default})."
    )


CONNECT_SECONDS = 5
"""In which a database has to answer: who waits for a page is told so before they give up."""


RANDOM_PAGE_COST = 1.1
"""
What PostgreSQL takes a page of an index to cost, in pages of a walk over a whole table.

All that is asked for lies in memory, or on a disk without arms. By its own 4 it reads the grades of
all submissions to find those of one, which takes ten times as long as its index.
"""


def read_database(url: str) -> dj_database_url.DBConfig:
    """Take the address of a PostgreSQL apart, or stop with a sentence that repeats no password."""
    try:
        read = dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
    except ValueError:
        read = {}
    if not read.get("ENGINE", "").endswith(".postgresql") or not read.get("NAME"):
        raise ImproperlyConfigured(
            "DATABASE_URL is not the address of a PostgreSQL database: write it as "
            "postgres://USER:PASSWORD@HOST:PORT/NAME."
        )
    options = read.setdefault("OPTIONS", {})
    options.setdefault("connect_timeout", CONNECT_SECONDS)
    options.setdefault("options", f"-c random_page_cost={RANDOM_PAGE_COST}")
    return read


def read_broker(url: str) -> str:
    if "://" not in url:
        raise ImproperlyConfigured(
            "CELERY_BROKER_URL is not the address of a broker: write it as redis://HOST:PORT/0 or "
            "amqp://USER:PASSWORD@HOST:PORT//."
        )
    return url


CACHE_SECONDS = 1.0
"""After which the cache counts as away; it answers in a millisecond."""


def choose_cache(broker: str, *, table: str) -> dict[str, Any]:
    """Return what all processes share: the broker where it is a Redis, else a table."""
    # One that takes connections and says nothing would hold every thread that asks it, for ever.
    silence = {"socket_timeout": CACHE_SECONDS, "socket_connect_timeout": CACHE_SECONDS}
    redis = {"BACKEND": "phybench.pages.cache.ForgivingRedisCache", "OPTIONS": silence}
    if broker.startswith("redis+socket://"):
        # Celery and redis-py write the number of a database differently.
        address = broker.removeprefix("redis+socket").replace("virtual_host=", "db=")
        return {**redis, "LOCATION": f"unix{address}"}
    if broker.startswith(("redis://", "rediss://")):
        return {**redis, "LOCATION": broker}
    return {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": table,
        # With more than Django's 300 it forgets a third, and with them tries that are counted.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }


LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "testserver"}
LEAST_SECRET = 32
"""Characters of a key that nobody guesses."""
EXAMPLES = ("changeme", "django-insecure", "secret_key", "your-secret")


class Installation(Protocol):
    """The settings that can make an installation unsafe."""

    DEBUG: bool
    SECRET_KEY: str
    ALLOWED_HOSTS: Sequence[str]
    SITE_URL: str
    BEHIND_TLS: bool
    FIELD_KEYS: str


def list_unsafe(settings: Installation) -> Iterator[str]:
    """
    List what would let strangers in, or make links that lead nowhere, each with its mend.

    On a machine that only answers itself a short key and DEBUG do no harm.
    """
    is_public = not {*settings.ALLOWED_HOSTS} <= LOCAL_HOSTS
    if "*" in settings.ALLOWED_HOSTS:
        yield "ALLOWED_HOSTS is *: name the hosts that people come by, as bench.example.org."
    if is_public and settings.DEBUG:
        yield "DEBUG is on, and shows strangers the code and its values: unset it."
    secret = settings.SECRET_KEY
    if is_public and (len(secret) < LEAST_SECRET or secret.lower().startswith(EXAMPLES)):
        yield (
            "SECRET_KEY can be guessed: make one with "
            '`python3 -c "import secrets; print(secrets.token_urlsafe(64))"`.'
        )
    scheme = settings.SITE_URL.partition("://")[0]
    if scheme not in {"http", "https"}:
        yield f"SITE_URL is {settings.SITE_URL!r}: begin it with https:// or http://."
    elif is_public and (scheme == "https") is not settings.BEHIND_TLS:
        yield (
            f"SITE_URL begins with {scheme}:// and BEHIND_TLS is "
            f"{'on' if settings.BEHIND_TLS else 'off'}: links in e-mails would not be those of the "
            "pages. Make both say https, or neither."
        )
    if not all(_is_key(one) for one in settings.FIELD_KEYS.split(",") if one):
        yield (
            "An entry of FIELD_KEYS is no key: docs/endpoints.md says how to make one. Keep the "
            "old ones, or what they encrypted is lost."
        )


def _is_key(text: str) -> bool:
    try:
        return len(base64.urlsafe_b64decode(text.strip())) == 32
    except (binascii.Error, ValueError):
        return False
