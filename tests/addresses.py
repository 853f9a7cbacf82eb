"""
Every address of the project, and who may have it: the table that walks over all of them go by.

A new address fails `every_page/test_walk.py` until the table says who may have it.
"""

import inspect
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.http import HttpResponseBase, QueryDict
from django.test import Client
from django.urls import NoReverseMatch, URLResolver, get_resolver, resolve, reverse

from curation.exchange.models import Import
from curation.members.invitations.models import Invitation
from curation.members.models import Request
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.models import Conflict, Credit
from curation.reports.models import ErrorReport
from curation.reviewing.discussion.models import Thread
from curation.reviewing.rounds.models import Assignment, ReviewRound
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.board.reported.models import ReportedScore
from grading.disputes.contests.models import Contest
from grading.disputes.keys.models import KeyCheck
from grading.judging.models import JudgeFile, JudgeItem, JudgeRun
from grading.model_runs.models import ModelRun, ModelRunAnswer
from grading.model_runs.trials.models import Trial
from grading.runs.models import Endpoint
from grading.samples.audits.models import AuditLabeller, AuditSample
from grading.samples.first_errors.models import FirstErrorLabeller, FirstErrorSample
from grading.samples.labels.models import LabelFile
from grading.solvers.models import Membership
from grading.studies.models import Study
from grading.studies.sessions.models import Session
from grading.submissions.drafts.models import Draft, DraftFile
from phybench.news.jobs.models import Job
from phybench.pages.addresses import Address
from phybench.pages.listing import ListPage
from phybench.people.models import Role, User
from phybench.people.tokens.models import Token

PEOPLE = ("visitor", "nobody", *(role.lower() for role in Role))
LOGIN = "log in first"
"""What a visitor is told; anything else expected is a status."""


@dataclass
class World:
    """Something of everything, so that each address has something to show."""

    people: dict[str, User | None]
    author: User
    benchmark: Benchmark
    accepted: Problem
    in_review: Problem
    draft: Problem
    own_in_review: Problem
    """The contributor's; `in_review` is somebody else's."""
    review_round: ReviewRound
    disputed: ReviewRound
    """Over `accepted`: its reviews disagree."""
    submission: Submission
    """The evaluator's, not published."""
    membership: Membership
    """The evaluator's, of the organisation that handed it in."""
    attempt: Attempt
    contest: Contest
    """Of the grade of `attempt`: nobody has ruled on it."""
    credit: Credit
    offer: Credit
    """Offered to the contributor, who has not answered."""
    """Somebody else's name, on `draft`."""
    key_check: KeyCheck
    regrade: GradingRun
    """Beside the one that counts: nothing is graded in it yet."""
    transfer: Import
    """A file of the contributor's."""
    endpoint: Endpoint
    trial: Trial
    """Of `draft`."""
    report: ErrorReport
    """On `accepted`, by somebody who is none of these people, and came to the key."""
    judge_run: JudgeRun
    """On `submission`, by the rules alone."""
    judge_item: JudgeItem
    audit: AuditSample
    """Of `attempt`; an admin drew it."""
    labeller: AuditLabeller
    """Somebody who is none of these people."""
    first_errors: FirstErrorSample
    """Of a published model's one answer; an admin drew it."""
    first_error_labeller: FirstErrorLabeller
    """Somebody who is none of these people."""
    model_run: ModelRun
    """The evaluator's organisation's: nothing has come yet."""
    run_answer: ModelRunAnswer
    label_file: LabelFile
    """The evaluator's, only looked at."""
    judge_file: JudgeFile
    """The evaluator's organisation's."""
    translated: Problem
    """In review, and translated by the contributor."""
    reported: ReportedScore
    thread: Thread
    """Begun by another reviewer in `review_round`."""
    assignment: Assignment
    """The reviewer's, of `review_round`."""
    conflict: Conflict
    role_request: Request
    """Of the one without a role."""
    invitation: Invitation
    """To somebody who has no account."""
    invited: str
    """What the link of `invitation` ends with."""
    join_link: Invitation
    version: BenchmarkVersion
    """Published, with `accepted` in it."""
    item: VersionItem
    draft_version: BenchmarkVersion
    answers_draft: Draft
    """The evaluator's organisation's, of one file that is read."""
    answers_file: DraftFile
    api_token: Token
    """The evaluator's."""
    study: Study
    """Open to every participant."""
    sitting: Session
    """The participant's, going on."""
    token: str
    """Of the reviewer's reminders."""
    job: Job
    """The evaluator's, under way."""
    one: int = 1
    kind: str = "thread"
    chinese: str = "zh"
    harness: str = "jsonl"
    picture: str = "scatter"
    study_picture: str = "progress"


@dataclass(frozen=True)
class Expectation:
    arguments: str = ""
    """Attributes of the world that the address is made of, e.g. `accepted.pk`; blanks between."""
    visitor: int | str = LOGIN
    others: int = 200
    but: dict[str, int] = field(default_factory=dict)
    more: str = ""
    """What the address is asked besides, as `item=item.pk`."""

    def of(self, person: str) -> int | str:
        return self.visitor if person == "visitor" else self.but.get(person, self.others)


def only(
    *people: str, arguments: str = "", otherwise: int = 403, admin: int = 200, more: str = ""
) -> Expectation:
    """Let in only these, and admins."""
    but = {**dict.fromkeys(people, 200), "admin": admin}
    return Expectation(arguments, others=otherwise, but=but, more=more)


def posted(*people: str, arguments: str = "") -> Expectation:
    """Let only these, and admins, post something; nobody can read it."""
    return Expectation(arguments, others=403, but=dict.fromkeys((*people, "admin"), 405))


