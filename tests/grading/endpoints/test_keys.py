"""Keys are hidden in use, encrypted where they are kept, and given to one host only."""

import pickle

import pytest
from cryptography.fernet import Fernet

from grading.endpoints import (
    APIKey,
    BaseURL,
    Keyring,
    KeyringError,
    generate_field_key,
    must_clear_key,
)
from tests.grading.endpoints.conftest import KEY

OLD, NEW = generate_field_key(), generate_field_key()


def test_a_key_comes_back_as_it_was_and_is_not_to_be_seen_meanwhile():
    ring = Keyring.parse(NEW)
    token = ring.encrypt(APIKey(KEY))
    assert KEY not in token
    assert ring.encrypt(APIKey(KEY)) != token
    assert ring.decrypt(token).reveal() == KEY


def test_the_keys_of_the_keyring_are_changed_without_losing_a_key():
    token = Keyring.parse(OLD).encrypt(APIKey(KEY))
    both = Keyring.parse(f"{NEW}, {OLD}")

    assert both.decrypt(token).reveal() == KEY
    assert not both.is_current(token)
    rotated = both.rotate(token)

    assert both.is_current(rotated)
    assert Keyring.parse(NEW).decrypt(rotated).reveal() == KEY


@pytest.mark.parametrize(
    "token",
    [Keyring.parse(OLD).encrypt(APIKey(KEY)), "", "nonsense"],
    ids=["of another key", "empty", "nonsense"],
)
def test_what_no_key_opens_is_told_with_what_to_do(token):
    ring = Keyring.parse(NEW)
    for function in (ring.decrypt, ring.rotate):
        with pytest.raises(KeyringError, match="FIELD_KEYS"):
            function(token)
    assert not ring.is_current(token)


@pytest.mark.parametrize(
    "text",
    ["", " , ", "short", f"{NEW},nonsense", "ключ"],
    ids=["empty", "a comma", "short", "one of two", "not ASCII"],
)
def test_field_keys_with_a_mistake_are_refused_without_showing_them(text):
    with pytest.raises(KeyringError) as raised:
        Keyring.parse(text)
    assert "FIELD_KEYS" in str(raised.value)
    assert NEW not in repr(raised.value)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_a_field_key_is_one_that_fernet_takes():
    assert Fernet(generate_field_key())


def test_a_key_shows_its_end_and_a_fingerprint_only():
    key = APIKey(KEY)
    assert (key.hint, repr(key), str(key)) == ("…wxyz", "<APIKey …wxyz>", "<APIKey …wxyz>")
    assert key.fingerprint == APIKey(KEY).fingerprint != APIKey(f"{KEY}!").fingerprint
    assert len(key.fingerprint) == 12
    assert APIKey("short-k1").hint == "…"


def test_a_key_is_not_handed_to_another_process():
    with pytest.raises(TypeError):
        pickle.dumps(APIKey(KEY))


@pytest.mark.parametrize(
    "value",
    ["", "short", "two words x", "line\nbreak: x", "tab\tinside", "schlüssel-1", "\x7f" * 9],
)
def test_what_is_no_key_is_refused_without_showing_it(value):
    with pytest.raises(ValueError, match=r"^An API key (is one|has at least 8)") as raised:
        APIKey(value)
    assert not value or value not in str(raised.value)


@pytest.mark.parametrize(
    ("new", "cleared"),
    [
        ("https://api.example.com/v1", False),
        ("https://API.example.com:443/v2/", False),
        ("http://api.example.com/v1", True),
        ("https://api.example.com:8443/v1", True),
        ("https://api.example.org/v1", True),
        ("https://example.com/v1", True),
    ],
)
def test_a_key_is_cleared_when_it_would_go_to_another_host(new, cleared):
    old = BaseURL.parse("https://api.example.com/v1")
    assert must_clear_key(old, BaseURL.parse(new)) is cleared
