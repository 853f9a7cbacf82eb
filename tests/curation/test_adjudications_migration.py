"""Rounds that were reviewed before their disagreement was measured."""

from importlib import import_module

import pytest
from django.apps import apps

from curation.reviewing.agreement.models import RoundDisagreement
from phybench.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline, review

pytestmark = pytest.mark.django_db
measure = import_module("curation.migrations.0010_adjudications").measure_what_is_there


def test_what_was_there_is_measured_as_it_would_be_today(contributor):
    benchmark = make_benchmark(make_pipeline({"reviews_needed": 3}))
    review_round = submit(make_draft(contributor, benchmark), contributor)
    people = [make_person(Role.REVIEWER, f"person-{number}") for number in range(2)]
    review(review_round, people[0], "REJECT")
    review(review_round, people[0], "ACCEPT", replaces=1)
    review(review_round, people[1], "REVISE")
    fields = ("recommendations", "answers", "solves", "total", "accept", "revise", "reject")
    today = RoundDisagreement.objects.values_list(*fields).get()
    RoundDisagreement.objects.all().delete()
    measure(apps, None)
    assert RoundDisagreement.objects.values_list(*fields).get() == today
    assert today == (50, 0, 0, 50, 1, 1, 0)
