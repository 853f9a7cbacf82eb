"""
Answers that a plainly fake endpoint gives, so that pages can be walked with no model at hand.

They follow from the prompt and from how often it was asked, and from nothing that is secret: some
are right by luck, most are wrong, some can't be read, and some calls fail. `fake_judge` has what
it says as a judge.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter

from grading.demo import fake_judge, fake_replies
from grading.demo.fake_endpoint import Request, Script
from grading.demo.fake_replies import FakeReply

MODELS = ("fake-steady", "fake-hasty")
"""The hasty one fails more often."""
_SYMBOL = re.compile(r"^- \$([^$\n]{1,40})\$", re.M)
_FEW = 6


def make_script() -> Script:
    """Make a script that answers each prompt otherwise each time, and in the same way each run."""
    asked: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(request: Request) -> FakeReply:
        prompt = request.prompt
        is_hasty = "hasty" in str(request.json.get("model", ""))
        data = fake_judge.read_data(prompt)
        # The marks around a judge's data are drawn anew each time.
        asks = repr(sorted(data.items())) if data else prompt
        with lock:
            asked[asks] += 1
            drawn = _draw(asks, asked[asks])
        if data:
            return fake_judge.judge(prompt, data, drawn, is_hasty=is_hasty)
        return _choose(prompt, drawn, is_hasty=is_hasty)

    return answer


def _draw(asks: str, time: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{time} {asks}".encode()).digest()[:4]) % 100


def _choose(prompt: str, drawn: int, *, is_hasty: bool) -> FakeReply:
    if is_hasty and drawn < 15:
        return fake_replies.rate_limited(retry_after="2")
    if is_hasty and drawn < 25:
        return fake_replies.cut_off("Let us begin with the forces on the")
    symbols = [found.strip() for found in _SYMBOL.findall(prompt)][:_FEW] or ["x"]
    product = " ".join(symbols)
    if drawn < 50:
        return _box(product)
    if drawn < 65:
        return _box(rf"\frac{{1}}{{2}} {product}")
    if drawn < 80:
        return _box(rf"\sqrt{{2 {product}}}")
    if drawn < 90:
        return _box(rf"\frac{{{symbols[0]}}}{{{' '.join(symbols[1:]) or '2'}}}")
    return fake_replies.with_reasoning(
        "It can’t be said from what is given.", "This endpoint is fake and thinks nothing."
    )


def _box(answer: str) -> FakeReply:
    return fake_replies.with_reasoning(
        f"This reply is made up by a fake endpoint.\n\n\\boxed{{{answer}}}",
        "This endpoint is fake and thinks nothing.",
    )
