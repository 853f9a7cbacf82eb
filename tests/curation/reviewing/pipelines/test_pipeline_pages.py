import pytest
from django.forms.models import model_to_dict
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.pipeline_editor import actions as pipeline_editing
from curation.reviewing.pipelines.models import Pipeline, Question, ReviewSettings, Stage
from curation.reviewing.pipelines.shipped import make_pipeline as make_known
from curation.texts.stage_texts import THREE_STAGES
from curation.texts.workflow import NotAllowedNow
from tests.conftest import make_draft, submit
from tests.curation.at_once import list_refusals
from tests.curation.reviewing.place import of_plan, of_room
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, open_round, review

pytestmark = pytest.mark.django_db

TERMS = {
    "name": "Screening",
    "instructions": "Look at it.",
    "rule": "MAJORITY",
    "solves_needed": "0",
    "reveals_others": "AFTER_OWN",
    "reviews_needed": "3",
    "due_days": "7",
    "asks_again": "on",
}


@pytest.fixture
def signed_in(client, admin):
    client.force_login(admin)
    return client


@pytest.fixture
def two(db) -> Pipeline:
    return make_pipeline({"name": "First"}, {"name": "Second"})


def fill_in(*questions: dict[str, object], there: int = 0) -> dict[str, object]:
    """Fill in the questions of a stage; the first `there` of them were there before."""
    filled: dict[str, object] = {
        "questions-TOTAL_FORMS": len(questions),
        "questions-INITIAL_FORMS": there,
    }
    for number, question in enumerate(questions):
        given = {"kind": "YES_NO", "is_required": "on", "ORDER": number + 1, **question}
        filled |= {f"questions-{number}-{name}": value for name, value in given.items()}
    return filled


def post(client, button: str, pk: int | None, pipeline: Pipeline | None = None, /, **sent: object):
    """Press a button of the settings, or of a stage where it is one of stages."""
    if not Benchmark.objects.exists():
        make_benchmark()
    known = {"known": pipeline_editing.fingerprint(pipeline)} if pipeline else {}
    name, _dash, step = button.partition(" ")
    if name == "stage":
        address, pressed = of_room("stage", pk), {"do": step}
    elif name == "new_stage":
        address, pressed = f"{of_room('review_settings')}?show=stage&plan={pk}", {}
    else:
        address, pressed = of_room("review_settings"), {"do": name, "plan": pk or ""}
    return client.post(address, {**pressed, **known, **sent}, follow=True)


def list_names(pipeline: Pipeline) -> list[str]:
    return list(pipeline.stages.order_by("place").values_list("name", flat=True))


def test_a_pipeline_is_made_from_nothing_stage_by_stage(signed_in):
    post(signed_in, "copy", None, name="Ours")
    made = Pipeline.objects.get(name="Ours")
    asked = fill_in(
        {"text": "Second?", "ORDER": 2, "kind": "SCALE"}, {"text": "First?", "ORDER": 1}
    )
    page = post(signed_in, "new_stage", made.pk, made, **TERMS, **asked)
    assert "Saved." in page.content.decode()
    stage = made.stages.get()
    assert (stage.place, stage.rule, stage.reviews_needed, stage.due_days) == (1, "MAJORITY", 3, 7)
    assert (stage.reveals_others, stage.is_blind, stage.asks_again) == ("AFTER_OWN", False, True)
    questions = stage.questions.order_by("place").values_list("text", "kind")
    assert list(questions) == [("First?", "YES_NO"), ("Second?", "SCALE")]


def test_the_form_says_how_many_reviews_are_needed_if_it_says_nothing(signed_in, settings):
    settings.REVIEWS_PER_ROUND = 4
    make_benchmark()
    plan = Pipeline.objects.create(name="Ours").pk
    page = signed_in.get(
        of_room("review_settings"), {"show": "stage", "plan": plan}
    ).content.decode()
    assert "If you leave this empty, 4 is used." in page
    assert "REVIEWS_PER_ROUND" not in page


