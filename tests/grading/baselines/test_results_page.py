"""The page of results: its pictures, what it says of places, and what would tell of few."""

import re
from datetime import timedelta

import pgtrigger
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.studies.models import Study
from grading.studies.sessions.models import Session, Trace
from tests.grading.baselines.test_results import RIGHT, WRONG, end, sit
from tests.memory import remembered

pytestmark = pytest.mark.django_db

MINUTES = 60_000


def sit_for(study: Study, name: str, *answers: str, minutes: int = 30) -> Session:
    """Have somebody sit a session that took so long, five minutes a problem."""
    session = sit(study, name, *answers)
    Trace.objects.bulk_create(
        Trace(item=item, kind=Trace.Kind.SHOWN, moment=1, amount=5 * MINUTES)
        for item in session.items.all()
    )
    end(session)
    with pgtrigger.ignore(
        "grading.Session:session_stays_as_it_started", "grading.Session:session_ends_for_good"
    ):
        Session.objects.filter(pk=session.pk).update(
            ended_at=session.started_at + timedelta(minutes=minutes)
        )
    return session


@pytest.fixture
@remembered
def sat(study):
    Study.objects.update(most_people=99)
    study.refresh_from_db()
    for place, name in enumerate("abcde"):
        sit_for(study, name, RIGHT, WRONG if place % 2 else RIGHT)
    return study


@pytest.fixture
def five(sat, admin, client):
    client.force_login(admin)
    return sat


def read(client, study, name="study_results"):
    return client.get(reverse(f"grading:{name}", args=[study.pk])).content.decode()


def test_pictures_are_drawn_in_both_widths_and_have_words(client, five):
    page = read(client, five)
    for name, words in (("progress", "accuracy was"), ("times", "right: 5.0 minutes")):
        address = reverse("grading:study_picture", args=[five.pk, name])
        assert f'src="{address}"' in page
        assert words in page
        for layout in ("", "?layout=narrow"):
            picture = client.get(address + layout)
            assert picture["Content-Type"] == "image/svg+xml"
            drawn = picture.content.decode()
            assert "<title>" in drawn
            assert "nan" not in drawn.lower()


def test_a_picture_that_there_is_not_is_not_found(client, five):
    for name in ("other", "..progress"):
        address = f"/studies/{five.pk}/{name}.svg"
        assert client.get(address).status_code == 404


def test_of_few_people_there_are_no_pictures_and_no_effect_of_places(client, study, admin):
    sit_for(study, "a", RIGHT)
    client.force_login(admin)
    page = read(client, study)
    assert 'class="picture"' not in page
    assert "Effect of the place" not in page
    for name in ("progress", "times"):
        address = reverse("grading:study_picture", args=[study.pk, name])
        assert client.get(address).status_code == 404


def test_a_mean_without_an_interval_has_its_reason(client, five):
    page = read(client, five)
    assert "A mean without an interval is of fewer than 5 people or problems." in page
    assert re.search(r'data-label="Accuracy">\s*\d+\.\d\s*</td>', page)


def test_the_page_says_what_the_place_does_and_shows_quartiles(client, five):
    page = read(client, five)
    assert "Second half less first half" in page
    assert "Mean of the best quarter" in page
    assert "The times of right answers are not the time" in page


def test_the_page_asks_as_often_for_six_people_as_for_five(client, five):
    counts = []
    for name in ("", "f"):
        if name:
            sit_for(five, name, RIGHT)
        read(client, five)
        with CaptureQueriesContext(connection) as asked:
            read(client, five)
        counts.append(len(asked))
    assert counts[0] == counts[1]
