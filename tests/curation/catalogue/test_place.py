"""Of which benchmark a page of a problem is."""

import pytest
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from tests.addresses import client_of
from tests.conftest import make_draft

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["", "edit/", "similar/", "leave/?do=delete"])
def test_the_header_names_the_benchmark_of_the_problem_and_not_the_one_chosen_last(
    contributor, benchmark, page
):
    second = Benchmark.objects.create(name="Second", slug="second")
    draft = make_draft(contributor, second)
    client = client_of(contributor)
    client.get(reverse("curation:overview", args=[benchmark.slug]))
    assert client.get(draft.get_absolute_url() + page).context["place"].slug == "second"


def test_a_list_has_the_problems_of_its_benchmark_alone(contributor, benchmark):
    second = Benchmark.objects.create(name="Second", slug="second")
    draft = make_draft(contributor, second)
    client = client_of(contributor)
    listed = [
        [one.pk for one in client.get(f"/b/{slug}/problems/").context["page"]]
        for slug in ("test", "second")
    ]
    assert listed == [[], [draft.pk]]
    assert client.get("/b/third/problems/").status_code == 404