def test_a_copy_has_everything_and_the_original_stays_as_it_is(signed_in):
    original = make_known(THREE_STAGES)
    before = pipeline_editing.fingerprint(original)
    post(signed_in, "copy", None, name="Copy", copied_from=original.pk)
    copy = Pipeline.objects.get(name="Copy")
    for one, other in zip(
        original.stages.order_by("place"), copy.stages.order_by("place"), strict=True
    ):
        ours, theirs = (
            (
                model_to_dict(stage, exclude=["id", "pipeline"]),
                list(stage.questions.values_list("place", "text", "kind", "is_required")),
            )
            for stage in (one, other)
        )
        assert ours == theirs
    copy.stages.all().delete()
    assert pipeline_editing.fingerprint(original) == before


def test_stages_move_up_and_not_beyond_the_first_place(signed_in, two):
    first, second = two.stages.order_by("place")
    post(signed_in, "stage move", second.pk, two)
    assert list_names(two) == ["Second", "First"]
    post(signed_in, "stage move", second.pk, two)
    assert list_names(two) == ["Second", "First"]
    post(signed_in, "stage move", first.pk, two)
    assert list_names(two) == ["First", "Second"]
    assert [stage.place for stage in two.stages.order_by("place")] == [first.place, second.place]


def test_questions_are_changed_added_moved_and_deleted_by_their_ids(signed_in, two):
    stage = two.stages.first()
    gone = stage.questions.create(place=1, text="Gone?")
    kept = stage.questions.create(place=2, text="Kept?")
    asked = fill_in(
        {"id": gone.pk, "text": "Gone?", "DELETE": "on"},
        {"id": kept.pk, "text": "Kept, in other words?", "ORDER": 2},
        {"text": "New?", "ORDER": 1},
        there=2,
    )
    post(signed_in, "stage", stage.pk, two, **TERMS, **asked)
    found = stage.questions.order_by("place").values_list("text", flat=True)
    assert list(found) == ["New?", "Kept, in other words?"]
    assert Question.objects.get(text="Kept, in other words?").pk == kept.pk


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"name": ""}, "This field is required"),
        ({"rule": "BLIND_SOLVES"}, "needs a blind stage and at least one agreeing solve"),
        ({"solves_needed": "2"}, "With another rule, enter 0."),
        ({"reviews_needed": "0"}, "greater than or equal to 1"),
        ({"reviews_needed": "1e9"}, "Enter a whole number"),
        ({"due_days": "99999999"}, "less than or equal to 365"),
        ({"instructions": "x" * 5001}, "at most 5000 characters"),
        ({"questions-0-text": "x" * 201}, "at most 200 characters"),
        ({"questions-0-kind": "MAYBE"}, "Select a valid choice"),
        ({"questions-TOTAL_FORMS": "999999"}, "at most 20 forms"),
    ],
)
def test_what_can_not_be_is_said_in_words_and_nothing_is_saved(signed_in, two, sent, message):
    stage = two.stages.first()
    before = pipeline_editing.fingerprint(two)
    asked = fill_in({"text": "One?"})
    page = post(signed_in, "stage", stage.pk, two, **{**TERMS, **asked, **sent})
    assert message in page.content.decode()
    assert pipeline_editing.fingerprint(two) == before


def test_a_question_of_another_stage_is_not_taken_over(signed_in, two):
    first, second = two.stages.order_by("place")
    other = second.questions.create(place=1, text="Of the second?")
    asked = fill_in({"id": other.pk, "text": "Mine now"}, there=1)
    page = post(signed_in, "stage", first.pk, two, **TERMS, **asked)
    assert "was deleted" in page.content.decode()
    other.refresh_from_db()
    assert (other.text, other.stage_id) == ("Of the second?", second.pk)


