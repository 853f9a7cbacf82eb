"""The pages of pairwise runs: set up, followed, read pair by pair; and where pairs are not."""

import csv
import io

import pgtrigger
import pytest
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from curation.problems.models import Revision
from grading.answers.submissions.models import Submission
from grading.board.judge_column import list_judges
from grading.judging.calibration.collecting import collect
from grading.judging.models import JudgeRun
from grading.judging.prompts.configurations import Chosen
from grading.judging.rulings.waiting import list_waiting
from grading.judging.runs import actions as run_actions
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.endpoints import steps
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.judging.judging import (
    JUDGE,
    grade_all,
    mark_graded,
    skip_canaries,
    work_off,
)
from tests.grading.judging.pairing import (
    BEST,
    CANARIES,
    compare_both,
    hand_in_as,
    hand_in_both,
    make_document,
    make_pair_plan,
    prefer,
    prefer_first_place,
)
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered

pytestmark = pytest.mark.usefixtures("commits")
STATEMENT, KEY = "What comes of them?", "m g h"


@pytest.fixture
@remembered
def both(problems, evaluator):
    """A is preferred once and refused once; the third problem only B answered."""
    made = hand_in_both(
        evaluator, problems, [rf"{BEST} $\boxed{{m g h}}$", "refuse"], ["x", "y", "z"]
    )
    for one in made:
        grade_all(one)
    return made


def judge(request):
    return steps.refusal() if "refuse" in request.prompt else prefer(request)


@pytest.fixture
def endpoint(serve):
    return make_endpoint(serve(judge), price_prompt=10, price_completion=100)


@pytest.fixture
@remembered
def run(both):
    """A run that has ended, and its endpoint with it."""
    with ScriptedServer(judge) as server:
        made = compare_both(*both, make_endpoint(server))
        work_off(made)
    return made


def fill_in(endpoint, compared: Submission, **fields):
    return {
        "kind": "PAIRWISE",
        "other": compared.pk,
        "mode": "MODEL_ONLY",
        "language": "en",
        "repeats": "1",
        "max_tokens": "1000",
        "purpose": "To see.",
        "models": [f"{endpoint.pk}|{JUDGE}"],
        "step": "estimate",
        **fields,
    }


def read(client, name, *arguments, **asked):
    address = reverse(f"grading:{name}", args=arguments)
    return io.StringIO(client.get(address, asked).content.decode())


def test_a_run_is_set_up_on_a_submissions_page_with_both_orders_estimated(
    client, evaluator, both, endpoint
):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[both[0].pk])
    page = client.post(address, fill_in(endpoint, both[1]))
    made = page.context["estimate"]
    assert (made.items, made.cost.calls) == (2 + CANARIES, 2 * (2 + CANARIES))
    text = page.content.decode()
    assert "2: the answers of both to the same text" in text
    assert "1 × only Model B answered" in text
    assert not JudgeRun.objects.exists()
    agreed = {"step": "begin", "agree": "1", "host": endpoint.host}
    agreed["estimated"] = page.context["estimated"]
    page = client.post(address, fill_in(endpoint, both[1], **agreed))
    run = JudgeRun.objects.get()
    assert page["Location"] == run.get_absolute_url()
    assert (run.submission, run.other, run.items.count()) == (both[0], both[1], 2 + CANARIES)
    made = client.post(address, fill_in(endpoint, both[1], repeats="3")).context["estimate"]
    assert made.cost.calls == 3 * 14


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"other": ""}, "Choose the submission that the pairwise judge compares with."),
        ({"kind": "SEMANTIC"}, "Only the pairwise judge compares"),
        ({"language": "de"}, "prompts of this judge are in English"),
        ({"other": "999999"}, "valid choice"),
    ],
)
def test_a_form_that_does_not_fit_says_what_to_do(client, evaluator, both, endpoint, changed, says):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[both[0].pk])
    page = client.post(address, fill_in(endpoint, both[1], **changed))
    assert page.status_code == 400
    assert says in page.content.decode()


def test_only_what_one_may_see_of_the_same_benchmark_is_offered(
    client, evaluator, admin, problems, both, endpoint
):
    theirs = hand_in_as(make_person(Role.EVALUATOR, "other"), "Model C", [(problems[0], "z")])
    again = hand_in_as(evaluator, "Model A", [(problems[0], "w")])
    for one in (theirs, again):
        mark_graded(one)
    address = reverse("grading:new_judge_run", args=[both[0].pk])
    for person, offered in ((evaluator, {both[1], again}), (admin, {both[1], again, theirs})):
        client.force_login(person)
        form = client.get(address).context["form"]
        assert set(form.fields["other"].queryset) == offered
    client.force_login(evaluator)
    assert client.post(address, fill_in(endpoint, theirs)).status_code == 400
    # Two of one solver are told apart by their numbers.
    text = client.post(address, fill_in(endpoint, again)).content.decode()
    assert f"only Model A (#{both[0].pk}) answered" in text


