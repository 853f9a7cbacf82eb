"""Every page of the demo, on a desk's screen and on a phone's, as each who may see it."""

import json

import pytest
from playwright.sync_api import Page

from curation.exchange import imports
from curation.exchange.models import Import
from curation.exchange.terms import ImportTerms
from curation.problems.models import Problem
from curation.problems.people.models import Conflict
from curation.reports.actions import report_error
from curation.reviewing.assignments.actions import assign
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import Status
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.demo import benchmark as demo
from grading.solvers.actions import describe
from grading.solvers.models import Organisation, Solver
from grading.studies.models import Study
from phybench.people.models import User
from tests.certificates import give_certificate
from tests.conftest import PASSWORD, ask_to_translate
from tests.work import grade_attempt, run_import

WIDTHS = (390, 1280)
"""A phone's and a desk's screen, in pixels."""

OVERFLOWING = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll('main *, header *, footer *')]
    .filter(one => one.getBoundingClientRect().right > width + 1)
    .map(one => one.outerHTML.slice(0, 120));
}"""
CUT_OFF_FORMULAS = """() => {
  // A wide formula is scrolled where it stands; cut off is one that nothing around it scrolls.
  const scrolls = one => one && (
    ['auto', 'scroll'].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll('main .katex-html')]
    .filter(one => one.getBoundingClientRect().right > width + 1 && !scrolls(one))
    .map(one => one.textContent.slice(0, 80));
}"""
UNLABELLED = """() => [...document.querySelectorAll(
    'input:not([type=hidden]), select, textarea')]
  .filter(one => !one.labels.length && !one.ariaLabel)
  .map(one => one.outerHTML)"""


@pytest.fixture
def addresses(transactional_db: None) -> dict[str, list[str]]:
    """The demo, all of it graded, and what each of its people has to look at."""
    demo.make(PASSWORD)
    for pk in Attempt.objects.values_list("pk", flat=True):
        grade_attempt(pk)
    returned = Problem.objects.filter(status=Status.RETURNED).first()
    assert returned
    # By somebody else: each has a list of their own below.
    draft = Problem.objects.filter(status=Status.DRAFT).exclude(author=returned.author).first()
    assert draft
    give_certificate(draft)
    for review_round in ReviewRound.objects.open().select_related("revision__problem"):
        give_certificate(review_round.revision.problem)
    attempts = Attempt.objects.filter(submission__isnull=False)
    transfer = import_with_faults(draft)
    translated = Problem.objects.filter(status=Status.IN_REVIEW, author__isnull=False)[0]
    assert translated.author
    ask_to_translate(translated, translated.author, returned.author)
    stage = Stage.objects.filter(is_blind=True)[0]
    translations = f"/p/{translated.pk}/translate/"
    solver = describe_at_length()
    report = report_error(
        problem=Problem.objects.filter(status=Status.ACCEPTED)[0],
        reporter=User.objects.get(email="participant@demo.example"),
        kind="ANSWER",
        text="It is too large: $$" + " + ".join(f"a_{{{n}}}x^{{{n}}}" for n in range(20)) + "$$",
        own_answer=" + ".join(f"b_{{{n}}} y^{{{n}}}" for n in range(20)),
    )
    return {
        "": [
            "/",
            solver.get_absolute_url(),
            "/how-grading-works/",
            "/b/demo/1/trust/",
            "/b/demo/report-an-error/?row=A%20model",
            "/accounts/login/",
            "/accounts/signup/",
        ],
        draft.author.email: [
            "/home/",
            "/me/",
            "/b/demo/problems/",
            "/b/demo/problems/?show=mine",
            "/b/demo/problems/new/",
            "/b/demo/problems/export/?show=mine",
            "/b/demo/problems/import/",
            f"/p/{draft.pk}/edit/",
        ],
        returned.author.email: [
            returned.get_absolute_url(),
            f"/p/{returned.pk}/edit/",
            f"/p/{returned.pk}/?part=people&q=demo",
            "/me/contributions/",
            f"{translations}?q=demo",
            f"{translations}zh/",
        ],
        "reviewer@demo.example": [
            "/home/",
            "/b/demo/contributors/",
            "/b/demo/review/",
            "/me/?tab=reviewing",
            *(f"/r/{pk}/" for pk in ReviewRound.objects.open().values_list("pk", flat=True)),
        ],
        # Who let problems pass the first stages has seen their answers, and may judge at once.
        "reviewer2@demo.example": [
            *(f"/r/{pk}/" for pk in ReviewRound.objects.open().values_list("pk", flat=True)),
        ],
        "participant@demo.example": [
            "/home/",
            "/answer/",
            "/studies/mine/",
            f"/studies/{Study.objects.running().get().pk}/join/",
            "/reports/",
            report.get_absolute_url(),
            f"/p/{report.revision.problem_id}/report/",
        ],
        "evaluator@demo.example": [
            "/home/",
            "/submissions/",
            "/submissions/new/",
            "/organisations/",
            Organisation.objects.get().get_absolute_url(),
            solver.get_absolute_url(),
            f"{solver.get_absolute_url()}describe/",
            *(submission.get_absolute_url() for submission in Submission.objects.all()),
            *(attempt.get_absolute_url() for attempt in attempts.order_by("pk")[::7]),
        ],
        "admin@demo.example": [
            "/home/",
            "/records/?of=downloads",
            "/records/",
            "/reports/",
            report.get_absolute_url(),
            "/b/demo/dataset/",
            "/b/demo/review/?show=splits",
            "/b/demo/review/figures/",
            "/studies/",
            *(
                f"{study.get_absolute_url()}{page}"
                for study in Study.objects.all()
                for page in ("", "results/")
            ),
            "/b/demo/settings/review/",
            f"/b/demo/settings/review/?show=plan&plan={stage.pipeline_id}",
            f"/b/demo/settings/review/?show=stage&plan={stage.pipeline_id}",
            f"/b/demo/settings/review/{stage.pk}/",
            transfer.get_absolute_url(),
            *(problem.get_absolute_url() for problem in Problem.objects.exclude(status="DRAFT")),
            f"/r/{ReviewRound.objects.open().latest('number').pk}/decide/",
            *assign_reviewers(),
        ],
    }


def describe_at_length() -> Solver:
    """Have a model described anew, with nothing to break at."""
    solver = Solver.objects.are_models()[0]
    by = User.objects.get(email="evaluator@demo.example")
    link = f"https://models.example/{'a' * 200}"
    describe(
        solver=solver,
        by=by,
        read=1,
        parameters=10**15 - 1,
        developer="d" * 120,
        link=link,
        inference="p" * 200,
    )
    return solver


def assign_reviewers() -> list[str]:
    """Ask somebody for a review, and return the admins' pages about who is asked."""
    admin, reviewer = (
        User.objects.get(email=f"{name}@demo.example") for name in ("admin", "reviewer")
    )
    first = ReviewRound.objects.open().earliest("number")
    given = assign(review_round=first, reviewer=reviewer, admin=admin)
    Conflict.objects.create(
        person=reviewer,
        author=User.objects.get(email="evaluator@demo.example"),
        reason="They wrote a book together. " * 10,
        marked_by=admin,
    )
    return [
        "/b/demo/review/assign/",
        "/b/demo/review/assign/?show=asked",
        f"/b/demo/review/assign/?show=choose&round={first.pk}",
        f"/b/demo/review/assign/?show=choose&instead_of={given.pk}",
        "/b/demo/review/assign/?show=spread",
        "/b/demo/settings/review/?show=conflicts",
    ]


