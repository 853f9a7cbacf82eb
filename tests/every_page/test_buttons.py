"""
Each named button, pressed as everybody.

Merging addresses must make no permission invisible: each keeps the door that its own address had.
"""

import re

import pytest
from django.db import transaction

from tests.addresses import (
    ADDRESSES,
    BUTTONS,
    LOGIN,
    PEOPLE,
    Pressed,
    address_of_pressed,
    client_of,
)
from tests.every_page.test_walk import describe_first

OF_REVIEWS = re.compile(
    r"curation:(?:review|queue|assignments|review_settings|stage|talk|review_draft)\?do="
)


def test_the_table_says_who_may_press_each_button():
    assert set(BUTTONS) == set(filter(OF_REVIEWS.match, ADDRESSES))


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
def test_buttons_have_the_doors_of_the_table(world, person):
    client = client_of(world.people[person])
    told = {}
    for name in BUTTONS:
        address, sent = address_of_pressed(name, world)
        with transaction.atomic():
            answer = client.post(address, sent, follow=True)
            transaction.set_rollback(True)
        told[name] = describe_first(answer, person)
    assert told == {name: expect(one, person) for name, one in BUTTONS.items()}


def expect(pressed: Pressed, person: str) -> int | str:
    return LOGIN if person == "visitor" else pressed.by.of(person)


@pytest.mark.django_db
def test_a_button_that_is_none_is_the_page_s_own(world, reviewer):
    """A form without a name of its own: nobody gets past a door by inventing one."""
    address, _sent = address_of_pressed("curation:queue?do=next", world)
    assert client_of(reviewer).post(address, {"do": "splits"}).status_code == 405
    assert client_of(reviewer).get(address, {"show": "reject"}).status_code == 200
