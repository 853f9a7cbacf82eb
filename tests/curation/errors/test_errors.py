import pytest
from django.db import ProgrammingError, transaction

from curation.authoring.drafts import actions
from curation.exchange.published import import_published
from curation.problems import actions as problems_actions
from curation.problems.models import Event, Problem, Revision
from curation.problems.people.models import Contribution
from curation.problems.permissions import can_edit, list_to_write
from curation.reports import actions as reporting
from curation.reports.actions import ReportedAlready
from curation.reports.errata import have_equal_answers
from curation.reports.models import Erratum, ErrorReport, ReportReply
from curation.reports.permissions import list_reports
from curation.reviewing.decisions.permissions import can_override
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.permissions import can_review
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow, Status, Step
from curation.versions.permissions import list_to_answer, may_answer
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence
from tests.certificates import give_certificate
from tests.conftest import accept, make_draft, make_person, submit
from tests.curation.errors.reports import (
    WRONG,
    accept_correction,
    decide,
    report_error,
    submit_correction,
    write_correction,
)
from tests.curation.reviewing.rounds.opened import decide_round

pytestmark = pytest.mark.django_db
REFUSED_BY_A_TRIGGER = ProgrammingError


@pytest.fixture
def report(accepted_problem, participant) -> ErrorReport:
    return report_error(accepted_problem, participant, own_answer="2 m g h")


@pytest.fixture
def reopened(report, admin, accepted_problem) -> Problem:
    decide(report, admin, "KEY_FIXED")
    accepted_problem.refresh_from_db()
    return accepted_problem


def reload(row):
    return type(row).objects.get(pk=row.pk)


# --- Reporting ------------------------------------------------------------------------------


def test_a_report_is_about_the_accepted_revision(report, accepted_problem, participant):
    assert report.revision == accepted_problem.accepted_revision
    assert (report.reporter, report.own_answer, report.is_open) == (participant, "2 m g h", True)


def test_sent_twice_it_is_one_and_more_is_said_where_it_is(report, accepted_problem, participant):
    assert report_error(accepted_problem, participant, own_answer="2 m g h") == report
    with pytest.raises(ReportedAlready) as refusal:
        report_error(accepted_problem, participant, text="Another thing.")
    assert refusal.value.report == report
    other = report_error(accepted_problem, participant, kind="STATEMENT", text="Another thing.")
    assert other != report
    assert ErrorReport.objects.count() == 2


def test_what_is_not_in_use_has_no_errors_reported(draft, participant, admin, accepted_problem):
    new = make_draft(draft.author, draft.benchmark)
    with pytest.raises(NotAllowedNow, match="not in use"):
        report_error(new, participant)
    problems_actions.retire(problem=accepted_problem, admin=admin, note="Old.")
    with pytest.raises(NotAllowedNow, match="not in use"):
        report_error(accepted_problem, participant)


def test_a_report_is_read_by_its_reporter_the_writers_the_reviewers_and_admins(
    report, participant, contributor, reviewer, admin
):
    for person in (participant, contributor, reviewer, admin):
        assert report in list_reports(person), person
    for role in Role:
        if role != Role.ADMIN:
            other = make_person(role, f"other-{role.lower()}")
            assert report not in list_reports(other)
            with pytest.raises(NotAllowedNow, match="not yours"):
                reporting.reply(report=report, person=other, text="I think so too.")


def test_a_reply_sent_twice_is_said_once(report, contributor, participant):
    for _ in range(2):
        reporting.reply(report=report, person=contributor, text="Are you sure?")
    reporting.reply(report=report, person=participant, text="Yes.")
    reporting.reply(report=report, person=contributor, text="Are you sure?")
    assert [one.text for one in report.replies.all()] == ["Are you sure?", "Yes.", "Are you sure?"]