def test_an_open_round_goes_by_its_version_and_the_next_by_what_is_there_then(
    signed_in, two, contributor, reviewer
):
    problem = make_draft(contributor, make_benchmark(two))
    opened = submit(problem, contributor)
    first, second = two.stages.order_by("place")
    for stage in (first, second):
        post(signed_in, "stage", stage.pk, two, **{**TERMS, "name": f"{stage.name}, new"})
        post(signed_in, "stage", stage.pk, two, **TERMS, **fill_in({"text": "New?"}))
    opened.refresh_from_db()
    asked = opened.version
    assert (asked.name, asked.rule, opened.reviews_needed) == ("First", "UNANIMOUS", 1)
    assert not asked.questions.exists()
    review(opened, reviewer)
    following = open_round(problem)
    asked = following.version
    assert (asked.name, asked.rule, following.reviews_needed) == (
        "Screening",
        "MAJORITY",
        3,
    )
    assert [question.text for question in asked.questions.all()] == ["New?"]


def test_the_order_stays_while_a_problem_is_on_its_way(signed_in, two, contributor):
    submit(make_draft(contributor, make_benchmark(two)), contributor)
    page = post(signed_in, "stage move", two.stages.last().pk, two)
    assert "the order of its stages can’t be changed" in page.content.decode()
    assert list_names(two) == ["First", "Second"]


def test_what_rounds_cite_or_benchmarks_need_is_not_deleted(signed_in, two, contributor):
    first, second = two.stages.order_by("place")
    benchmark = make_benchmark(two)
    page = post(signed_in, "delete", two.pk, two)
    assert "A benchmark uses it" in page.content.decode()
    submit(make_draft(contributor, benchmark), contributor)
    page = post(signed_in, "stage delete", first.pk, two)
    assert "Problems have been reviewed in this stage" in page.content.decode()
    post(signed_in, "stage delete", second.pk, two)
    assert list_names(two) == ["First"]
    ReviewSettings.objects.filter(benchmark=benchmark).update(pipeline=None)
    page = post(signed_in, "delete", two.pk, two)
    assert "so it can’t be deleted" in page.content.decode()


def test_the_last_stage_of_a_pipeline_in_use_stays_and_an_empty_one_serves_nobody(signed_in):
    one = make_pipeline({"name": "Only"})
    benchmark = make_benchmark(one)
    page = post(signed_in, "stage delete", one.stages.get().pk, one)
    assert "only stage" in page.content.decode()
    empty = pipeline_editing.make(name="Empty")
    page = signed_in.get(reverse("curation:review_settings", args=[benchmark.slug]))
    assert f'name="plan" value="{one.pk}"' in page.content.decode()
    assert f'name="plan" value="{empty.pk}"' not in page.content.decode()


def test_what_nothing_uses_is_deleted(signed_in, two):
    make_benchmark()
    assert "can’t be undone" in signed_in.get(of_plan(two.pk)).content.decode()
    post(signed_in, "delete", two.pk, two)
    assert not Stage.objects.filter(pipeline=two.pk).exists()
    assert not Pipeline.objects.filter(pk=two.pk).exists()


@pytest.mark.parametrize("number", ["", "0", "x", "9" * 30])
def test_a_plan_that_is_none_is_not_found(signed_in, number):
    make_benchmark()
    address = of_room("review_settings")
    assert signed_in.get(address, {"show": "plan", "plan": number}).status_code == 404
    assert (
        signed_in.get(of_room("review_settings"), {"show": "stage", "plan": number}).status_code
        == 404
    )
    for button in ("rename", "delete"):
        assert signed_in.post(address, {"do": button, "plan": number}).status_code == 404


def test_a_name_that_is_taken_is_refused_at_its_field(signed_in, two):
    other = pipeline_editing.make(name="Other")
    page = post(signed_in, "rename", other.pk, other, name=two.name)
    assert "Another plan has this name" in page.content.decode()
    assert f"<h1>{other.name}" in page.content.decode()
    post(signed_in, "rename", other.pk, other, name="Renamed")
    other.refresh_from_db()
    assert other.name == "Renamed"


def test_a_name_that_another_took_at_the_same_moment_is_refused(two):
    other = pipeline_editing.make(name="Other")
    known = pipeline_editing.fingerprint(other)
    for change in (
        lambda: pipeline_editing.make(name=two.name),
        lambda: pipeline_editing.rename(pipeline=other, name=two.name, known=known),
    ):
        with pytest.raises(NotAllowedNow, match="has this name"):
            change()
    other.refresh_from_db()
    assert other.name == "Other"


