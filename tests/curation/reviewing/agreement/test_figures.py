import csv
import io

import pytest

from curation.reviewing.agreement import views
from curation.reviewing.agreement.figures import AskedOfReviewers, gather, measure
from curation.reviewing.pipelines.shipped import find_pipeline
from curation.reviewing.rounds.models import Review
from phybench.people.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, review


def ask(*items: dict[int, int], kind: str = "YES_NO") -> AskedOfReviewers:
    return AskedOfReviewers("Stage", "Question?", kind, dict(enumerate(items)))


def test_two_people_who_reviewed_everything_have_all_four_figures():
    # The worked example of `cohen_kappa`, whose kappa is 0.4.
    pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    found = measure(ask(*({7: a, 9: b} for a, b in pairs)))
    assert (found.items, found.reviews, found.people, found.single) == (50, 100, 2, 0)
    assert found.percent.value == pytest.approx(70)
    assert found.cohen.value == pytest.approx(0.4)
    # Both forget who said what, so that chance is estimated from the sums: 55 of 100 said yes.
    chance = 0.55**2 + 0.45**2
    assert found.fleiss.value == pytest.approx((0.7 - chance) / (1 - chance))
    assert found.alpha.value == pytest.approx(1 - 99 * 0.3 / (100 * (1 - chance)))


def test_cohens_kappa_is_for_the_same_two_people_and_says_so():
    found = measure(ask({1: 0, 2: 1}, {1: 0, 3: 0}))
    assert found.cohen.value is None
    assert found.cohen.why == "more than two people"
    assert found.alpha.is_defined


def test_fleiss_kappa_is_of_the_rounds_with_the_usual_number_of_reviews():
    found = measure(ask({1: 0, 2: 0}, {1: 1, 2: 1}, {1: 0, 2: 1, 3: 0}))
    assert (found.fleiss_raters, found.fleiss.items, found.fleiss.value) == (2, 2, 1.0)
    assert found.alpha.items == 3


def test_who_was_alone_says_nothing_of_agreement_and_is_counted():
    found = measure(ask({1: 0}, {2: 1}))
    assert (found.items, found.single) == (0, 2)
    for figure in (found.percent, found.cohen, found.fleiss, found.alpha):
        assert (figure.value, figure.why) == (None, "no text has two reviews in a stage")


def test_where_everybody_says_the_same_agreement_beyond_chance_is_undefined():
    found = measure(ask({1: 1, 2: 1}, {1: 1, 2: 1}))
    assert found.percent.value == 100
    for figure in (found.cohen, found.fleiss, found.alpha):
        assert figure.value is None
        assert figure.why == "all answers agree"


def test_steps_of_a_scale_are_nearer_the_nearer_they_are():
    near = [{1: 1, 2: 2}, {1: 4, 2: 5}, {1: 3, 2: 3}]
    far = [{1: 1, 2: 5}, {1: 4, 2: 2}, {1: 3, 2: 3}]
    assert measure(ask(*near, kind="SCALE")).alpha.value > 0
    assert measure(ask(*far, kind="SCALE")).alpha.value < 0
    # As mere names the two are as far apart as any.
    assert measure(ask(*near)).alpha.value == pytest.approx(measure(ask(*far)).alpha.value, abs=0.1)


pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(db):
    return [make_person(Role.REVIEWER, f"panel-{number}") for number in range(2)]


@pytest.fixture
def asking(contributor):
    pipeline = make_pipeline({"name": "Look", "reviews_needed": 3})
    stage = pipeline.stages.get()
    stage.questions.create(place=1, text="Clear?", kind="YES_NO")
    stage.questions.create(place=2, text="How hard?", kind="SCALE", is_required=False)
    return make_benchmark(pipeline)


def give(benchmark, author, panel, *said, title="One", **fields):
    review_round = submit(make_draft(author, benchmark, title=title, **fields), author)
    clear, hard = (one.key for one in review_round.version.questions.all())
    for person, (recommendation, is_clear, how_hard) in zip(panel, said, strict=False):
        given = {clear: is_clear} | ({hard: how_hard} if how_hard else {})
        review(review_round, person, recommendation, answers=given)
    return review_round


def test_what_was_said_is_gathered_by_question_and_the_newest_counts(asking, contributor, panel):
    one = give(asking, contributor, panel, ("ACCEPT", True, 2), ("REVISE", False, None))
    review(one, panel[1], "ACCEPT", answers={one.version.questions.all()[0].key: True}, replaces=1)
    found = gather(Review.objects.all())
    assert [(asked.text, asked.kind) for asked in found] == [
        ("", ""),
        ("Clear?", "YES_NO"),
        ("How hard?", "SCALE"),
    ]
    people = [person.pk for person in panel]
    assert found[0].items[one.pk] == dict.fromkeys(people, 0)
    assert found[1].items[one.pk] == dict.fromkeys(people, 1)
    assert found[2].items[one.pk] == {people[0]: 2}


