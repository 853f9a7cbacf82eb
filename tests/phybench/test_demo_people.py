"""Signing in as one of the demo's people by one click: on one's own machine, and nowhere else."""

import pytest
from django.test import Client

from phybench.people.demo_people import FORWARDED
from phybench.people.models import User

pytestmark = pytest.mark.django_db
LOCAL = {"SERVER_NAME": "localhost", "SERVER_PORT": "8000"}


@pytest.fixture(autouse=True)
def demo(settings, contributor: User) -> User:
    settings.RUN_BY_DEV_PY = True
    settings.SITE_URL = "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["*"]
    contributor.is_demo = True
    contributor.save()
    return contributor


def press(person: User, **meta: str) -> int:
    return Client(**{**LOCAL, **meta}).post(f"/demo-people/{person.pk}/sign-in/").status_code


def is_offered(**meta: str) -> bool:
    page = Client(**{**LOCAL, **meta}).get("/accounts/login/")
    return "/demo-people/" in page.content.decode()


def test_one_click_signs_in_on_the_machine_that_runs_the_demo(demo):
    client = Client(**LOCAL)
    page = client.get("/accounts/login/").content.decode()
    assert f"/demo-people/{demo.pk}/sign-in/" in page
    client.post(f"/demo-people/{demo.pk}/sign-in/")
    assert client.get("/inbox/").wsgi_request.user == demo


@pytest.mark.parametrize("name", FORWARDED)
def test_nothing_is_offered_where_a_proxy_forwarded_the_request(demo, name):
    header = {f"HTTP_{name.upper().replace('-', '_')}": "127.0.0.1"}
    assert not is_offered(**header)
    assert press(demo, **header) == 404


@pytest.mark.parametrize(
    "meta",
    [
        {"SERVER_NAME": "bench.example.org"},
        {"SERVER_NAME": "localhost.example.org"},
        {"SERVER_NAME": "192.168.1.7"},
        {"REMOTE_ADDR": "192.168.1.7"},
    ],
)
def test_nothing_is_offered_to_who_asks_from_elsewhere_or_for_another_name(demo, meta):
    assert not is_offered(**meta)
    assert press(demo, **meta) == 404


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SITE_URL", "https://bench.example.org"),
        ("SITE_URL", "http://127.0.0.1.example.org"),
        ("RUN_BY_DEV_PY", False),
        ("WITH_DEMO", False),
    ],
)
def test_nothing_is_offered_where_it_is_no_demo_on_somebody_s_own_machine(
    demo, settings, name, value
):
    setattr(settings, name, value)
    assert not is_offered()
    assert press(demo) == 404


def test_nobody_signs_in_as_somebody_real_or_simulated_or_shut_out(demo, admin):
    assert press(admin) == 404
    demo.set_unusable_password()
    demo.save()
    assert press(demo) == 404
    demo.set_password("again-1918")
    demo.is_active = False
    demo.save()
    assert press(demo) == 404


def test_a_link_signs_nobody_in(demo):
    assert Client(**LOCAL).get(f"/demo-people/{demo.pk}/sign-in/").status_code == 405


def test_another_site_signs_nobody_in(demo):
    client = Client(enforce_csrf_checks=True, **LOCAL)
    assert client.post(f"/demo-people/{demo.pk}/sign-in/").status_code == 403