def test_who_saves_what_another_changed_meanwhile_is_told_and_keeps_what_they_typed(signed_in, two):
    stage = two.stages.first()
    stale = pipeline_editing.fingerprint(two)
    stage.questions.create(place=1, text="By another admin?")
    sent = {**TERMS, **fill_in(), "known": stale, "instructions": "What I typed."}
    for _ in range(2):
        page = post(signed_in, "stage", stage.pk, **sent)
        assert "Someone changed this plan" in page.content.decode()
        assert "What I typed." in page.content.decode()
    stage.refresh_from_db()
    assert (stage.name, stage.questions.count()) == ("First", 1)


@pytest.mark.django_db(transaction=True)
def test_of_two_admins_at_once_one_saves_and_the_other_is_told(two):
    stage = two.stages.first()
    known = pipeline_editing.fingerprint(two)

    def save(name: str) -> None:
        pipeline_editing.save_stage(
            pipeline=two,
            stage=stage,
            fields={"name": name},
            questions=[{"text": name, "kind": "YES_NO", "is_required": True}],
            known=known,
        )

    said = list_refusals(lambda: save("One"), lambda: save("Other"))
    assert sorted(map(bool, said)) == [False, True]
    assert "Someone changed" in max(said)
    stage.refresh_from_db()
    assert stage.questions.get().text == stage.name


def test_the_pages_take_as_many_queries_for_three_stages_as_for_one(
    signed_in, two, django_assert_num_queries
):
    one = make_known(THREE_STAGES)
    single = pipeline_editing.make(name="Single")
    single.stages.create(place=1, name="Only").questions.create(place=1, text="Clear?")
    make_benchmark(pipeline_editing.make(name="Used"))
    signed_in.get(of_room("review_settings"))
    for address in (of_plan(single.pk), of_plan(one.pk)):
        with django_assert_num_queries(15):
            signed_in.get(address)


def test_what_would_be_refused_is_not_offered(signed_in, two, contributor):
    benchmark = make_benchmark()

    def count_offered() -> tuple[int, int]:
        text = signed_in.get(of_plan(two.pk)).content.decode()
        return text.count("Delete the stage"), text.count("Delete the plan")

    assert count_offered() == (2, 1)
    ReviewSettings.objects.filter(benchmark=benchmark).update(pipeline=two)
    submit(make_draft(contributor, benchmark), contributor)
    assert count_offered() == (1, 0)


def test_the_pages_of_plans_are_found_under_settings(signed_in, two):
    make_benchmark(two)
    settings = of_room("review_settings")
    for address in (of_plan(two.pk), of_room("stage", two.stages.first().pk)):
        page = signed_in.get(address).content.decode()
        assert 'aria-current="page">Settings</a>' in page
        assert f'href="{settings}"' in page


def test_what_we_ship_is_said_in_the_readers_language_and_what_an_admin_wrote_as_written(signed_in):
    pipeline = make_known(THREE_STAGES)
    make_benchmark(pipeline)
    pipeline.stages.filter(place=2).update(name="Our own stage")
    signed_in.cookies["django_language"] = "zh-hans"
    page = signed_in.get(of_plan(pipeline.pk)).content.decode()
    assert "初筛" in page
    assert "有多难？5 为最难。" in page
    assert "Our own stage" in page
    # What is edited is what is stored.
    assert f'value="{THREE_STAGES}"' in page


def test_a_review_asks_what_we_ship_in_the_readers_language(client, contributor, reviewer):
    made = make_benchmark(make_known(THREE_STAGES))
    review_round = submit(make_draft(contributor, made), contributor)
    client.force_login(reviewer)
    client.cookies["django_language"] = "zh-hans"
    page = client.get(reverse("curation:review", args=[review_round.pk])).content.decode()
    assert "难度是否与标注一致？" in page
    assert "这道题适合收入本基准吗？" in page
    assert "Screening" not in page
