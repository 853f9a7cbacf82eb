"""The unscored problem before a session: it teaches how answers are typed and read."""

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from phybench.work import sandbox
from phybench_grader import JudgeError, grade, read
from phybench_grader.reading.reading import Reading, Unreadable

STATEMENT = _(
    "A stone is let go at rest at a height $h$ above the ground, where a free fall has the "
    "acceleration $g$. Neglect the air. Find the speed $v$ with which it reaches the ground."
)
KEY = r"\sqrt{2 g h}"
NAMES = ("g", "h")
WAYS = ("sqrt(2*g*h)", "√(2gh)", r"\sqrt{2gh}")
"""Three ways to type the same answer."""
QUESTION = "g h / 2 v"
"""What the question is about: how is this read?"""
CHOICES = (("over_both", r"\frac{g h}{2 v}"), ("over_two", r"\frac{g h}{2} v"))


def find_right_choice() -> str:
    """Ask the reader itself: the practice must not teach what it does not do."""
    is_over_both = grade(QUESTION, CHOICES[0][1], declared=("g", "h", "v")).accuracy == 100
    return "over_both" if is_over_both else "over_two"


def is_right(response: str) -> bool | None:
    """Tell whether the practice problem is answered; None where it takes too long to tell."""
    try:
        graded = sandbox.run(
            grade, response, KEY, declared=NAMES, deadline=settings.READING_DEADLINE_SECONDS
        )
    except (sandbox.Stopped, JudgeError):
        return None
    return graded.accuracy == 100


def show(text: str) -> dict[str, object]:
    """Return what `_read_as.html` shows of what is typed for practice."""
    if not text.strip():
        return {"text": text}
    try:
        reading: Reading = sandbox.run(
            read, text, declared=NAMES, deadline=settings.READING_DEADLINE_SECONDS
        )
    except Unreadable as unreadable:
        return {"text": text, "unreadable": unreadable}
    except (sandbox.Stopped, JudgeError):
        return {"text": text, "stopped": _("This takes too long to read. Write it shorter.")}
    return {"text": text, "reading": reading}