def test_a_panel_puts_neither_first(client, evaluator, both, serve):
    one, other = (make_endpoint(serve(prefer), name=name) for name in ("One", "Other"))
    judges = [Chosen(one, JUDGE), Chosen(other, JUDGE)]
    hosts = frozenset({one.host, other.host})
    document = make_document(one, other)
    run = compare_both(*both, one, document=document, judges=judges, hosts=hosts)
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    assert page.context["leads"] == "PANEL"
    assert "No ranking: a panel ranks models only if" in page.content.decode()


def test_while_a_run_goes_on_pairs_that_wait_are_missing(client, evaluator, both, endpoint):
    run = compare_both(*both, endpoint)
    client.force_login(evaluator)
    found = client.get(run.get_absolute_url()).context["pairs"]
    assert (found.waiting, found.judged, found.bounds) == (2, 0, (0.0, 100.0))


def test_a_runs_page_says_who_won_what_is_missing_and_how_far_to_trust_it(client, evaluator, run):
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    found = page.context["pairs"]
    assert (found.first, found.second, found.ties, found.moved) == (1, 0, 0, 0)
    assert (found.win_rate.value, found.bounds) == (100.0, (50.0, 100.0))
    assert page.context["canaries"] == {"passed": CANARIES, "failed": 0, "missing": 0}
    [places] = page.context["by_place"]
    assert places.rows == [("FIRST", 1, 0, 0), ("SECOND", 0, 1, 0)]
    text = page.content.decode()
    for words in (
        "2 of 2 pairs done, 1 with a verdict.",
        "A is Model A, B is Model B.",
        "No ranking: only 1 of 3 pairs have a verdict",
        "1 answer is left out",
        "1 × only B answered",
        "1 × the model refused",
        "fake-solver: the first place won 50.0 % of the replies that chose one.",
        "Pairs are not ruled on",
    ):
        assert words in text
    assert [row[0] for row in page.context["beside_grader"]] == [
        "A is better",
        "B is better",
        "a tie",
        "no verdict",
    ]
    assert ("only A right", 1) in page.context["beside_grader"][0][1]
    for column in ("judge", "other"):
        assert client.get(run.get_absolute_url(), {"sort": f"-{column}"}).status_code == 200


def test_a_judge_that_goes_by_the_place_is_seen_to(client, evaluator, both, serve):
    run = compare_both(*both, make_endpoint(serve(prefer_first_place)))
    work_off(run)
    client.force_login(evaluator)
    text = client.get(run.get_absolute_url()).content.decode()
    assert f"On {CANARIES} trap items, whose verdicts are known, its verdict changed" in text
    assert "the first place won 100.0 % of the replies" in text
    assert "changed with the order" in text


def test_the_file_has_both_solvers_the_verdict_and_what_was_left_out(client, evaluator, run):
    client.force_login(evaluator)
    rows = list(csv.DictReader(read(client, "judge_run_csv", run.pk)))
    names = ("state", "reason", "first", "second", "preferred")
    by_name = [tuple(row[name] for name in names) for row in rows if not row["canary"]]
    assert by_name == [
        ("SCORED", "", "Model A", "Model B", "FIRST"),
        ("UNSCORED", "refusal", "Model A", "Model B", ""),
        ("LEFT_OUT", "only_the_second_answered", "Model A", "Model B", ""),
    ]
    assert {row["preferred"] for row in rows if row["canary"]} == {"FIRST", "TIE"}
    [scored, *tried] = csv.DictReader(read(client, "judge_run_csv", run.pk, show="SCORED"))
    assert (scored["preferred"], len(tried)) == ("FIRST", CANARIES), "as it is filtered"


def test_a_pairs_page_shows_both_answers_and_orders_and_the_judges_words_to_who_may_see_the_key(
    client, evaluator, admin, run
):
    item = run.items.filter(canary="").first()
    client.force_login(admin)
    text = client.get(item.get_absolute_url()).content.decode()
    for words in (item.other.response, "prefers Model A ([[A]])", "prefers Model A ([[B]])"):
        assert words in text
    assert text.count("SOLUTION A") >= 2, "what was sent in each order"
    assert "So. [[A]]" in text
    client.force_login(evaluator)
    text = client.get(item.get_absolute_url()).content.decode()
    assert "prefers Model A ([[B]])" in text
    assert "SOLUTION A" not in text
    assert "So. [[A]]" not in text