PUBLIC = Expectation(visitor=200)
SIGNED_IN = Expectation()


def by_token(arguments: str = "", status: int = 401) -> Expectation:
    """Let nobody in by a session; what tokens open is said in `tests/grading/api`."""
    return Expectation(arguments, visitor=status, others=status)


SITTING = {"participant": 404}
"""A session of theirs asks it: meanwhile they read it there alone."""
EXPECTED = {
    # Django's and allauth's own.
    "account_login": Expectation(visitor=200, others=302),
    "account_signup": Expectation(visitor=200, others=302),
    "account_logout": Expectation(visitor=302),
    "account_inactive": PUBLIC,
    "account_reauthenticate": SIGNED_IN,
    "account_confirm_login_code": Expectation(others=302),
    "account_email": SIGNED_IN,
    "account_change_password": SIGNED_IN,
    "account_set_password": Expectation(others=302),
    "account_email_verification_sent": PUBLIC,
    "account_reset_password": PUBLIC,
    "account_reset_password_done": PUBLIC,
    "account_reset_password_from_key_done": PUBLIC,
    # The project's.
    "board": PUBLIC,
    # There is an admin: tests/curation/versions/test_set_up.py.
    "curation:set_up": Expectation(visitor=404, others=404),
    # Not by a walk, which runs no demo: tests/phybench/test_demo_people.py.
    "sign_in_as": Expectation("author.pk", visitor=405, others=405),
    "board_of": Expectation("benchmark.slug", visitor=200),
    "rank_changes": only("admin", arguments="benchmark.slug regrade.pk"),
    "board_csv": Expectation("benchmark.slug", visitor=200),
    "board_picture": Expectation("benchmark.slug", visitor=200),
    # Two on a board compared: of what everybody sees there.
    **{
        name: Expectation("benchmark.slug", visitor=200)
        for name in ("compare", "compare_csv", "contrasts", "contrasts_csv")
    },
    # Without two there is nothing to draw.
    "compare_svg": Expectation("benchmark.slug", visitor=404, others=404),
    # What is told of a board besides: everybody reads it, and of nothing graded at once.
    **{
        name: Expectation("benchmark.slug", visitor=200)
        for name in (
            *("domains", "domains_csv", "domains_picture"),
            *("items", "items_csv", "items_picture"),
            *("scaling", "scaling_csv", "scaling_picture"),
        )
    },
    "item": Expectation("benchmark.slug item.pk", visitor=200),
    "freeze_panel": posted(arguments="benchmark.slug version.number"),
    "publish_judge": posted(arguments="benchmark.slug judge_run.configuration_id"),
    # Tokens are their makers'; of programs' own addresses a session opens none.
    "new_token": only("evaluator"),
    "revoke_token": Expectation("api_token.pk", others=404, but={"evaluator": 200}),
    "api": PUBLIC,
    "api_client": PUBLIC,
    "api_missing": by_token("token", 404),
    "api:openapi-json": PUBLIC,
    "api:api-root": by_token(status=404),
    **{f"api:{name}": by_token() for name in ("organisations", "drafts", "submissions")},
    "api:benchmarks": PUBLIC,
    "api:versions": Expectation("benchmark.slug", visitor=200),
    "api:problems": by_token("benchmark.slug version.number"),
    "api:task": by_token("benchmark.slug version.number harness"),
    "api:board": Expectation("benchmark.slug version.number", visitor=200),
    "api:draft": by_token("answers_draft.pk"),
    "api:notices": by_token("answers_draft.pk"),
    "api:submission": by_token("submission.pk"),
    "api:results": by_token("submission.pk"),
    "api:parts": by_token("answers_draft.pk", 405),
    "api:part": by_token("answers_draft.pk answers_file.pk", 405),
    "api:grade_draft": by_token("answers_draft.pk", 405),
    "api:publish": by_token("submission.pk", 405),
    "api:withdraw": by_token("submission.pk", 405),
    # Versions: what is published is for everybody, a draft for admins.
    "curation:versions": Expectation("benchmark.slug", visitor=200),
    "curation:versions?do=new": posted(arguments="benchmark.slug"),
    "curation:version": Expectation("benchmark.slug version.number", visitor=200),
    "curation:version?as=csv": Expectation("benchmark.slug version.number", visitor=200),
    "curation:version?as=jsonl": only("evaluator", arguments="benchmark.slug version.number"),
    "curation:version?do=edit": only(arguments="benchmark.slug draft_version.number"),
    "curation:publish_version": only(arguments="benchmark.slug draft_version.number"),
    **{
        f"curation:version?do={name}": posted(arguments="benchmark.slug draft_version.number")
        for name in ("draw", "refresh", "discard")
    },
    "curation:version?do=withdraw": only(
        arguments="benchmark.slug version.number", more="item=item.pk"
    ),
    "home": Expectation(others=302),
    "inbox": SIGNED_IN,
    "old_board": Expectation("benchmark.slug", visitor=301, others=301),
    "inbox?part=count": SIGNED_IN,
    "inbox?do=read": Expectation(others=405),
    "job": Expectation("job.pk", others=404, but={"evaluator": 200}),
    "profile?tab=e-mails": SIGNED_IN,
    # Signed: whoever holds the link, a mail program too.
    "stop_mails": Expectation("token", visitor=200),
    "profile": SIGNED_IN,
    "how_grading_works": PUBLIC,
    "live": PUBLIC,
    # No worker is there: tests/phybench/test_health.py.
    "ready": Expectation(visitor=503, others=503),
    "robots_txt": PUBLIC,
    # Of a site that names nobody there is none: tests/phybench/test_security_txt.py.
    "security_txt": Expectation(visitor=404, others=404),
    "choose_language": Expectation(visitor=405, others=405),
    "choose_scheme": Expectation(visitor=405, others=405),
    "prefer_language": Expectation(others=405),
    # Problems.
    "curation:problems": Expectation("benchmark.slug"),
    "curation:problem": Expectation("accepted.pk", but=SITTING),
    # What was before is for those who may see the key.
    "curation:compare": only(arguments="accepted.pk", otherwise=404),
    "curation:similar": Expectation("accepted.pk", but=SITTING),
    # It tells of answers.
    "curation:similar?part=count": only(arguments="accepted.pk", otherwise=404),
    "curation:new": Expectation("benchmark.slug"),
    **{
        f"curation:new?part={name}": Expectation("benchmark.slug", others=405)
        for name in ("save", "preview", "second")
    },
    # An admin reads everything, but a text is its author's.
    "curation:edit": only("contributor", arguments="draft.pk", admin=404, otherwise=404),
    **{
        f"curation:edit?part={name}": Expectation("draft.pk", others=405)
        for name in ("save", "preview", "second")
    },
    "curation:edit?part=certificate": only(
        "contributor", arguments="draft.pk", admin=404, otherwise=404
    ),
    # Nothing of it was asked to be submitted: it leads to the editor.
    "curation:edit?part=submission": Expectation(
        "draft.pk", others=404, but={"contributor": 302, "admin": 404}
    ),
    "curation:leave?do=delete": only("contributor", arguments="draft.pk", admin=404, otherwise=404),
    "curation:leave": only("contributor", arguments="own_in_review.pk", admin=404),
    "curation:submit": posted("contributor", arguments="draft.pk"),
    "curation:answer_remark": posted("contributor", arguments="draft.pk kind one"),
    "curation:problem?part=people": only("contributor", arguments="draft.pk", admin=404),
    # Of these its author; who is named is none of them.
    "curation:problem?do=uncredit": Expectation(
        "draft.pk", others=404, but={"contributor": 200}, more="credit=credit.pk"
    ),
    # Of `translated` the contributor is the translator; others who read it find no drafts.
    "curation:translations": only("contributor", arguments="translated.pk", otherwise=404),
    "curation:translation": only("contributor", arguments="translated.pk chinese", otherwise=404),
    **{
        f"curation:translation?{name}": Expectation("translated.pk chinese", others=405)
        for name in ("part=save", "part=preview", "do=check")
    },
    "curation:contributors": Expectation("benchmark.slug"),
    "curation:contributors?as=acknowledgements": Expectation("benchmark.slug"),
    "curation:my_contributions": SIGNED_IN,
    "curation:export": Expectation("benchmark.slug"),
    "curation:imports": only("contributor", arguments="benchmark.slug"),
    # Others' imports are theirs.
    "curation:import": only("contributor", arguments="benchmark.slug transfer.pk"),
    "curation:import?as=csv": only("contributor", arguments="benchmark.slug transfer.pk"),
    **{
        f"curation:import?do={name}": posted("contributor", arguments="benchmark.slug transfer.pk")
        for name in ("fill_in", "carry_out", "discard")
    },
    "curation:export?of=dataset": only(arguments="benchmark.slug"),
    "curation:records": only(),
    "curation:records?of=downloads": only(),
    "curation:queue": only("reviewer", arguments="benchmark.slug"),
    "curation:queue?show=splits": only(arguments="benchmark.slug"),
    "curation:queue?do=next": posted("reviewer", arguments="benchmark.slug"),
    "curation:queue?do=reject": posted(arguments="benchmark.slug"),
    **{
        f"curation:review?do={name}": posted("reviewer", arguments="review_round.pk")
        for name in ("take", "decline", "show", "note", "skip")
    },
    "curation:review_draft?do=drop": posted("reviewer", arguments="review_round.pk"),
    # Who may read a thread may answer it.
    "curation:talk?do=reply": Expectation("review_round.pk", others=405),
    "curation:talk?do=settle": Expectation("review_round.pk", others=405),
    "curation:assignments?show=asked": only(arguments="benchmark.slug"),
    "curation:assignments?do=revoke": posted(arguments="benchmark.slug"),
    **{
        f"curation:review_settings?do={name}": posted(arguments="benchmark.slug")
        for name in ("copy", "rename", "delete", "lift")
    },
    "curation:review_settings?do=mark": only(arguments="benchmark.slug"),
    "curation:review_settings?show=conflicts": only(arguments="benchmark.slug"),
    "curation:review_settings?show=plan": only(
        arguments="benchmark.slug", more="plan=benchmark.review_settings.pipeline_id"
    ),
    **{
        f"curation:stage?do={name}": posted(
            arguments="benchmark.slug review_round.version.stage_id"
        )
        for name in ("move", "delete")
    },
    "curation:review": only("reviewer", arguments="review_round.pk", admin=404),
    "curation:review?do=solve": posted("reviewer", arguments="review_round.pk"),
    # Errors found in what is accepted: a report is its reporter's, the writers' and reviewers'.
    "curation:new_report": Expectation("accepted.pk", but=SITTING),
    # How far a board can be trusted.
    **{
        name: Expectation("benchmark.slug version.number", visitor=200)
        for name in ("trust", "changes_csv", "access_csv")
    },
    # Scores that were reported elsewhere.
    **{
        f"grading:{name}": only()
        for name in ("reported", "reported_csv", "new_reported", "import_reported")
    },
    "grading:withdraw_reported": only(arguments="reported.pk"),
    "curation:board_report": Expectation("benchmark.slug", visitor=200),
    "curation:sent_report": Expectation("report.pk token", visitor=404, others=404),
    "curation:reports": SIGNED_IN,
    "curation:report": only(arguments="report.pk", otherwise=404),
    "curation:decide_report": only(arguments="report.pk", admin=302),
    "curation:leave?do=keep": only(arguments="accepted.pk", admin=302),
    "curation:leave?do=reopen": only(arguments="accepted.pk", admin=302),
    # A reviewer only where no admin may decide.
    "curation:decide": Expectation("disputed.pk", others=403, but={"admin": 200, "reviewer": 404}),
    "curation:figures": only(arguments="benchmark.slug"),
    # It is of a plan that the address names besides.
    "curation:review_settings?show=stage": only(arguments="benchmark.slug", admin=404),
    "curation:stage": only(arguments="benchmark.slug review_round.version.stage_id"),
    "grading:read_as?of=review": posted("reviewer", arguments="review_round.pk"),
    # What somebody typed and did not submit is theirs alone.
    "curation:review_draft": only("reviewer", arguments="review_round.pk", admin=404),
    # Nothing is asked of no passage.
    "curation:talk": Expectation(
        "review_round.pk", others=403, but={"reviewer": 404, "admin": 404}
    ),
    # Who reviews what.
    "curation:assignments": only(arguments="benchmark.slug"),
    # Without a round that was chosen it leads back to the list.
    "curation:assignments?show=choose": only(arguments="benchmark.slug", admin=302),
    "curation:assignments?show=spread": only(arguments="benchmark.slug"),
    "profile?tab=reviewing": only("reviewer"),
    # People, invitations and benchmarks are looked after by admins; one's own roles are one's own.
    **{
        f"curation:{name}": only()
        for name in (
            *("members", "members?show=requests", "members?show=changes"),
            "members?show=invitations",
            "new_benchmark",
        )
    },
    **{
        f"curation:members?do={name}": posted()
        for name in ("give_role", "again", "withdraw", "make_link")
    },
    "curation:member": only(arguments="author.pk"),
    "curation:member?do=deactivate": only(arguments="author.pk"),
    **{
        f"curation:member?do={name}": posted(arguments="author.pk")
        for name in ("roles", "confirm", "institution", "reactivate")
    },
    "curation:request": only(arguments="role_request.pk"),
    "curation:request?do=grant": posted(arguments="role_request.pk"),
    "curation:request?do=decline": posted(arguments="role_request.pk"),
    **{f"profile?tab={name}": SIGNED_IN for name in ("roles", "institution", "credits")},
    **{
        f"profile?do={name}": Expectation(others=405)
        for name in ("ask", "take_back", "accept", "decline")
    },
    "curation:invite": only(arguments="benchmark.slug"),
    # Sent to none of these: who has an account with another address can't use it.
    "curation:invitation": Expectation("invited", visitor=200, others=403),
    "curation:overview": Expectation("benchmark.slug"),
    "curation:edit_benchmark": only(arguments="benchmark.slug"),
    "curation:review_settings": only(arguments="benchmark.slug"),
    # Answers and grades.
    "grading:submissions": only("evaluator"),
    "grading:submissions_csv": only("evaluator"),
    "grading:upload": only("evaluator"),
    # A draft is its organisation's, and an admin is none of them.
    **{
        f"grading:{name}": only("evaluator", arguments="answers_draft.pk", admin=404)
        for name in ("draft", "draft?do=discard", "draft?part=first", "draft?as=csv")
    },
    "grading:draft?do=grade": posted("evaluator", arguments="answers_draft.pk"),
    "grading:draft?do=add": posted("evaluator", arguments="answers_draft.pk"),
    "grading:draft_fields": only(
        "evaluator", arguments="answers_draft.pk answers_file.pk", admin=404
    ),
    "grading:draft_fields?do=remove": posted(
        "evaluator", arguments="answers_draft.pk answers_file.pk"
    ),
    "grading:task": only("evaluator", arguments="benchmark.slug harness"),
    "grading:submission": only("evaluator", arguments="submission.pk"),
    # Nothing of it is published, so others find no receipt of it.
    **{
        f"grading:{name}": Expectation(
            "submission.pk",
            visitor=404,
            others=404,
            but=dict.fromkeys(("evaluator", "admin"), 200),
        )
        for name in ("receipt", "receipt_json")
    },
    "grading:full_receipt_json": only("evaluator", arguments="submission.pk"),
    "grading:submission?as=csv": only("evaluator", arguments="submission.pk"),
    "grading:submission?as=jsonl": only("evaluator", arguments="submission.pk"),
    # Without another it leads back; nothing is compared with itself.
    "grading:choose_comparison": Expectation(
        "submission.pk", others=403, but={"evaluator": 302, "admin": 302}
    ),
    **{
        f"grading:{name}": Expectation(
            "submission.pk submission.pk", others=403, but={"evaluator": 404, "admin": 404}
        )
        for name in ("comparison", "comparison_csv")
    },
    "grading:submission?do=publish": only("evaluator", arguments="submission.pk"),
    "grading:submission?do=withdraw": only("evaluator", arguments="submission.pk"),
    "grading:submission?do=cancel": only("evaluator", arguments="submission.pk"),
    "grading:submission?do=go_on": posted("evaluator", arguments="submission.pk"),
    # It answers no hidden problem, so it has no such page.
    "grading:hidden": Expectation(
        "submission.pk", others=403, but={"evaluator": 404, "admin": 404}
    ),
    **{
        f"grading:{name}": posted("evaluator", arguments="submission.pk")
        for name in ("hidden?do=ask", "hidden?do=again")
    },
    "grading:submission?do=try_again": posted("evaluator", arguments="submission.pk"),
    "grading:attempt": only("evaluator", arguments="attempt.pk", otherwise=404),
    # Contested grades: their organisation's; who rules had no part in the answer and sees the key.
    "grading:new_contest": Expectation(
        "attempt.pk", others=403, but={"evaluator": 200, "participant": 404, "admin": 200}
    ),
    "grading:take_back_contest": Expectation(
        "contest.pk", others=403, but={"evaluator": 200, "participant": 404, "admin": 404}
    ),
    "grading:contests": only("evaluator", "participant"),
    "grading:contests_csv": only("evaluator", "participant"),
    "grading:contests_to_rule": only("evaluator"),
    "grading:contests_to_rule_csv": only("evaluator"),
    "grading:contest": Expectation("contest.pk", others=403, but={"admin": 200, "evaluator": 404}),
    "grading:contest_values": Expectation(
        "contest.pk", others=403, but={"admin": 200, "evaluator": 404}
    ),
    "grading:read_as?of=contest": posted("evaluator", arguments="contest.pk"),
    # How good EED is: public as the board is. No submission of this world is published.
    "eed": Expectation("benchmark.slug", visitor=200),
    "eed_csv": Expectation("benchmark.slug", visitor=200),
    "unordered_csv": Expectation("benchmark.slug", visitor=200),
    "eed_picture": Expectation("benchmark.slug picture", visitor=404, others=404),
    "measure_again": posted(arguments="benchmark.slug"),
    # Organisations: their names are on the board; who is of one is for its members and admins.
    "grading:organisations": only("evaluator"),
    "grading:organisations_csv": only("evaluator"),
    "grading:new_organisation": only("evaluator"),
    "grading:organisation": only("evaluator", arguments="submission.solver.organisation_id"),
    "grading:ask_to_join": posted("evaluator", arguments="submission.solver.organisation_id"),
    "grading:settle_membership": posted(
        "evaluator", arguments="submission.solver.organisation_id membership.pk"
    ),
    **{
        f"grading:{name}_organisation": posted(arguments="submission.solver.organisation_id")
        for name in ("confirm", "rename", "merge")
    },
    "grading:solvers_csv": only("evaluator", arguments="submission.solver.organisation_id"),
    # Models: nothing of this one is published, so others don't find it.
    **{
        f"grading:{name}": Expectation(
            "submission.solver_id",
            visitor=404,
            others=404,
            but=dict.fromkeys(("evaluator", "admin"), 200),
        )
        for name in ("solver", "solver_csv")
    },
    # Nothing is drawn of what is not published.
    "grading:solver_picture": Expectation("submission.solver_id", visitor=404, others=404),
    "grading:describe_solver": only("evaluator", arguments="submission.solver_id"),
    # Judges: who handed a submission in has it judged; others find no run of theirs.
    "grading:new_judge_run": only("evaluator", arguments="submission.pk"),
    **{
        f"grading:{name}": only("evaluator")
        for name in ("judge_runs", "judge_runs_csv", "judge_prompts_csv", "rulings_csv")
    },
    "grading:judge_run": only("evaluator", arguments="judge_run.pk"),
    "grading:judge_run_csv": only("evaluator", arguments="judge_run.pk"),
    **{
        f"grading:{name}": posted("evaluator", arguments="judge_run.pk")
        for name in ("pause_judge_run", "resume_judge_run", "cancel_judge_run", "judge_again")
    },
    "grading:judgement": only("evaluator", arguments="judge_item.pk"),
    "grading:judge_prompts": only("evaluator"),
    "grading:judge_prompt": only("evaluator", arguments="judge_run.configuration.prompt_id"),
    "grading:release_prompt": posted(arguments="judge_run.configuration.prompt_id"),
    "grading:rulings": only("evaluator"),
    # One has to see the reference to rule, and not to have handed the answer in.
    "grading:rule": Expectation("attempt.pk", others=403, but={"admin": 200, "evaluator": 404}),
    "grading:rulings_given": only("evaluator"),
    "grading:rulings_given_csv": only("evaluator"),
    # A file of labels is theirs who brought it; others find none.
    # A file of items is its organisation's; others find none.
    "grading:judge_files": only("evaluator"),
    "grading:judge_file": only("evaluator", arguments="judge_file.pk"),
    "grading:label_files": only("evaluator"),
    "grading:label_file": only("evaluator", arguments="label_file.pk"),
    "grading:label_file_csv": only("evaluator", arguments="label_file.pk"),
    "grading:take_labels": posted("evaluator", arguments="label_file.pk"),
    "grading:discard_labels": posted("evaluator", arguments="label_file.pk"),
    "grading:calibration": only("evaluator"),
    "grading:calibration_csv": only("evaluator"),
    "grading:calibration_curves_csv": only("evaluator"),
    "grading:regrades": only("admin"),
    "grading:regrades_csv": only("admin"),
    "grading:begin_regrade": posted("admin", arguments="benchmark.slug"),
    "grading:regrade": only("admin", arguments="regrade.pk"),
    "grading:regrade_csv": only("admin", arguments="regrade.pk"),
    "grading:adopt_regrade": posted("admin", arguments="regrade.pk"),
    "grading:discard_regrade": posted("admin", arguments="regrade.pk"),
    "grading:renew_regrade": posted("admin", arguments="regrade.pk"),
    # Audit samples: admins', and theirs who were asked; others who might be find none.
    "grading:audits": only("reviewer", "evaluator"),
    "grading:audits_csv": only("reviewer", "evaluator"),
    "grading:new_audit": only(),
    **{
        f"grading:{name}": Expectation(
            "audit.pk", others=403, but={"admin": 200, "reviewer": 404, "evaluator": 404}
        )
        for name in ("audit", "label_audit", "adjudicate_audit")
    },
    "grading:audit_csv": only(arguments="audit.pk"),
    "grading:take_back_label": posted("reviewer", "evaluator", arguments="audit.pk"),
    "grading:end_audit": posted(arguments="audit.pk"),
    "grading:ask_labeller": posted(arguments="audit.pk"),
    "grading:take_off_labeller": posted(arguments="audit.pk labeller.pk"),
    # Samples of first errors: everybody reads what came of them, and labels where asked.
    "grading:first_errors": PUBLIC,
    "grading:first_errors_csv": PUBLIC,
    "grading:first_error_sample": Expectation("first_errors.pk", visitor=200),
    "grading:first_error_sample_csv": Expectation("first_errors.pk", visitor=200),
    # There is a picture once a sample is complete.
    "grading:first_error_picture": Expectation("first_errors.pk", visitor=404, others=404),
    "grading:new_first_error_sample": only(),
    "grading:first_error_labels_csv": only(arguments="first_errors.pk"),
    **{
        f"grading:{name}": Expectation(
            "first_errors.pk", others=403, but={"admin": 200, "reviewer": 404, "evaluator": 404}
        )
        for name in ("label_first_error", "adjudicate_first_error")
    },
    "grading:take_back_first_error": posted("reviewer", "evaluator", arguments="first_errors.pk"),
    "grading:end_first_errors": posted(arguments="first_errors.pk"),
    "grading:ask_for_first_errors": posted(arguments="first_errors.pk"),
    "grading:take_off_first_errors": posted(arguments="first_errors.pk first_error_labeller.pk"),
    "grading:keys": only("admin"),
    "grading:keys_csv": only("admin"),
    "grading:look_again": posted("admin"),
    "grading:key": only("admin", arguments="key_check.pk"),
    "grading:correct_key": only(arguments="key_check.pk", admin=302),
    "grading:to_answer": only("participant"),
    "grading:answer": only("participant", arguments="accepted.pk"),
    "grading:read_as": posted("participant", arguments="accepted.pk"),
    # Studies: admins run them, participants take part; a session is one person's.
    "grading:studies": only(),
    "grading:studies_csv": only(),
    "grading:new_study": only(),
    "grading:study": only(arguments="study.pk"),
    "grading:study_csv": only(arguments="study.pk"),
    "grading:study_results": only(arguments="study.pk"),
    "grading:study_results_csv": only(arguments="study.pk"),
    # There are pictures once enough people have ended.
    "grading:study_picture": only(arguments="study.pk study_picture", admin=404),
    "grading:checklist_md": only(arguments="study.pk"),
    "grading:checklist_json": only(arguments="study.pk"),
    "grading:study_asked": only(arguments="study.pk"),
    "grading:study_asked_csv": only(arguments="study.pk"),
    "grading:study_late": only(arguments="study.pk"),
    "grading:study_late_csv": only(arguments="study.pk"),
    "grading:count_late": posted(arguments="one"),
    "grading:edit_study": only(arguments="study.pk"),
    "grading:report_study": only(arguments="study.pk"),
    "grading:preregistration": only(arguments="study.pk"),
    **{
        f"grading:{name}": posted(arguments="study.pk")
        for name in ("open_study", "end_study", "name_baseline", "invite")
    },
    **{
        f"grading:{name}": posted(arguments="sitting.participation_id")
        for name in ("extend", "leave_out")
    },
    "grading:design": posted(arguments="version.pk"),
    "grading:sittings": only("participant"),
    "grading:read_as?of=practice": posted("participant", arguments="study.pk"),
    # They take part already; the next page is theirs to see.
    "grading:join": Expectation("study.pk", others=403, but={"participant": 302, "admin": 404}),
    "grading:start": Expectation("study.pk", others=403, but={"participant": 302, "admin": 404}),
    "grading:practise": only("participant", arguments="study.pk", admin=404),
    "grading:session": only("participant", arguments="sitting.pk", admin=404),
    "grading:hand_in": only("participant", arguments="sitting.pk", admin=404),
    "grading:own_data": only("participant", arguments="sitting.pk", admin=404),
    "grading:say_aids": posted("participant", arguments="sitting.pk"),
    # It goes on: there is nothing to say of it yet.
    "grading:debrief": Expectation(
        "sitting.pk", others=403, but={"participant": 302, "admin": 404}
    ),
    "grading:withdraw_from_study": only("participant", arguments="study.pk", admin=404),
    "grading:said_of_problem": only(arguments="accepted.pk", otherwise=404),
    **{
        f"grading:{name}": only(arguments="study.pk")
        for name in (
            *("study_pool", "study_pool_csv", "preview_join", "preview_practice"),
            "preview_session",
        )
    },
    **{f"grading:{name}": posted(arguments="study.pk") for name in ("change_pool", "delete_study")},
    "grading:read_as?of=preview": posted(arguments="study.pk"),
    "grading:letters": only(arguments="study.pk"),
    "grading:send_letters_again": posted(arguments="study.pk"),
    "grading:letters_off": only("participant", arguments="study.pk", admin=404),
    "grading:repairs": only("reviewer"),
    **{
        f"grading:{name}": posted("reviewer", arguments="sitting.pk")
        for name in ("repair", "read_as?of=repair")
    },
    "grading:grade_repairs_again": posted(arguments="study.pk"),
    "grading:sync_session": posted("participant", arguments="sitting.pk"),
    "grading:take_over": posted("participant", arguments="sitting.pk"),
    "grading:read_as?of=session": posted("participant", arguments="sitting.pk"),
    # Trials of a draft: for those who write it, and admins.
    "grading:trials": only("contributor", arguments="draft.pk", otherwise=404),
    "grading:tries": only(arguments="attempt.revision_id", otherwise=404),
    "grading:trials_csv": only("contributor", arguments="draft.pk", otherwise=404),
    "grading:trial_answer": only("contributor", arguments="trial.pk one", otherwise=404),
    "grading:cancel_trial": Expectation("trial.pk", others=405),
    "grading:ask_again": Expectation("trial.pk", others=405),
    # Runs of models: their organisation's, and admins'.
    "grading:model_runs": only("evaluator"),
    "grading:model_runs_csv": only("evaluator"),
    "grading:new_model_run": only("evaluator"),
    "grading:model_run": only("evaluator", arguments="model_run.pk"),
    "grading:model_run_csv": only("evaluator", arguments="model_run.pk"),
    "grading:model_run_answer": only("evaluator", arguments="model_run.pk run_answer.pk"),
    **{
        f"grading:{name}": posted("evaluator", arguments="model_run.pk")
        for name in (
            "pause_model_run",
            "resume_model_run",
            "cancel_model_run",
            "ask_model_again",
        )
    },
    # Endpoints.
    "grading:endpoints": only(),
    "grading:new_endpoint": only(),
    "grading:endpoint": only(arguments="endpoint.pk"),
    "grading:edit_endpoint": only(arguments="endpoint.pk"),
    "grading:probe_endpoint": posted(arguments="endpoint.pk"),
    "grading:pause_endpoint": posted(arguments="endpoint.pk"),
    "grading:resume_endpoint": posted(arguments="endpoint.pk"),
    "grading:offer_models": posted(arguments="endpoint.pk"),
    "grading:spending_csv": only(arguments="endpoint.pk"),
}


