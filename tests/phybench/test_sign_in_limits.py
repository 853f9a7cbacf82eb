"""Wrong passwords cost who types them, and lock nobody else out."""

import time

import pytest
from django.conf import settings
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from django.urls import reverse

from phybench.pages.cache import ForgivingRedisCache
from phybench.settings import CACHE_TABLE
from phybench.work.environment import choose_cache
from tests.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db

HERE, THERE = "192.0.2.1", "198.51.100.7"
A_PAIR, AN_ACCOUNT = 5, 20
"""How many tries `ACCOUNT_RATE_LIMITS` lets be made: at an account from an address, and at all."""


def gets_in(email: str, *, password: str = PASSWORD, address: str = HERE, **headers: str) -> bool:
    client = Client(REMOTE_ADDR=address, headers=headers)
    client.post(reverse("account_login"), {"login": email, "password": password})
    return "_auth_user_id" in client.session


def fail(email: str, times: int, *, address: str = HERE, **headers: str) -> None:
    for _ in range(times):
        assert not gets_in(email, password="wrong", address=address, **headers)


def test_who_fails_often_is_refused_there_and_others_at_the_same_address_are_not(reviewer):
    victim = make_person(None, "victim")
    fail(victim.email, 3 * A_PAIR)
    assert not gets_in(victim.email)
    assert gets_in(reviewer.email)


def test_nobody_is_locked_out_by_others_tries_at_other_addresses(settings):
    settings.LOGIN_SLOWED_SECONDS = 0
    victim = make_person(None, "victim")
    for number in range(1, 2 * AN_ACCOUNT // A_PAIR):
        fail(victim.email, A_PAIR + 1, address=f"203.0.113.{number}")
    assert gets_in(victim.email)


def test_an_account_that_many_addresses_try_is_slowed(settings):
    settings.LOGIN_SLOWED_SECONDS = 0.2
    victim = make_person(None, "victim")
    for number in range(1, 1 + AN_ACCOUNT // A_PAIR):
        fail(victim.email, A_PAIR, address=f"203.0.113.{number}")
    before = time.monotonic()
    assert gets_in(victim.email)
    assert time.monotonic() - before >= 0.2


def test_behind_a_proxy_each_has_an_address_of_their_own(settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    victim = make_person(None, "victim")
    # What a stranger writes into the header stands before what the proxy appends.
    fail(victim.email, A_PAIR + 1, **{"X-Forwarded-For": f"{THERE}, {HERE}"})
    assert not gets_in(victim.email, **{"X-Forwarded-For": HERE})
    assert gets_in(victim.email, **{"X-Forwarded-For": THERE})


@pytest.mark.parametrize(
    ("broker", "location"),
    [
        ("redis://h:1/2", "redis://h:1/2"),
        ("redis+socket:///a/b.sock?virtual_host=3", "unix:///a/b.sock?db=3"),
        ("amqp://guest@h:1//", CACHE_TABLE),
    ],
)
def test_all_processes_count_together_in_the_broker_or_else_in_the_database(broker, location):
    assert choose_cache(broker, table=CACHE_TABLE)["LOCATION"] == location


def test_the_tables_of_a_new_database_have_that_of_the_cache():
    assert CACHE_TABLE in connection.introspection.table_names()
    assert "locmem" not in type(cache._connections["default"]).__module__


def test_a_broker_that_is_away_limits_nobody_and_stops_nobody():
    away = ForgivingRedisCache("redis://127.0.0.1:1/0", {})
    assert away.add("key", 1)
    away.set("key", 1)
    assert away.get("key", "nothing") == "nothing"
    assert not away.delete("key")
    away.clear()


def test_to_empty_it_leaves_what_another_keeps_in_the_same_broker():
    mine = caches["default"]
    if not isinstance(mine, ForgivingRedisCache):
        pytest.skip("the broker of this run is no Redis")
    address = settings.CACHES["default"]["LOCATION"]
    others = ForgivingRedisCache(address, {"KEY_PREFIX": f"{mine.key_prefix}-another"})
    mine.set("key", 1)
    others.set("key", 2)
    mine.clear()
    assert (mine.get("key"), others.get("key")) == (None, 2)
    others.clear()
