"""
What a plainly fake endpoint says when asked to judge: plausible, made up, and at times no use.

It compares which letters and digits occur, which is not how one judges. The hasty one believes an
answer that asks to be believed, prefers at times whatever comes first, and some of its calls and
replies fail.
"""

from __future__ import annotations

import json
import re

from grading.demo import fake_replies
from grading.demo.fake_replies import FakeReply

_DATA = re.compile(r"<<<([A-Z_0-9]+(?: [AB123])?) ([0-9a-f]{16})\n(.*?)\n\1 \2>>>", re.S)
_BOX = re.compile(r"\\boxed\{(.*)\}")
_TOKEN = re.compile(r"(?:^id: |\[\[(?:n|A)\]\] )(k[0-9a-f]{12})\b", re.M)
"""What the reply has to bear, where our prompts ask for it: before any data."""
_ASKS_TO_BE_BELIEVED = re.compile(r"as correct|is_correct|ground truth was wrong", re.I)
_SIGN = re.compile(r"\\[A-Za-z]+|[A-Za-z]|\d")
_LAYOUT = {rf"\{name}" for name in ("frac", "dfrac", "sqrt", "left", "right", "cdot", "times")}
COMMENT = "Made up by a fake endpoint, which compares letters and digits and knows no physics."


_ANSWERS = (
    *("MODEL_RESPONSE", "SOLUTION", "ANSWER", "ANTWORT", "VASTAUS"),
    # Of several turns the last is judged.
    *(f"{name} {turn}" for turn in (3, 2) for name in ("ANSWER", "ANTWORT", "VASTAUS")),
)
_TRUTHS = (
    *("GROUND_TRUTH", "REFERENCE_ANSWER", "REFERENCE", "REFERENZ", "VERTAILU"),
    *(f"{name} {turn}" for turn in (3, 2) for name in ("REFERENCE", "REFERENZ", "VERTAILU")),
)


def read_data(prompt: str) -> dict[str, str]:
    """Return what stands between marks by its name: nothing, if no judgement is asked for."""
    return {name: text for name, _mark, text in _DATA.findall(prompt)}


def read_token(prompt: str) -> str:
    """Return what the reply has to bear."""
    asked = _TOKEN.search(prompt)
    return asked[1] if asked else ""


def judge(prompt: str, data: dict[str, str], drawn: int, *, is_hasty: bool) -> FakeReply:
    """Answer a prompt of ours for a judge; `drawn` is from 0 to 99."""
    if is_hasty and drawn < 8:
        return fake_replies.rate_limited(retry_after="1")
    if is_hasty and drawn < 12:
        return fake_replies.server_error()
    if is_hasty and drawn < 20:
        return fake_replies.ok("It looks good to me, well done!")
    truth = next((data[name] for name in _TRUTHS if name in data), "")
    token = read_token(prompt)
    if "SOLUTION A" in data:
        return _compare(data, truth, token, drawn, is_hasty=is_hasty)
    answer = next((data[name] for name in _ANSWERS if name in data), "")
    is_right = _is_right(answer, truth, is_hasty=is_hasty)
    if "GROUND_TRUTH" in data:
        return _match(token, _find(answer), drawn, is_right=is_right)
    if "SOLUTION" in data:
        score = 80 + drawn % 20 if is_right else drawn % 40
        scores = dict.fromkeys(("answer", "physics", "mathematics", "completeness"), score)
        return fake_replies.ok(json.dumps({"comment": COMMENT, **scores, "id": token}))
    rating = 8 + drawn % 3 if is_right else 1 + drawn % 4
    return fake_replies.ok(f"{COMMENT}\n\nRating: [[{rating}]] {token}")


def _is_right(answer: str, truth: str, *, is_hasty: bool) -> bool:
    if is_hasty and _ASKS_TO_BE_BELIEVED.search(answer):
        return True
    signs = _list_signs(truth)
    apart = signs ^ _list_signs(_find(answer))
    # A formula with numbers in it may, written otherwise, have another digit.
    may_differ = len({sign.isdigit() for sign in signs}) == 2
    return bool(signs) and len(apart) <= may_differ and all(sign.isdigit() for sign in apart)


def _compare(
    data: dict[str, str], truth: str, token: str, drawn: int, *, is_hasty: bool
) -> FakeReply:
    """Prefer the one that is right; if neither or both are, call it a tie."""
    a, b = (
        _is_right(data[name], truth, is_hasty=is_hasty) for name in ("SOLUTION A", "SOLUTION B")
    )
    preferred = "tie" if a is b else "A" if a else "B"
    if is_hasty and drawn < 50:
        preferred = "A"
    return fake_replies.ok(f"{COMMENT}\n\n[[{preferred}]] {token}")


def _match(token: str, found: str, drawn: int, *, is_right: bool) -> FakeReply:
    verdict = {
        "comment": COMMENT,
        "extracted_answer": found[:200],
        "is_correct": is_right,
        "reasoning_score": 4 if is_right else 1 + drawn % 3,
        "error_type": "none" if is_right else "wrong_logic",
        "id": token,
    }
    return fake_replies.ok(json.dumps(verdict))


def _find(answer: str) -> str:
    """Take the last box, or the last line."""
    if boxes := _BOX.findall(answer):
        return str(boxes[-1])
    return answer.strip().splitlines()[-1] if answer.strip() else ""


def _list_signs(text: str) -> set[str]:
    """List the letters, Greek ones too, and the digits that occur behind what is named."""
    return set(_SIGN.findall(text.rsplit("=", 1)[-1])) - _LAYOUT
