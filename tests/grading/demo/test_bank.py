"""A bank of problems made for measuring: what it holds, and that pages don't grow with it."""

from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from curation.problems.models import Event, Problem
from curation.reviewing.agreement.evidence import list_disagreements
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.pipelines.shipped import find_pipeline
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.texts.workflow import AFTER, Status, Step, describe
from curation.versions.exchange.exports import choose, count_choosable
from grading.answers.models import Attempt
from grading.demo import bank
from grading.demo.bank_rows import Size
from grading.disputes.keys.models import KeyCheck
from phybench.people.models import Role, User
from tests.bank_pages import Page, find_world, list_pages, measure
from tests.conftest import make_person
from tests.memory import remembered
from tests.organisations import organisation_of

pytestmark = pytest.mark.django_db
SMALL = Size(40, 160)


@pytest.fixture
@remembered
def made(db):
    return bank.make(SMALL)


def test_it_has_every_status_and_stage_and_as_many_reviews_as_asked(made):
    problems = made.problems.all()
    assert problems.count() == SMALL.problems
    assert set(problems.values_list("status", flat=True)) == set(Status)
    assert Review.objects.count() == SMALL.reviews
    rounds = ReviewRound.objects.all()
    assert set(rounds.values_list("version__stage", flat=True)) == set(
        Stage.objects.filter(pipeline=find_pipeline(made)).values_list("pk", flat=True)
    )
    assert rounds.open().exists()
    assert list_disagreements().exists()
    assert Attempt.objects.filter(submission=None).exists()
    assert KeyCheck.objects.count() == problems.accepted().count()


def test_its_histories_could_have_happened(made):
    for problem in made.problems.all():
        stands = None
        for event in Event.objects.filter(problem=problem).order_by("at", "pk"):
            assert event.from_status == (stands or "")
            stands = AFTER[Step(event.kind), stands]
            assert event.to_status == stands
        assert problem.status == stands
        is_open = ReviewRound.objects.open().filter(revision__problem=problem).exists()
        assert is_open == (problem.status == Status.IN_REVIEW)


def test_its_disagreements_are_those_that_the_app_would_measure(made):
    fields = ("recommendations", "answers", "solves", "accept", "agreeing", "differing")
    for found in list_disagreements()[:10]:
        reviews = found.round.reviews.newest().values_list("recommendation", "answers")
        solves = found.round.solves.values_list("outcome", flat=True)
        kinds = {one.key: one.kind for one in found.round.version.questions.all()}
        measured = describe(reviews, solves, kinds)
        kept = [getattr(found, name) for name in fields]
        assert kept == pytest.approx([measured[name] for name in fields])


def test_one_seed_makes_one_bank_and_a_second_stands_beside_the_first(made):
    other = bank.make(SMALL)
    assert (made.name, other.name) == ("Bank 1", "Bank 2")
    described = [
        list(one.problems.order_by("pk").values_list("title", "status")) for one in (made, other)
    ]
    assert described[0] == described[1]
    assert not User.objects.exclude(password__startswith="!").exists()


def test_beside_real_people_it_wants_a_yes(capsys):
    make_person(Role.ADMIN)
    with pytest.raises(CommandError, match="--yes"):
        call_command("seed_bank", problems=20, reviews=30)
    assert not Problem.objects.exists()
    call_command("seed_bank", problems=20, reviews=30, yes=True)
    assert Problem.objects.count() == 20
    assert "20 problems" in capsys.readouterr().out


@pytest.mark.parametrize("size", [{"problems": 0}, {"reviews": -1}])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(CommandError, match="At least one problem"):
        call_command("seed_bank", **{"problems": 1, "reviews": 0, **size})


def test_an_export_counts_what_it_would_take(made):
    for person in (made.problems.first().author, make_person(Role.ADMIN), make_person(None)):
        chosen = choose(Problem.objects.all(), person)
        counted = count_choosable(Problem.objects.all(), person)
        assert counted == (len(chosen), sum(one.has_key for one in chosen))
        assert counted[0] > 0


def count_queries(size: bank.Size, admin: User) -> Counter[tuple[str, str]]:
    """Count the queries of each page, as an admin and as one other who may read it."""
    world = find_world(bank.make(size), admin)
    chosen: dict[tuple[str, bool], Page] = {
        (page.title, page.person == "admin"): page for page in list_pages(world)
    }
    return Counter(
        {(page.title, page.person): measure(page, world).queries for page in chosen.values()}
    )


@pytest.mark.slow
def test_pages_take_as_many_queries_for_60_problems_as_for_20():
    admin = make_person(Role.ADMIN)
    # One to merge another into is there from the beginning.
    organisation_of(make_person(Role.EVALUATOR))
    few, many = (count_queries(size, admin) for size in (Size(20, 80, 3), Size(60, 240, 3)))
    assert len(few) > 60
    assert many == few