@dataclass(frozen=True)
class Pressed:
    """Who may press a button, with what is sent besides."""

    by: Expectation
    sends: dict[str, str] = field(default_factory=dict)
    """Fields, and attributes of the world that they hold; what begins with “=” is sent as it is."""


REVIEWERS_ALONE = Expectation(others=403, but={"reviewer": 302, "admin": 404})
"""Of a round that is a secret to the admin, who had a part in its problem."""
ADMIN_ALONE = Expectation(others=403, but={"admin": 302})
ADMIN_READS = Expectation(others=403, but={"admin": 200})
PLAN = {"plan": "benchmark.review_settings.pipeline_id"}
BUTTONS = {
    # Nothing is left to take but what is theirs already; an admin alone is no reviewer.
    "curation:review?do=take": Pressed(
        Expectation(others=403, but={"reviewer": 302, "admin": 302})
    ),
    # What is asked of somebody is theirs to decline. Without a reason it asks for one.
    "curation:review?do=decline": Pressed(
        Expectation(others=403, but={"reviewer": 200, "admin": 404})
    ),
    # Without an answer it says what is needed.
    "curation:review?do=solve": Pressed(
        Expectation(others=403, but={"reviewer": 302, "admin": 404})
    ),
    **{f"curation:review?do={name}": Pressed(REVIEWERS_ALONE) for name in ("show", "note", "skip")},
    "curation:review_draft?do=drop": Pressed(REVIEWERS_ALONE, {"draft_of": "=REVIEW"}),
    # Who may read a thread may answer it; of another reviewer's nothing is told before the review.
    **{
        f"curation:talk?do={name}": Pressed(
            Expectation(others=404, but={"admin": 302}), {"thread": "thread.pk"}
        )
        for name in ("reply", "settle")
    },
    "curation:queue?do=next": Pressed(Expectation(others=403, but={"reviewer": 302, "admin": 302})),
    "curation:queue?do=reject": Pressed(ADMIN_ALONE),
    # Without a reason it asks for one.
    "curation:assignments?do=revoke": Pressed(ADMIN_READS, {"assignment": "assignment.pk"}),
    "curation:review_settings?do=copy": Pressed(ADMIN_ALONE, {"name": "=Ours"}),
    "curation:review_settings?do=rename": Pressed(ADMIN_ALONE, {**PLAN, "name": "=Ours"}),
    "curation:review_settings?do=delete": Pressed(ADMIN_ALONE, PLAN),
    # Of what is missing the page itself tells.
    "curation:review_settings?do=mark": Pressed(ADMIN_READS),
    "curation:review_settings?do=lift": Pressed(ADMIN_ALONE, {"conflict": "conflict.pk"}),
    "curation:stage?do=move": Pressed(ADMIN_ALONE),
    "curation:stage?do=delete": Pressed(ADMIN_ALONE),
}
"""Of buttons with a name of their own: what they tell who presses them."""


