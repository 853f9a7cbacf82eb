"""A worked example to begin a first problem from, in each language of the pages."""

from typing import Any

from phybench.people.models import Language

ANSWER = r"v_0 \sqrt{\frac{2 h}{g}}"
_COMMON = {
    "domain": "MECHANICS",
    "difficulty": "HIGH_SCHOOL",
    "quantity": "x",
    "unit": "m",
    "terms": ["v_0", "h", "g"],
    "answer": ANSWER,
    "must_accept": [r"\sqrt{\frac{2 h v_0^2}{g}}"],
    "must_reject": [r"v_0 \sqrt{\frac{h}{g}}", r"\frac{2 h v_0}{g}"],
}

EXAMPLES: dict[str, dict[str, Any]] = {
    Language.EN: {
        **_COMMON,
        "title": "Worked example: a ball thrown off a cliff",
        "statement": "A small ball is thrown horizontally off a cliff with the speed $v_0$. It "
        "lands on the level ground, which lies $h$ below the point where it was released. The "
        "acceleration due to gravity is $g$; neglect the resistance of the air.\n\n"
        "Find the horizontal distance $x$ that the ball travels.",
        "symbols": [
            {"latex": "v_0", "meaning": "initial speed", "unit": "m/s", "sign": "positive"},
            {"latex": "h", "meaning": "height of the fall", "unit": "m", "sign": "positive"},
            {"latex": "g", "meaning": "acceleration due to gravity", "unit": "m/s^2",
             "sign": "positive"},
            {"latex": "x", "meaning": "horizontal distance", "unit": "m", "sign": "positive"},
        ],
        "solution": "It falls freely: $h = \\frac{1}{2} g t^2$, so that "
        "$t = \\sqrt{\\frac{2 h}{g}}$.\n\nNothing accelerates it horizontally: "
        "$$x = v_0 t = v_0 \\sqrt{\\frac{2 h}{g}}.$$",
    },
    Language.ZH: {
        **_COMMON,
        "title": "示例：从悬崖水平抛出的小球",
        "statement": "将一小球从悬崖边以速率 $v_0$ 水平抛出，小球落在比抛出点低 $h$ 的水平地面上。"
        "重力加速度为 $g$，不计空气阻力。\n\n求小球运动的水平距离 $x$。",
        "symbols": [
            {"latex": "v_0", "meaning": "初速率", "unit": "m/s", "sign": "positive"},
            {"latex": "h", "meaning": "下落高度", "unit": "m", "sign": "positive"},
            {"latex": "g", "meaning": "重力加速度", "unit": "m/s^2", "sign": "positive"},
            {"latex": "x", "meaning": "水平距离", "unit": "m", "sign": "positive"},
        ],
        "solution": "竖直方向为自由落体运动：$h = \\frac{1}{2} g t^2$，"
        "故 $t = \\sqrt{\\frac{2 h}{g}}$。\n\n"
        "水平方向为匀速运动：$$x = v_0 t = v_0 \\sqrt{\\frac{2 h}{g}}.$$",
    },
}  # fmt: skip


def fill_in() -> dict[str, Any]:
    """Return what the form of a new problem begins with, in the language of the page."""
    chosen = Language.of_pages().value
    rows = [
        {"meaning": "", "unit": "", "sign": "positive", "low": "", "high": "", **row}
        for row in EXAMPLES[chosen]["symbols"]
    ]
    return {**EXAMPLES[chosen], "symbols": rows, "language": chosen}


def is_example(statement: str) -> bool:
    """Whether a statement is one of these, as it stands."""
    return any(statement.split() == one["statement"].split() for one in EXAMPLES.values())