def test_a_question_in_other_words_is_another_one(asking, contributor, panel):
    give(asking, contributor, panel, ("ACCEPT", True, 2))
    find_pipeline(asking).stages.get().questions.filter(place=1).update(text="Is it clear?")
    give(asking, contributor, panel, ("ACCEPT", True, 2), title="Two")
    texts = [asked.text for asked in gather(Review.objects.all())]
    assert sorted(texts) == ["", "Clear?", "How hard?", "Is it clear?"]


@pytest.fixture
def few_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "FEWEST", 1)


def test_of_few_rounds_no_figure_is_shown_nor_given_as_a_file(
    client, admin, asking, contributor, panel
):
    give(asking, contributor, panel, ("ACCEPT", True, 2), ("REVISE", True, 4))
    client.force_login(admin)
    for query in ("", "?as=csv"):
        content = client.get(of_room("figures") + query).content.decode()
        assert "Figures are shown once 20 texts are reviewed; 1 has a review so far." in content
        assert "<table" not in content


@pytest.mark.usefixtures("few_suffice")
def test_the_page_and_the_file_have_the_figures_and_why_others_are_missing(
    client, admin, asking, contributor, panel
):
    give(asking, contributor, panel, ("ACCEPT", True, 2), ("REVISE", True, 4))
    give(asking, contributor, panel, ("REVISE", True, 1), ("REVISE", True, 1), title="Two")
    client.force_login(admin)
    page = client.get(of_room("figures"))
    text = page.content.decode()
    assert "all answers agree" in text
    assert page.context["pictures"]
    file = client.get(of_room("figures") + "?as=csv").content.decode("utf-8-sig")
    rows = {row["asked"]: row for row in csv.DictReader(io.StringIO(file))}
    assert rows["recommendation"]["percent"] == "50.00"
    assert rows["recommendation"]["rounds_compared"] == "2"
    assert rows["Clear?"]["krippendorff_alpha"] == ""
    assert rows["Clear?"]["krippendorff_alpha_undefined_because"]
    assert rows["How hard?"]["scale"] == "ordinal"
    empty = client.get(of_room("figures") + "?domain=OPTICS").content.decode()
    assert "Nothing matches these filters" in empty


@pytest.mark.usefixtures("few_suffice")
def test_more_rounds_take_no_more_queries(
    client, admin, asking, contributor, panel, django_assert_num_queries
):
    client.force_login(admin)
    address = of_room("figures")
    for number in (1, 2, 3):
        give(
            asking, contributor, panel, ("ACCEPT", True, 2), ("REVISE", True, 4), title=f"{number}"
        )
        if number != 2:
            with django_assert_num_queries(17):
                client.get(address)


@pytest.mark.usefixtures("few_suffice")
def test_figures_are_worked_out_once_for_the_same_reviews(
    client, admin, asking, contributor, panel, django_assert_num_queries
):
    client.force_login(admin)
    address = of_room("figures")
    give(asking, contributor, panel, ("ACCEPT", True, 2), ("ACCEPT", True, 4))
    first = client.get(address).context["compared"]
    with django_assert_num_queries(14):
        assert client.get(address).context["compared"] == first
    give(asking, contributor, panel, ("ACCEPT", True, 2), ("REVISE", True, 4), title="Another")
    assert client.get(address).context["compared"][0].items == first[0].items + 1
    narrowed = client.get(f"{address}?domain=OPTICS").context["compared"]
    assert narrowed == []


@pytest.mark.usefixtures("few_suffice")
def test_where_nobody_can_be_compared_the_page_says_so_once(
    client, admin, asking, contributor, panel
):
    give(asking, contributor, panel[:1], ("ACCEPT", True, 2))
    client.force_login(admin)
    page = client.get(of_room("figures"))
    content = page.content.decode()
    assert content.count("No text has two reviews in a stage") == 1
    assert "<table" not in content
    assert [row.text for row in page.context["single"]] == ["", "Clear?", "How hard?"]
    # Beside what can be compared, the rest is one line.
    give(asking, contributor, panel, ("ACCEPT", True, None), ("REVISE", True, None), title="Two")
    page = client.get(of_room("figures"))
    assert [row.text for row in page.context["compared"]] == ["", "Clear?"]
    assert "1 question without two reviews of one text" in page.content.decode()
    assert "no text has two reviews in a stage" not in page.content.decode()
