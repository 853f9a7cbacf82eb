"""
Keys for endpoints: hidden while in use, encrypted where they are kept, given to one host only.

They are encrypted with keys of their own (`FIELD_KEYS`), not with Django's `SECRET_KEY`, so that
changing that one loses nothing.
"""

from __future__ import annotations

import hashlib
import re
from typing import NoReturn

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from grading.endpoints.base_url import BaseURL

HIDDEN = "[key]"
SHORTEST = 8
"""Characters of a key: what is shorter could not be told from words, and hidden in them."""
LONG_ENOUGH = 12
"""Characters from which on four of them give nothing away."""

# What providers' keys look like: OpenAI, Anthropic and many others; Google; GitHub; Hugging Face;
# Groq; xAI; and whatever follows "Bearer".
_LOOKS_LIKE_A_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk)-[A-Za-z0-9_*.-]{6,}|AIza[A-Za-z0-9_-]{20,}|gh[pousr]_\w{20,}"
    r"|hf_\w{16,}|gsk_\w{16,}|xai-[\w-]{16,})|(?<=Bearer )[^\s\"',]{4,}",
    re.ASCII,
)


class APIKey:
    """An endpoint's key, which neither prints nor pickles; `reveal` alone gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        # A line break would add a header to the request.
        if not value or not value.isascii() or not value.isprintable() or " " in value:
            raise ValueError("An API key is one word of printable ASCII characters.")
        if len(value) < SHORTEST:
            raise ValueError(
                "An API key has at least 8 characters. Leave it empty if the endpoint needs none."
            )
        self._value = value

    def reveal(self) -> str:
        return self._value

    def scrub(self, text: str) -> str:
        """Take this key out of a text."""
        return text.replace(self._value, HIDDEN)

    @property
    def hint(self) -> str:
        """
        The last four characters, to tell keys apart.

        >>> APIKey("sk-0123456789abcd").hint
        '…abcd'
        """
        return "…" + (self._value[-4:] if len(self._value) >= LONG_ENOUGH else "")

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of its SHA-256, to tell whether two are the same."""
        return hashlib.sha256(self._value.encode()).hexdigest()[:12]

    def __repr__(self) -> str:
        return f"<APIKey {self.hint}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A key is not handed on: hand on what it belongs to.")


def scrub(text: str, key: APIKey | None) -> str:
    """
    Take out of a text the key, and all that looks like one.

    >>> scrub("Incorrect API key provided: sk-ab12****************wxyz.", None)
    'Incorrect API key provided: [key]'
    """
    if key is not None:
        text = key.scrub(text)
    return _LOOKS_LIKE_A_KEY.sub(HIDDEN, text)


WRONG_KEYS: dict[str, str] = {
    "missing": (
        "The setting FIELD_KEYS is empty, so API keys of endpoints can't be saved or used. "
        "The person who runs this installation sets it (docs/endpoints.md says how) and restarts."
    ),
    "wrong": (
        "An entry of the setting FIELD_KEYS is not a Fernet key (32 bytes in URL-safe base64). "
        "The person who runs this installation corrects it and restarts."
    ),
    "none_opens": (
        "None of the entries of FIELD_KEYS decrypts the API key of this endpoint. An admin enters "
        "the API key again, or the person who runs this installation adds the entry that "
        "encrypted it."
    ),
}
"""Why a key can't be encrypted or read, with what to do."""


class KeyringError(Exception):
    """A key can't be encrypted or read; `code` is a key of `WRONG_KEYS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        return WRONG_KEYS[self.code]


class Keyring:
    """What encrypts endpoints' keys: the first of its own keys writes, any of them reads."""

    def __init__(self, fernets: list[Fernet]) -> None:
        self._first = fernets[0]
        self._all = MultiFernet(fernets)

    @classmethod
    def parse(cls, text: str) -> Keyring:
        """Read `FIELD_KEYS`: Fernet keys, newest first, separated by commas or spaces."""
        words = text.replace(",", " ").split()
        if not words:
            raise KeyringError("missing")
        try:
            return cls([Fernet(word) for word in words])
        except ValueError:
            # Without its cause, which could show what the words were.
            raise KeyringError("wrong") from None

    def encrypt(self, key: APIKey) -> str:
        return self._all.encrypt(key.reveal().encode()).decode()

    def decrypt(self, token: str) -> APIKey:
        try:
            return APIKey(self._all.decrypt(token.encode()).decode())
        except InvalidToken:
            raise KeyringError("none_opens") from None

    def rotate(self, token: str) -> str:
        """Encrypt anew with the first key what any of them can read."""
        try:
            return self._all.rotate(token.encode()).decode()
        except InvalidToken:
            raise KeyringError("none_opens") from None

    def is_current(self, token: str) -> bool:
        """Whether it is the first key that wrote this, so that the others can go."""
        try:
            self._first.decrypt(token.encode())
        except InvalidToken:
            return False
        return True


def generate_field_key() -> str:
    """Make a key for `FIELD_KEYS`."""
    return Fernet.generate_key().decode()


def must_clear_key(old: BaseURL, new: BaseURL) -> bool:
    """
    Whether a changed address would show the key to somebody else.

    >>> must_clear_key(BaseURL.parse("https://a.test/v1"), BaseURL.parse("https://a.test/v2"))
    False
    """
    return old.origin != new.origin