@dataclass(frozen=True, slots=True)
class Door:
    """A view, and the pattern of the address that it lies at."""

    pattern: Any
    callback: Any


def walk(resolver: URLResolver, namespace: str = "") -> Iterator[tuple[str, Door]]:
    """
    List each named address with its name, namespaces and all.

    Of an address at which there are several views each is listed: `name?do=withdraw`.
    """
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from walk(pattern, inner)
        elif pattern.name or not namespace:
            name, view = f"{namespace}{pattern.name}", pattern.callback
            several = view.others if isinstance(view, Address) else {}
            yield name, Door(pattern.pattern, view.page if several else view)
            for asked, other in several.items():
                yield f"{name}?{asked}", Door(pattern.pattern, other)


ADDRESSES = dict(walk(get_resolver()))
OURS = sorted(name for name in ADDRESSES if not name.startswith("admin:"))
BACK_OFFICE = sorted(name for name in ADDRESSES if name.startswith("admin:"))
WALKED = [name for name in OURS if name in EXPECTED]
ONE_TIME_KEYS = {"account_confirm_email", "account_reset_password_from_key"}
"""Reached with a key from an e-mail, whoever has it: allauth's to check."""


READING = {"GET", "HEAD", "OPTIONS"}


def takes_body(pattern: Door) -> bool:
    """Tell whether an address takes what is sent: also where nothing says which methods it has."""
    methods = list_methods(pattern.callback)
    return methods is None or not methods <= READING


