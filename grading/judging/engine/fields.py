"""Taking a JSON object apart, field by field; each complaint names the field and what to write."""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, TypeVar

from django.utils.translation import gettext as _

Choice = TypeVar("Choice", bound=StrEnum)


class BadConfiguration(Exception):
    """A configuration that can't be used; the message names the field and says what to do."""


class Fields:
    """The fields of one object. What was asked for counts as known; `finish` refuses the rest."""

    def __init__(self, document: object, where: str = "") -> None:
        if not isinstance(document, Mapping):
            raise BadConfiguration(
                _("%(field)s: write an object {…}.") % {"field": where}
                if where
                else _("Write one JSON object {…}.")
            )
        self._document: Mapping[str, Any] = document
        self._where = where
        self._known: set[str] = set()

    def name(self, field: str) -> str:
        return f"{self._where}.{field}" if self._where else field

    def refuse(self, field: str, sentence: str) -> BadConfiguration:
        return BadConfiguration(f"{self.name(field)}: {sentence}")

    def get(self, field: str) -> Any:
        self._known.add(field)
        return self._document.get(field)

    def text(self, field: str, default: str | None = None) -> str:
        """Read a text; without a default it must be there."""
        value = self.get(field)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise self.refuse(field, _("write a text."))
        return value.strip()

    def choice(self, field: str, choices: Iterable[Choice], default: Choice | None) -> Choice:
        """Read one of an enumeration's values, in any case of letters."""
        value = self.get(field)
        if value is None and default is not None:
            return default
        for one in choices:
            if isinstance(value, str) and value.strip().casefold() == one.value.casefold():
                return one
        listed = ", ".join(one.value.lower() for one in choices)
        raise self.refuse(field, _("choose one of %(choices)s.") % {"choices": listed})

    def flag(self, field: str, *, default: bool) -> bool:
        value = self.get(field)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.refuse(field, _("write true or false."))
        return value

    def number(self, field: str, *, least: float, most: float) -> float | None:
        value = self.get(field)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not least <= value <= most:
            raise self.refuse(
                field,
                _("write a number from %(least)g to %(most)g.") % {"least": least, "most": most},
            )
        return float(value)

    def whole(self, field: str, *, least: int = 1, most: int = 10**12) -> int | None:
        value: object = self.get(field)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.refuse(
                field,
                _("write a whole number from %(least)d to %(most)d.")
                % {"least": least, "most": most},
            )
        return value

    def money(self, field: str) -> Decimal | None:
        """Read an amount, which as a text is exact."""
        value = self.get(field)
        if value is None:
            return None
        try:
            amount = Decimal(str(value)) if not isinstance(value, bool) else Decimal("NaN")
        except InvalidOperation:
            amount = Decimal("NaN")
        if not amount.is_finite() or not 0 <= amount < 10**9:
            raise self.refuse(field, _('write an amount from 0, such as "2.50".'))
        return amount

    def section(self, field: str) -> "Fields":
        """Read an object inside; one that is not there is empty."""
        value = self.get(field)
        return Fields({} if value is None else value, self.name(field))

    def finish(self) -> None:
        """Refuse what nobody asked for: a misspelt limit would be no limit."""
        for field in self._document:
            if field in self._known:
                continue
            if "key" in field.lower():
                raise self.refuse(
                    field,
                    _(
                        "leave keys out of the file: put the key into an environment variable and"
                        " name it with --key-env."
                    ),
                )
            known = ", ".join(sorted(self._known))
            raise self.refuse(
                field, _("nothing is called so here; there are %(known)s.") % {"known": known}
            )
