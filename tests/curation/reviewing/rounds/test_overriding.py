"""Admins who decide instead of a rule: how it shows, and where they may not."""

import pytest

from curation.authoring.drafts import actions
from curation.problems.people.models import Contribution
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.stages import list_stages
from curation.texts.workflow import NotAllowedNow, Status
from phybench.people.models import Role
from tests.curation.reviewing.rounds.opened import decide_round, open_round

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("step", "status"),
    [
        ("PASS", Status.IN_REVIEW),
        ("ACCEPT", Status.ACCEPTED),
        ("RETURN", Status.RETURNED),
        ("REJECT", Status.REJECTED),
    ],
)
def test_an_admin_decides_instead_of_the_rule_and_it_shows(problem, admin, step, status):
    waiting = open_round(problem)
    decide_round(waiting, admin, step, "Asked by mail.")
    problem.refresh_from_db()
    waiting.refresh_from_db()
    assert problem.status == status
    assert (waiting.decision, waiting.decided_by) == (step, admin)
    assert waiting.override_reason == "Asked by mail."
    event = problem.events.last()
    assert (event.kind, event.actor, event.is_override) == (step, admin, True)
    assert event.note == "Asked by mail."
    assert ReviewRound.objects.open().exists() is (step == "PASS")
    assert list_stages(problem)[0].is_override


def test_to_pass_the_last_stage_by_override_accepts(draft, contributor, admin):
    waiting = actions.submit(problem=draft, author=contributor)
    decide_round(waiting, admin, "PASS", "Known by all.")
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED
    assert Contribution.objects.filter(kind="AUTHORED").exists()


def test_an_override_needs_a_reason_an_admin_and_an_open_round(problem, admin, reviewer):
    waiting = open_round(problem)
    for person, step, reason in [
        (admin, "ACCEPT", "  "),
        (admin, "WITHDRAW", "Because."),
        (reviewer, "ACCEPT", "Because."),
    ]:
        with pytest.raises(NotAllowedNow):
            decide_round(waiting, person, step, reason)
    decide_round(waiting, admin, "REJECT", "Because.")
    with pytest.raises(NotAllowedNow, match="closed"):
        decide_round(waiting, admin, "ACCEPT", "Because.")


def test_nobody_overrides_the_rule_on_a_problem_of_their_own(draft, contributor):
    contributor.roles = [Role.CONTRIBUTOR, Role.ADMIN]
    contributor.save()
    waiting = actions.submit(problem=draft, author=contributor)
    with pytest.raises(NotAllowedNow):
        decide_round(waiting, contributor, "ACCEPT", "Mine.")
