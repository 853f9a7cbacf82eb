"""A world whose texts can be told apart, and what templates miss."""

import pgtrigger
import pytest
from django.template import engines

from curation.problems.certificates.models import Certificate
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem, Revision
from grading.answers.models import Grade
from grading.answers.tallies.keeping import recount
from grading.disputes.keys.models import KeyCheck
from grading.studies.models import StudyItem
from tests.addresses import World
from tests.every_page.language import TITLE, WORDS, Misses
from tests.every_page.shown import EED, Mark, Part
from tests.memory import remembered
from tests.world import KEY, SOLUTION


@pytest.fixture
@remembered
def world(world: World) -> World:
    # One is English, to be translated into Chinese.
    Problem.objects.exclude(pk=world.translated.pk).update(title=TITLE, language="zh")
    return world


@pytest.fixture
@remembered
def marks(world: World) -> dict[str, Mark]:
    """Put a number of its own into each text of each submitted revision, and tell whose it is."""
    marks: dict[str, Mark] = {}
    with pgtrigger.ignore(
        "curation.Revision:submitted_revision_is_frozen",
        "curation.Certificate:finished_certificate_is_frozen",
        "grading.Grade:grade_is_append_only",
        "grading.StudyItem:pool_of_a_frozen_study_stays",
    ):
        for revision in Revision.objects.submitted():
            for place, part in enumerate((Part.STATEMENT, *Exposure.KEY), start=1):
                marks[f"{6_000_000 + revision.pk * 10 + place}"] = (revision.pk, part)
            first = 6_000_000 + revision.pk * 10
            is_accepted = revision.problem_id == world.accepted.pk
            is_english = revision.problem_id == world.translated.pk
            asked = revision.statement.replace(WORDS, "What does it lose" if is_english else WORDS)
            answer = f"{first + 2} m g h" + (f" + {KEY}" if is_accepted else "")
            Revision.objects.filter(pk=revision.pk).update(
                statement=f"{asked} Case {first + 1}, where $m$ falls.",
                # The accepted one's own numbers stay: they are looked for as well.
                answer=answer,
                solution=f"It is ${first + 3}$" + (f" or ${SOLUTION}$." if is_accepted else "."),
            )
            Certificate.objects.filter(problem=revision.problem_id).update(answer=answer)
            # These keep a copy.
            StudyItem.objects.filter(item__revision=revision).update(
                statement=f"It falls in case {first + 1}."
            )
            Grade.objects.filter(attempt__revision=revision).update(
                reference_read=answer, verdict="PARTIAL", accuracy=0, eed=EED
            )
            for check in KeyCheck.objects.filter(revision=revision):
                groups = [
                    {**one, "latex": answer} if one["is_key"] else one for one in check.groups
                ]
                KeyCheck.objects.filter(pk=check.pk).update(groups=groups)
    recount()
    # Whatever says it says how an answer was graded; sums do, too: there is one answer.
    marks[f"{EED:.1f}"] = (world.attempt.revision_id, Part.VERDICT)
    return marks


@pytest.fixture
def misses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List the variables that templates name and pages do not give them."""
    noted = Misses()
    monkeypatch.setattr(engines["django"].engine, "string_if_invalid", noted)
    return noted.names