def import_with_faults(draft: Problem) -> Import:
    """Look at a file whose rows would each do something else."""
    assert draft.author
    rows = [
        {"id": draft.identifier, "quantity": "E"},
        {"id": draft.identifier + "x" * 30, "statement": "See figure 1.", "answer": "0.5 e^x"},
        {"title": "Long" * 30, "domain": "MECHANICS", "difficulty": "OLYMPIAD"},
    ]
    terms = ImportTerms(Import.Purpose.DRAFTS, draft.benchmark, draft.author)
    content = json.dumps(rows).encode()
    transfer = imports.begin(terms, file_name="drafts.json", content=content)
    run_import(transfer.pk)
    return transfer


FOR_EVALUATORS = {"evaluator@demo.example", "admin@demo.example"}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_nothing_sticks_out_and_all_mathematics_is_typeset(visits, addresses, language):
    for email, paths in addresses.items():
        if language != "en" and email in FOR_EVALUATORS:
            continue
        person = User.objects.get(email=email) if email else None
        page = visits.open(person)
        User.objects.filter(email=email).update(interface_language=language)
        page.context.add_cookies(
            [{"name": "django_language", "value": language, "url": visits.address}]
        )
        for path in paths:
            page.goto(path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert look_for_faults(page) == {}, f"{path} at {width} pixels as {email}"


def look_for_faults(page: Page) -> dict[str, list[str]]:
    page.wait_for_load_state()
    faults = {
        "sticks out": page.evaluate(OVERFLOWING),
        "cut off": page.evaluate(CUT_OFF_FORMULAS),
        "not typeset": page.locator(".katex-error").all_inner_texts(),
        "without a label": page.evaluate(UNLABELLED),
    }
    return {fault: found for fault, found in faults.items() if found}
