"""What people saw beside what models are sent."""

import pgtrigger
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.board.baselines.asked import Kind, SentToModels, ShownToPeople, find_differences
from grading.board.baselines.comparing import compare, find_words, list_pool
from grading.model_runs.models import ModelRun
from grading.model_runs.prompt import PROMPT_SHA256, WORDS, write_prompt
from grading.studies import actions as studying
from grading.studies.models import Study, StudyItem
from tests.boards import make_problems
from tests.grading.model_runs.running import begin
from tests.grading.trials.trials import make_endpoint
from tests.versions import publish_version

STATEMENT = "A ball of mass $m$ falls from $h$.\nHow fast is it?"


def send(statement: str = STATEMENT, language: str = "en", asked: str = "") -> SentToModels:
    prompt = write_prompt(WORDS, statement=statement, asked=asked)
    return SentToModels(prompt, statement, language)


def find(people: ShownToPeople, models: SentToModels) -> set[Kind]:
    return set(find_differences(people, models).kinds)


def test_the_same_problem_differs_in_how_the_answer_is_to_be_written_alone():
    people = ShownToPeople(STATEMENT, "en", wanted="Find $v$.")
    assert find(people, send(asked="Find $v$.")) == {Kind.FORMAT}


def test_a_translation_is_another_language_and_not_other_words():
    people = ShownToPeople("球落下。", "zh")
    assert find(people, send()) == {Kind.LANGUAGE, Kind.FORMAT}


def test_other_words_in_the_same_language_are_found():
    people = ShownToPeople("A stone falls.", "en")
    found = find_differences(people, send())
    assert Kind.STATEMENT in found.kinds
    assert found.only_people == ("A stone falls.",)
    assert "How fast is it?" in found.only_models


def test_lines_broken_otherwise_are_no_difference_of_words():
    people = ShownToPeople(STATEMENT.replace("\n", "  \n"), "en")
    found = find_differences(people, send())
    assert set(found.kinds) == {Kind.FORMAT}
    assert found.only_people == ()


def test_symbols_and_what_is_asked_that_only_people_see_are_named():
    people = ShownToPeople(STATEMENT, "en", ("$m$ mass [kg]",), "Find $v$.")
    found = find_differences(people, send())
    assert set(found.kinds) == {Kind.SYMBOLS, Kind.WANTED, Kind.FORMAT}
    assert found.only_people == ("$m$ mass [kg]", "Find $v$.")


# --- The page -------------------------------------------------------------------------------


@pytest.fixture
def page(client, admin, study):
    client.force_login(admin)
    return reverse("grading:study_asked", args=[study.pk])


@pytest.mark.django_db
def test_the_prompt_is_the_one_that_runs_send(study):
    words = find_words(study)
    assert (words.sha256, words.was_sent) == (PROMPT_SHA256, False)
    one = compare(list_pool(study)[0], words)
    assert one.models.prompt.startswith("Solve the following physics problem")
    assert one.item.statement.strip() in one.models.prompt


@pytest.mark.django_db
def test_where_models_were_run_it_is_the_prompt_of_the_newest_run(study, evaluator):
    endpoint = make_endpoint()
    runs = [begin(study.version, endpoint, evaluator) for _time in range(2)]
    with pgtrigger.ignore("grading.ModelRun:model_run_stays_as_it_was_begun"):
        ModelRun.objects.filter(pk=runs[1].pk).update(
            prompt_words="Now: {problem} {asked}", prompt_sha256="0" * 64
        )
    words = find_words(study)
    assert (words.sha256, words.others, words.was_sent) == ("0" * 64, 1, True)
    assert compare(list_pool(study)[0], words).models.prompt.startswith("Now: ")


@pytest.mark.django_db
def test_a_statement_in_other_words_is_shown_as_such(client, page, study):
    StudyItem.objects.filter(pk=list_pool(study)[0].pk).update(statement="A stone falls.")
    shown = client.get(page).content.decode()
    assert "A stone falls." in shown
    assert "statement in other words" in shown
    file = client.get(reverse("grading:study_asked_csv", args=[study.pk])).content.decode()
    assert len(file.splitlines()) == 1 + study.items.count()
    assert "A stone falls." not in file


@pytest.mark.django_db
def test_whose_statements_are_shown_is_written_down(client, page, study, admin):
    client.get(page)
    seen = Exposure.objects.filter(person=admin, part="STATEMENT").values_list("revision")
    assert {one for (one,) in seen} == set(study.items.values_list("item__revision", flat=True))


@pytest.mark.django_db
def test_a_page_has_ten_problems_and_only_these_are_written_down(client, admin, benchmark):
    make_problems(benchmark, 12)
    version = publish_version(benchmark)
    study = studying.make(version=version, title="Many", by=admin, consent="I do.")
    client.force_login(admin)
    address = reverse("grading:study_asked", args=[study.pk])
    shown = client.get(address).content.decode()
    assert "Page 1 of 2" in shown
    assert Exposure.objects.filter(person=admin, reason="READ").count() == 10
    client.get(address, {"page": 2})
    assert Exposure.objects.filter(person=admin, reason="READ").count() == 12


@pytest.mark.django_db
def test_what_is_so_in_every_problem_is_said(client, page):
    Study.objects.update(allowed_aids="Pen and paper.", minutes=45)
    shown = client.get(page).content.decode()
    assert "3 problems in 45 minutes" in shown
    assert "Pen and paper." in shown


@pytest.mark.django_db
def test_the_page_asks_as_often_for_six_problems_as_for_three(client, page, study):
    counts = []
    for _size in (6, 3):
        client.get(page)
        with CaptureQueriesContext(connection) as asked:
            client.get(page)
        counts.append(len(asked))
        StudyItem.objects.filter(pk__in=[one.pk for one in list_pool(study)[:3]]).delete()
    assert counts[0] == counts[1]
