"""What tests of translations begin with."""

from django.urls import reverse

from curation.authoring.translations import actions as translating
from curation.problems.models import Problem
from curation.problems.people.models import Credit
from curation.problems.translations.models import Translation
from phybench.people.models import User
from tests.conftest import ask_to_translate

CHINESE = "质量为 $m$ 的小球静止于高度 $h$ 处。下落过程中它失去多少能量？"
SOLUTION = "它相对地面的能量为 $m g h$。"


def assign(problem: Problem, by: User, person: User, language: str = "zh") -> Credit:
    return ask_to_translate(problem, by, person, language)


def translate(problem: Problem, translator: User, saved_at: str = "", **texts: str) -> Translation:
    return translating.save_translation(
        problem=problem,
        language="zh",
        translator=translator,
        saved_at=saved_at,
        **{"statement": CHINESE, "solution": SOLUTION, **texts},
    )


def check(problem: Problem, checker: User, translation: Translation) -> Translation:
    return translating.check_translation(
        problem=problem,
        language="zh",
        checker=checker,
        saved_at=translation.saved_at.isoformat(),
    )


def address(problem: Problem, asked: str = "") -> str:
    return reverse("curation:translation", args=[problem.pk, "zh"]) + asked