def test_what_was_said_stays(report, contributor):
    reporting.reply(report=report, person=contributor, text="Are you sure?")
    for change in (
        lambda: ErrorReport.objects.update(text="Nothing."),
        lambda: ErrorReport.objects.all()._raw_delete("default"),
        lambda: ReportReply.objects.update(text="Nothing."),
        lambda: ReportReply.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
            change()


# --- Deciding -------------------------------------------------------------------------------


def test_no_error_closes_it_and_changes_nothing(report, admin, accepted_problem):
    decide(report, admin, "NO_ERROR", "The factor is in the integral.")
    closed = reload(report)
    assert (closed.is_open, closed.outcome, closed.decided_by) == (False, "NO_ERROR", admin)
    assert reload(accepted_problem).status == Status.ACCEPTED
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        ErrorReport.objects.update(outcome="WITHDRAWN")


@pytest.mark.parametrize(
    ("outcome", "reason", "message"),
    [("NO_ERROR", " ", "Say why"), ("", "So.", "Choose"), ("MAYBE", "So.", "Choose")],
)
def test_a_decision_has_an_outcome_and_a_reason(report, admin, outcome, reason, message):
    with pytest.raises(NotAllowedNow, match=message):
        decide(report, admin, outcome, reason)
    assert reload(report).outcome == ""


def test_only_an_admin_decides_and_only_once(report, contributor, admin):
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        decide(report, contributor, "NO_ERROR")
    decide(report, admin, "NO_ERROR")
    other = make_person(Role.ADMIN, "other-admin")
    with pytest.raises(NotAllowedNow, match="Admin has already decided it: no error"):
        decide(report, other, "WITHDRAWN")


def test_a_fix_reopens_the_problem_and_what_was_accepted_stands(
    reopened, report, participant, contributor
):
    assert (reopened.status, reopened.is_in_correction) == (Status.RETURNED, True)
    assert reopened.accepted_revision == report.revision
    assert reload(report).awaits_correction
    event = reopened.events.latest("pk")
    assert (event.kind, event.revision) == (Step.REOPEN, report.revision)
    assert (translate(event.message), event.note) == (f"Error report {report.pk}:", WRONG)
    # Answers are graded against it; people are not asked for their one try meanwhile.
    assert reopened in Problem.objects.accepted()
    assert not may_answer(participant, reload(report.revision))
    assert reopened not in list_to_answer(participant)
    assert can_edit(contributor, reopened)
    submit_correction(reopened, contributor)
    assert Revision.objects.current().get(problem=reopened) == report.revision


def test_the_next_revision_accepted_closes_the_report_and_leaves_an_erratum(
    reopened, report, contributor, reviewer, participant
):
    accepted_at, wrong = reopened.accepted_at, report.revision
    fixed = accept_correction(reopened, contributor, reviewer)
    assert (reopened.status, fixed.number) == (Status.ACCEPTED, 2)
    assert Revision.objects.current().get(problem=reopened) == fixed
    # What was handed in before is still measured against what there was then.
    assert reopened.accepted_at == accepted_at
    erratum = Erratum.objects.get()
    assert (erratum.revision, erratum.corrected_by, erratum.report) == (wrong, fixed, report)
    assert (erratum.text, erratum.is_of_key) == (WRONG, True)
    assert not reload(report).is_open
    found = Contribution.objects.get(kind="FOUND_ERROR")
    assert (found.person, found.revision) == (participant, wrong)
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        Erratum.objects.update(text="Nothing.")


@pytest.mark.parametrize(
    ("answer", "is_of_key"), [("h g m", False), (r"\frac{2 m g h}{2}", False), ("2 m g h", True)]
)
def test_an_erratum_claims_a_wrong_answer_only_where_its_value_changed(
    reopened, contributor, reviewer, client, answer, is_of_key
):
    review_round = submit_correction(reopened, contributor, answer)
    submit_review(review_round=review_round, reviewer=reviewer, recommendation="ACCEPT", comment="")
    assert Erratum.objects.get().is_of_key == is_of_key
    client.force_login(contributor)
    page = client.get(reopened.get_absolute_url()).content.decode()
    assert ("The reference answer was wrong" in page) == is_of_key
    assert ("its value is the same: grades don’t change" in page) == (not is_of_key)


def test_an_answer_that_could_never_be_read_was_wrong(benchmark, contributor, reviewer):
    broken = make_draft(contributor, benchmark, answer="m g h")
    accepted = accept(broken, contributor, reviewer).accepted_revision
    unread = Revision(problem=broken, number=9, answer=r"\int x", statement=accepted.statement)
    assert not have_equal_answers(unread, accepted)
    assert have_equal_answers(accepted, accepted)


def test_an_author_who_finds_their_own_error_gets_no_points_for_it(
    accepted_problem, contributor, reviewer, admin
):
    decide(report_error(accepted_problem, contributor), admin, "STATEMENT_FIXED")
    accept_correction(accepted_problem, contributor, reviewer)
    assert not Erratum.objects.get().is_of_key
    assert not Contribution.objects.filter(kind="FOUND_ERROR").exists()


@pytest.mark.parametrize("recommendation", ["REVISE", "REJECT"])
def test_a_correction_that_is_not_accepted_goes_back(
    reopened, contributor, reviewer, report, admin, recommendation
):
    review_round = submit_correction(reopened, contributor)
    submit_review(
        review_round=review_round,
        reviewer=reviewer,
        recommendation=recommendation,
        comment="No.",
    )
    if recommendation == "REJECT":
        # No rule rejects: a person does.
        decide_round(review_round, admin, "REJECT", "No.")
    reopened.refresh_from_db()
    assert (reopened.status, reopened.accepted_revision) == (Status.RETURNED, report.revision)
    assert reload(report).awaits_correction
    assert reload(review_round).decision == Step.RETURN


def test_two_reports_are_closed_by_one_correction(
    reopened, report, contributor, reviewer, admin, evaluator
):
    second = report_error(reopened, evaluator, kind="STATEMENT", text="Which height?")
    decide(second, admin, "STATEMENT_FIXED", "It was not said which height.")
    late = report_error(reopened, evaluator, kind="OTHER", text="The same.")
    assert reopened.events.filter(kind=Step.REOPEN).count() == 1
    fixed = accept_correction(reopened, contributor, reviewer)
    assert [(one.report, one.is_of_key) for one in fixed.corrects.all()] == [
        (report, True),
        (second, False),
    ]
    # One that was decided only later finds its revision corrected.
    decide(late, admin, "STATEMENT_FIXED", "It was not said which height.")
    assert not reload(late).is_open
    assert reload(late).erratum.corrected_by == fixed
    assert reload(reopened).status == Status.ACCEPTED


def test_an_error_in_a_correction_is_corrected_like_any(reopened, contributor, reviewer, admin):
    second = accept_correction(reopened, contributor, reviewer)
    report = report_error(reopened, make_person(Role.PARTICIPANT, "late"), text="Three times.")
    assert report.revision == second
    decide(report, admin, "KEY_FIXED", "It is three times as much.")
    write_correction(reopened, contributor, "3 m g h")
    review_round = submit(reopened, contributor)
    submit_review(review_round=review_round, reviewer=reviewer, recommendation="ACCEPT", comment="")
    assert [(one.revision.number, one.corrected_by.number) for one in Erratum.objects.all()] == [
        (1, 2),
        (2, 3),
    ]


# --- Giving it up, withdrawing --------------------------------------------------------------


def test_a_correction_is_given_up_and_its_reports_are_open_again(
    reopened, report, admin, contributor
):
    write_correction(reopened, contributor)
    reporting.keep(problem=reopened, admin=admin, reason="It was right.")
    reopened.refresh_from_db()
    assert (reopened.status, reopened.accepted_revision) == (Status.ACCEPTED, report.revision)
    assert reopened.events.latest("pk").kind == Step.KEEP
    again = reload(report)
    assert (again.is_open, again.outcome) == (True, "")
    reply = again.replies.get()
    assert (reply.message, reply.text) == (Sentence("correction_abandoned"), "It was right.")
    decide(again, admin, "NO_ERROR")
    # Reopened once more, its author goes on with what was written.
    decide(report_error(reopened, contributor), admin, "KEY_FIXED")
    assert reopened.revisions.filter(submitted_at=None).count() == 1


def test_only_what_is_being_corrected_is_kept(accepted_problem, admin, contributor, reopened):
    with pytest.raises(NotAllowedNow, match="not being corrected"):
        reporting.keep(problem=reopened, admin=contributor, reason="Mine.")
    with pytest.raises(NotAllowedNow, match="Say why"):
        reporting.keep(problem=reopened, admin=admin, reason=" ")
    submit_correction(reopened, contributor)
    with pytest.raises(NotAllowedNow, match="in review"):
        reporting.keep(problem=reopened, admin=admin, reason="So.")


def test_a_problem_that_was_only_returned_is_not_kept_as_if_it_had_been_accepted(
    draft, contributor, reviewer, admin
):
    submit_review(
        review_round=submit(draft, contributor),
        reviewer=reviewer,
        recommendation="REVISE",
        comment="Say more.",
    )
    with pytest.raises(NotAllowedNow, match="not being corrected"):
        reporting.keep(problem=draft, admin=admin, reason="So.")


def test_to_withdraw_it_retires_the_problem_and_closes_all_its_reports(
    report, accepted_problem, admin, evaluator
):
    other = report_error(accepted_problem, evaluator)
    decide(report, admin, "WITHDRAWN", "It has no answer.")
    assert reload(accepted_problem).status == Status.RETIRED
    for one in (report, other):
        assert (reload(one).outcome, reload(one).is_open) == ("WITHDRAWN", False)
    assert accepted_problem not in Problem.objects.accepted()


def test_what_is_being_corrected_is_withdrawn_but_not_while_that_is_in_review(
    reopened, admin, evaluator, contributor, reviewer
):
    other = report_error(reopened, evaluator)
    review_round = submit_correction(reopened, contributor)
    with pytest.raises(NotAllowedNow, match="in review"):
        decide(other, admin, "WITHDRAWN")
    decide_round(review_round, admin, "RETURN", "So.")
    decide(other, admin, "WITHDRAWN")
    kinds = list(Event.objects.filter(problem=reopened).values_list("kind", flat=True))[-2:]
    assert kinds == [Step.KEEP, Step.RETIRE]
    assert not ErrorReport.objects.open().exists()


def test_nothing_is_corrected_in_a_retired_problem(report, accepted_problem, admin):
    problems_actions.retire(problem=accepted_problem, admin=admin, note="Old.")
    with pytest.raises(NotAllowedNow, match="retired"):
        decide(report, admin, "KEY_FIXED")
    decide(report, admin, "WITHDRAWN", "It is retired.")
    assert not reload(report).is_open


# --- A published problem has no author ------------------------------------------------------


@pytest.fixture
def published(benchmark, participant, admin) -> Problem:
    problem = import_published(
        benchmark=benchmark,
        published_id="54",
        title="A falling ball",
        domain="MECHANICS",
        statement="A ball of mass $m$ falls from the height $h$. What energy does it lose?",
        answer="m g h",
        solution="",
        broken_rules=[],
    )
    decide(report_error(problem, participant), admin, "KEY_FIXED")
    return reload(problem)


def test_an_admin_writes_the_correction_and_somebody_else_decides_on_it(
    published, admin, reviewer, contributor
):
    admin.roles = [Role.ADMIN, Role.CONTRIBUTOR, Role.REVIEWER]
    admin.save()
    assert not can_edit(contributor, published)
    draft = actions.save_draft(
        problem=published, author=admin, saved_at="", answer="2 m g h", reason="It was wrong."
    )
    give_certificate(published)
    Problem.objects.filter(pk=published.pk).update(difficulty="HIGH_SCHOOL")
    review_round = submit(reload(published), admin)
    review_round.revision = draft
    draft.problem = reload(published)
    assert not can_override(admin, review_round)
    assert not can_review(admin, review_round)
    submit_review(review_round=review_round, reviewer=reviewer, recommendation="ACCEPT", comment="")
    assert reload(published).accepted_revision == draft
    assert Erratum.objects.get().corrected_by == draft


def test_an_admin_still_writes_nobody_elses_draft(draft, admin):
    assert not can_edit(admin, draft)
    assert draft not in list_to_write(admin)


def test_what_the_database_holds_of_an_accepted_problem(accepted_problem, contributor, benchmark):
    from django.db import IntegrityError

    with pytest.raises(IntegrityError), transaction.atomic():
        Problem.objects.filter(pk=accepted_problem.pk).update(accepted_revision=None)
    assert isinstance(contributor, User)
    with pytest.raises(NotAllowedNow):
        make_draft(contributor, benchmark).take_step(Step.REOPEN, revision=None, actor=None)


def test_accepting_needs_no_report(contributor, reviewer, benchmark):
    accept(make_draft(contributor, benchmark), contributor, reviewer)
    assert not Erratum.objects.exists()
