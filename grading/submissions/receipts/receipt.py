"""
What a receipt says, as JSON with sorted keys.

Two kinds hold the same figures. The public one commits to single answers by a hash with a secret
salt, as an item that is told to be correct tells its key; the full one has them, and the salt.
"""

import hmac
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

FORMAT: Final = "phybench-receipt"
FORMAT_VERSION: Final = 1

Kind = Literal["public", "full"]
Decider = Literal["grader", "person"]
"""Who an item's outcome is from."""
Verdict = Literal["CORRECT", "PARTIAL", "INCORRECT", "UNREADABLE"]


def _check_moment(value: datetime) -> datetime:
    # The database is asked in UTC, where the last hours of 9999 are of no year.
    try:
        value.astimezone(UTC)
    except OverflowError:
        raise ValueError("no such day in UTC") from None
    return value


def _check_address(value: str) -> str:
    urlsplit(value)
    return value


Moment = Annotated[AwareDatetime, AfterValidator(_check_moment)]
Address = Annotated[str, AfterValidator(_check_address)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class ReceiptBenchmark(_Part):
    slug: str
    name: str
    version: int | None
    """None where it was handed in before there were versions."""
    version_sha256: str


class ReceiptSubmission(_Part):
    id: int
    address: Address
    solver: str
    organisation: str
    number: int
    of: int
    """How many its model had to this benchmark then, withdrawn ones too."""
    file_sha256: str
    handed_in_at: Moment
    published_at: Moment | None
    withdrawn_at: Moment | None
    file_name: str | None = None
    """Its organisation's to know."""


class ReceiptRun(_Part):
    number: int
    grader_version: str
    """That of its beginning; `graders` has those of the grades."""
    adopted_at: Moment | None
    keys_sha256: str
    why: str | None = None
    """In the words of an admin, who may have named a key."""


class ReceiptGrader(_Part):
    judge: str
    judge_version: str
    sympy_version: str
    answers: int


class ReceiptCarried(_Part):
    """A later version, where the answers count that its model gave to what is unchanged in it."""

    version: int
    version_sha256: str
    problems: int
    """In its public part, without those that were withdrawn by then."""
    unchanged: int


QUOTED = ("value", "low", "high")


class ReceiptMean(_Part):
    value: float | None
    """None where it may not be quoted, as `low` and `high`: while not all is graded."""
    low: float | None
    high: float | None
    count: int
    least: float | None
    """Where all that is not graded is wrong; `most`: right."""
    most: float | None

    @model_validator(mode="before")
    @classmethod
    def _quote(cls, said: Any) -> Any:
        # Receipts of before have a mean of what was graded: they are still to agree.
        if isinstance(said, Mapping) and said.get("least") != said.get("most"):
            return {**said, **dict.fromkeys(QUOTED)}
        return said


class ReceiptScores(_Part):
    problems: int
    answers: int
    samples: int
    """Answers to the problem that has most of them."""
    correct: int
    similar: int
    incorrect: int
    unreadable: int
    unreadable_by_reason: dict[str, int] | None
    """None: of few problems it is not told."""
    not_graded: int
    not_graded_by_reason: dict[str, int] | None
    missing: int
    waiting: int
    accuracy: ReceiptMean
    eed: ReceiptMean

    @model_validator(mode="before")
    @classmethod
    def _tell_nothing_meanwhile(cls, said: Any) -> Any:
        if not isinstance(said, Mapping) or not said.get("waiting"):
            return said
        nothing = dict.fromkeys((*QUOTED, "least", "most"))
        means = {
            name: {**mean, **nothing}
            for name in ("accuracy", "eed")
            if isinstance(mean := said.get(name), Mapping)
        }
        return {**said, **means}


class ReceiptItem(_Part):
    id: str
    sample: int
    response_sha256: str
    status: Literal["GRADED", "NOT_GRADED", "WAITING"]
    verdict: Verdict | None
    accuracy: float | None
    eed: float | None
    reason: str
    judge_version: str | None
    sympy_version: str | None
    decided_by: Decider | None
    automatic_verdict: Verdict | Literal["NOT_GRADED"] | None
    """Where a person decided: what the grader said, or NOT_GRADED."""
    automatic_eed: float | None

    @property
    def key(self) -> tuple[str, int]:
        return self.id, self.sample


class Receipt(_Part):
    format: Literal["phybench-receipt"] = FORMAT
    format_version: Literal[1] = FORMAT_VERSION
    kind: Kind
    made_at: Moment
    benchmark: ReceiptBenchmark
    submission: ReceiptSubmission
    run: ReceiptRun | None
    """None where nothing is graded yet."""
    graders: list[ReceiptGrader]
    settings: dict[str, int | float]
    """Those of now: no grade records them, since none of them moves one."""
    as_published: ReceiptScores
    """Over all problems of the version."""
    corrected: ReceiptScores | None
    """Without the problems that were withdrawn since; None where none was."""
    carried: list[ReceiptCarried] = []
    """None while it is not published, nor once it is withdrawn."""
    items_sha256: str
    items_salt: str | None = Field(default=None, validate_default=True)
    items: list[ReceiptItem] | None = Field(default=None, validate_default=True)

    @field_validator("items_salt", "items")
    @classmethod
    def _check_kind(cls, value: object, info: ValidationInfo) -> object:
        if (info.data.get("kind") == "full") == (value is None):
            raise ValueError("the full kind has it, and no other")
        return value

    @field_validator("items")
    @classmethod
    def _check_once(cls, value: list[ReceiptItem] | None) -> list[ReceiptItem] | None:
        if value and len({one.key for one in value}) < len(value):
            raise ValueError("an answer is told of more than once")
        return value

    def describe(self) -> dict[str, Any]:
        """Return it as JSON has it; what only the full kind has is left out of the other."""
        described = self.model_dump(mode="json")
        if self.kind == "public":
            for part, name in _FULL_ONLY:
                holder = described[part] if part else described
                # Before anything is graded there is no run.
                if holder is not None:
                    del holder[name]
        return described

    def write(self) -> str:
        return json.dumps(self.describe(), ensure_ascii=False, sort_keys=True, indent=1) + "\n"


_FULL_ONLY = (("submission", "file_name"), ("run", "why"), ("", "items"), ("", "items_salt"))


def hash_items(items: Iterable[ReceiptItem], salt: str) -> str:
    """Commit to single answers: HMAC-SHA256 of their JSON, by a salt that is kept secret."""
    listed = [one.model_dump(mode="json") for one in items]
    return _hash(salt, json.dumps(listed, ensure_ascii=False, sort_keys=True))


def hash_keys(keys: Mapping[str, str], salt: str) -> str:
    """Commit to the keys of a run by the hash of each, which alone would let them be guessed."""
    return _hash(salt, "".join(f"{name} {sha256}\n" for name, sha256 in sorted(keys.items())))


def _hash(salt: str, text: str) -> str:
    return hmac.new(salt.encode(), text.encode(), "sha256").hexdigest()