def list_methods(view: Any) -> set[str] | None:
    """List the methods that a view answers; None where it does not say."""
    while view is not None:
        if isinstance(view, ListPage):
            return READING
        held = dict(zip(find_names(view), getattr(view, "__closure__", None) or (), strict=True))
        if methods := held.get("request_method_list"):
            return set(methods.cell_contents)
        # The addresses of the API.
        if "self" in held and (operations := getattr(held["self"].cell_contents, "operations", ())):
            return {method for one in operations for method in one.methods}
        view = getattr(view, "__wrapped__", None)
    return None


def find_names(view: Any) -> tuple[str, ...]:
    """Return the names of what a function holds of where it was made."""
    code = getattr(view, "__code__", None)
    return code.co_freevars if code else ()


def follow(path: str, world: World) -> Any:
    value: Any = world
    for name in path.split("."):
        value = getattr(value, name)
    return value


def address_of(name: str, world: World) -> str:
    expected = EXPECTED[name]
    paths = expected.arguments.split()
    address = reverse_asked(name, args=[follow(path, world) for path in paths])
    for one in expected.more.split():
        key, path = one.split("=")
        address = add_asked(address, f"{key}={follow(path, world)}")
    return address


def add_asked(address: str, asked: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{asked}"


def reverse_asked(name: str, **options: Any) -> str:
    """Make the address of a name as `walk` lists it."""
    address, mark, asked = name.partition("?")
    return f"{reverse(address, **options)}{mark}{asked}"


def name_of(address: str, step: str = "") -> str:
    """Name the view that answers an address, or a step that is posted to it, as `walk` does."""
    path, _mark, asked = address.partition("?")
    match = resolve(path)
    chosen = ""
    if isinstance(match.func, Address):
        chosen = match.func.choose(QueryDict(asked))
        pressed = f"do={step}"
        if pressed in match.func.others and not chosen.startswith(("do=", "part=")):
            chosen = pressed
    return f"{match.view_name}?{chosen}" if chosen else match.view_name


def address_of_pressed(name: str, world: World) -> tuple[str, dict[str, Any]]:
    """Return the page of a button, and what is sent to it."""
    page, _mark, pressed = name.partition("?do=")
    sent = {
        one: value.removeprefix("=") if value.startswith("=") else follow(value, world)
        for one, value in BUTTONS[name].sends.items()
    }
    return address_of(page, world), {"do": pressed, **sent}


def client_of(person: User | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


LISTS = {
    name for name, one in ADDRESSES.items() if isinstance(inspect.unwrap(one.callback), ListPage)
}
"""Of pages that give their rows as a file too."""
AS_FILE = "as=csv"
ASKED_FURTHER = {
    "curation:problem": "revision=1",
    "curation:compare": "from=1&to=2",
    "curation:problems": "show=review",
    **dict.fromkeys(LISTS, AS_FILE),
}
"""What an address may be asked besides, by which it shows other texts."""
NO_MORE = {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}


def list_numbers(review_round: ReviewRound) -> set[int]:
    """List the numbers by which addresses name a round and its problem."""
    return {review_round.pk, review_round.revision.problem_id}


def read_everything(
    client: Client, numbers: Collection[int], benchmark: Benchmark
) -> Iterator[tuple[str, str, HttpResponseBase]]:
    """
    Follow each of our addresses, with each of these numbers wherever it has one.

    Yields name, address, and answer. Where an address is refused, or there is nothing, it is not
    asked for more.
    """
    for name in set(OURS) - {"account_logout"}:
        wanted = ADDRESSES[name].pattern.regex.groupindex
        for number in numbers if "pk" in wanted else {0}:
            arguments = {key: benchmark.slug if key == "slug" else number for key in wanted}
            try:
                address = reverse_asked(name, kwargs=arguments or None)
            except NoReverseMatch:
                continue
            further = ASKED_FURTHER.get(name)
            for asked in (address, *([add_asked(address, further)] if further else [])):
                status = 0
                for answer in ask_twice(client, asked, follow=True):
                    yield name, asked, answer
                    status = answer.status_code
                if status in NO_MORE:
                    break


def ask_twice(client: Client, address: str, **options: Any) -> Iterator[HttpResponseBase]:
    """Fetch a page, and what htmx is given instead, where that is another answer."""
    page = client.get(address, **options)
    yield page
    if "HX-Request" in page.get("Vary", "") and not getattr(page, "redirect_chain", ()):
        asked = {"HX-Request": "true", "HX-Target": "rows"}
        yield client.get(address, headers=asked, **options)


def read(answer: HttpResponseBase) -> bytes:
    return b"".join(answer) if answer.streaming else answer.content


def find_said(answer: HttpResponseBase, said: Iterable[str]) -> list[str]:
    """List those of `said` that a page shows."""
    content = read(answer)
    return [one for one in said if one.encode() in content]
