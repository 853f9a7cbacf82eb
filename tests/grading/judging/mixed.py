"""A mixed file: three languages, chats of one to three turns, and items that can't be used."""

import re
from collections import Counter
from typing import Any

from grading.demo.fake_endpoint import Request
from grading.demo.fake_replies import FakeReply
from tests.grading.endpoints import steps

LANGUAGES = {
    "en": ("You are an impartial reviewer", "Rating"),
    "de": ("Sie sind ein unparteiischer Gutachter", "Bewertung"),
    "fi": ("Olet puolueeton arvioija", "Arvosana"),
}
MIXED = {"kind": "rating", "language": "by_item", "turns": "by_item"}
BAD: list[tuple[dict[str, Any], list[str], str]] = [
    ({"id": "tool"}, ["tool", "user"], "a message by “tool”"),
    ({"id": "greeting"}, ["assistant", "user"], "an answer before the first question"),
]


def chat(*roles: str) -> list[dict[str, str]]:
    counted = Counter[str]()
    messages = []
    for role in roles:
        counted[role] += 1
        messages.append({"role": role, "content": f"{role} {counted[role]}."})
    return messages


def turns(count: int, **fields: Any) -> dict[str, Any]:
    """Make a chat in the seed's shape: of its answers, the last one stands apart."""
    roles = ["user", "assistant"] * count
    return {"messages": chat(*roles[:-1]), "completion": f"assistant {count}.", **fields}


def tell(request: Request) -> tuple[str, int, int]:
    """Tell from a request its language, its number of turns, and whether it has references."""
    language = next(code for code, (says, _) in LANGUAGES.items() if says in request.prompt)
    asked = len(re.findall(r"^<<<(?:QUESTION|FRAGE|KYSYMYS)\b", request.prompt, re.MULTILINE))
    references = len(re.findall(r"^<<<(?:REFERENCE|REFERENZ|VERTAILU)\b", request.prompt, re.M))
    return language, asked, references


def rate(request: Request) -> FakeReply:
    """Rate canaries as one should, and anything else 7."""
    is_canary = r"\boxed" in request.prompt
    is_right = is_canary and "2 m g" not in request.prompt
    rating = 7 if not is_canary else 10 if is_right else 1
    return steps.answer(request, f"{LANGUAGES[tell(request)[0]][1]}: [[{rating}]] TOKEN")


def list_mixed() -> list[dict[str, Any]]:
    """List an item for each language, number of turns and category, and then those that are bad."""
    rows: list[dict[str, Any]] = [
        turns(
            count,
            id=f"{language}-{count}-{category}",
            category=category,
            **named,
            reference=[f"reference {number}" for number in range(1, count + 1)],
        )
        for language, named in [
            ("en", {}),
            ("de", {"language": "de"}),
            ("fi", {"subject": "fi_mtbench"}),
        ]
        for count in (1, 2, 3)
        for category in ("math", "writing")
    ]
    bad = [{"messages": chat(*roles), "completion": "A.", **row} for row, roles, _says in BAD]
    lacking: list[dict[str, Any]] = [
        turns(2, id="one-reference", category="Coding", reference="reference 1"),
        turns(4, id="four", category="writing"),
        {"id": "swedish", "language": "sv", "messages": chat("user"), "completion": "A."},
        {"id": "unanswered", "messages": chat("user", "assistant", "user")},
        {"question": "Q?", "response": "A."},
    ]
    return [*rows, *bad, *lacking]


ASKED = Counter(
    (language, count, references)
    for language in LANGUAGES
    for count in (1, 2, 3)
    # With references in mathematics, and without for writing.
    for references in (0, count)
)
"""How often the mixed file is asked about: by language, number of turns and of references."""
# Five canaries in each language, which have one turn and a reference.
ASKED.update({(language, 1, 1): 5 for language in LANGUAGES})
SKIPPED = {
    "bad_item": 3,
    "missing_reference": 1,
    "too_many_turns": 1,
    "no_prompt": 1,
    "response_errored": 1,
}
"""Why its other items are not asked about."""