def test_a_canarys_page_says_what_is_known_of_the_pair(client, evaluator, run):
    client.force_login(evaluator)
    known = {
        "plain_wrong": "the right answer is better",
        "the_same_twice": "both are the same answer",
    }
    for name, words in known.items():
        page = client.get(run.items.get(canary=name).get_absolute_url())
        assert words in page.content.decode()
        assert len(page.context["answers"]) == 2


def test_who_reads_a_pair_has_been_shown_what_stands_there(client, evaluator, admin, run):
    """Another's right answer is as good as the key, and the statement stands on the page."""
    right, refused = run.items.filter(canary="").order_by("pk")
    shown = {
        (evaluator, right): {"STATEMENT", "ANSWER", "VERDICT"},
        (evaluator, refused): {"STATEMENT", "VERDICT"},
        (admin, right): {"STATEMENT", "ANSWER", "SOLUTION", "VERDICT"},
    }
    for (person, item), parts in shown.items():
        with pgtrigger.ignore("curation.Exposure:exposure_is_append_only"):
            Exposure.objects.all().delete()
        client.force_login(person)
        assert STATEMENT in client.get(item.get_absolute_url()).content.decode()
        seen = Exposure.objects.filter(person=person, revision=item.attempt.revision)
        assert set(seen.values_list("part", flat=True)) == parts
        assert Revision.objects.filter(exposures__person=person).distinct().count() == 1


def test_who_handed_in_only_one_of_a_pair_finds_nothing_of_it(
    client, evaluator, admin, problems, both, endpoint
):
    other = make_person(Role.EVALUATOR, "other")
    theirs = hand_in_as(other, "Model C", [(problems[0], "z")])
    mark_graded(theirs)
    plan = make_pair_plan(theirs, endpoint)
    run = run_actions.begin(submission=both[0], started_by=admin, plan=plan)
    item = run.items.filter(canary="").get()
    for person in (evaluator, other):
        client.force_login(person)
        assert client.get(reverse("grading:judge_runs")).context["page"].paginator.count == 0
        for address in (
            run.get_absolute_url(),
            item.get_absolute_url(),
            reverse("grading:judge_run_csv", args=[run.pk]),
        ):
            assert client.get(address).status_code == 404
    client.force_login(admin)
    assert client.get(item.get_absolute_url()).status_code == 200


def test_runs_are_found_from_either_submission(client, evaluator, run):
    client.force_login(evaluator)
    for one in (run.submission, run.other):
        page = client.get(reverse("grading:judge_runs"), {"submission": one.pk})
        assert list(page.context["page"]) == [run]
        assert "Model A against Model B" in page.content.decode()
    rows = list(csv.DictReader(read(client, "judge_runs_csv")))
    assert (rows[0]["solver"], rows[0]["other_solver"]) == ("Model A", "Model B")


def test_pairs_wait_for_no_ruling_and_are_in_no_calibration_and_no_column(
    client, admin, run, benchmark
):
    client.force_login(admin)
    assert not list_waiting(admin).exists()
    assert collect() == []
    assert list_judges(benchmark) == []
    assert "Pairs do not come here" in client.get(reverse("grading:rulings")).content.decode()
    page = client.get(reverse("grading:calibration")).content.decode()
    assert "The pairwise judge is not included" in page
    # Nor are they among what was said of one of its answers.
    attempt = run.items.filter(canary="").first().attempt
    assert not attempt.judgements.exists()


def test_a_pairwise_runs_pages_ask_as_many_queries_for_one_row_as_for_three(
    client, evaluator, problems, endpoint, django_assert_num_queries
):
    client.force_login(evaluator)
    runs = []
    for count in (1, 3):
        first, second = hand_in_both(
            evaluator, problems, [f"{BEST} {count}"] * count, [f"y {count}"] * (count + 1)
        )
        for one in (first, second):
            mark_graded(one)
        runs.append(compare_both(first, second, endpoint))
        skip_canaries(runs[-1])
        work_off(runs[-1])
    for run in runs:
        with django_assert_num_queries(27):
            client.get(run.get_absolute_url())
        with django_assert_num_queries(8):
            client.get(reverse("grading:judge_run_csv", args=[run.pk]))
    for run in runs:
        # What it shows is written down where it was not before.
        client.get(run.items.filter(canary="").first().get_absolute_url())
        with django_assert_num_queries(13):
            client.get(run.items.filter(canary="").first().get_absolute_url())


def test_the_back_office_lists_pairs(client, admin, run):
    client.force_login(admin)
    for name in ("judgerun", "judgeitem", "judgement", "judgecall"):
        address = reverse(f"admin:grading_{name}_changelist")
        assert client.get(address).status_code == 200
        assert client.get(address, {"q": "Model"}).status_code == 200
    for row in (run, run.items.filter(canary="").first()):
        name = f"admin:grading_{row._meta.model_name}_change"
        assert client.get(reverse(name, args=[row.pk])).status_code == 200
