"""Pages are light or dark as their reader chose, else as the system says."""

import re

import pytest
from django.urls import reverse

from phybench.pages import kept

pytestmark = pytest.mark.django_db


def look_of(client) -> str:
    page = client.get(reverse("how_grading_works")).content.decode()
    found = re.search(r'<html lang="[^"]+"(?: class="([^"]*)")?>', page)
    assert found
    return found[1] or ""


def choose(client, scheme: str):
    back = reverse("how_grading_works")
    return client.post(reverse("choose_scheme"), {"scheme": scheme, "next": back})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_choice_lasts_in_this_browser_until_it_is_left_to_the_system(client, contributor, scheme):
    client.force_login(contributor)
    assert look_of(client) == ""
    answer = choose(client, scheme)
    assert answer["Location"] == reverse("how_grading_works")
    assert look_of(client) == scheme
    choose(client, "")
    assert look_of(client) == ""


@pytest.mark.parametrize("asked", ["DARK", "dark light", '"><script>', "x" * 1000])
def test_what_is_no_scheme_is_not_written_into_pages(client, asked):
    choose(client, asked)
    assert "scheme" not in client.cookies or not client.cookies["scheme"].value
    client.cookies["scheme"] = asked
    assert look_of(client) == ""


def test_a_page_kept_for_visitors_is_of_the_scheme_that_each_chose(client, settings):
    settings.KEEPS_PAGES = True
    kept.SHELF.pages.clear()
    assert look_of(client) == ""
    choose(client, "dark")
    assert look_of(client) == "dark"


def test_the_menu_marks_the_choice(client, contributor):
    client.force_login(contributor)
    choose(client, "dark")
    page = client.get(reverse("inbox")).content.decode()
    assert re.findall(r'value="(\w*)" aria-pressed="true"', page) == ["dark"]
