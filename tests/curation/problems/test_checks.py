"""What an author is told about a reference answer while writing it."""

import pytest
from django.urls import reverse

from curation.problems.checks import check, find_disagreement
from phybench import sandbox

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
OTHERWISE = r"\cos\theta[a+b]"


@pytest.fixture(autouse=True)
def _patience(settings):
    # The second reader is imported in the child, which on a busy machine takes its time.
    settings.READING_DEADLINE_SECONDS = 60.0
    yield
    sandbox.close()


def test_another_reading_is_a_warning_and_no_broken_rule():
    checked = check(OTHERWISE, "", reads_twice=True)

    assert checked.broken == []
    assert checked.second is not None
    assert checked.second.theirs == r"\cos{\left(\theta \left(a + b\right) \right)}"


@pytest.mark.parametrize("answer", [r"\cos\left(\theta\right)", "1/2\\pi", r"\int x", ""])
def test_nothing_is_said_where_both_agree_or_another_rule_says_it(answer):
    assert check(answer, "", reads_twice=True).second is None


def test_a_second_reading_that_takes_too_long_is_silence(settings):
    long = "+".join(rf"\cos\theta[a+b_{{{number}}}]" for number in range(30))
    assert find_disagreement(long) is not None

    settings.READING_DEADLINE_SECONDS = 0.05

    assert find_disagreement(long) is None


def test_both_readings_are_shown_side_by_side_once_the_preview_is_there(client, contributor):
    client.force_login(contributor)
    second = reverse("curation:second_reading")
    assert (
        second in client.post(reverse("curation:preview"), {"answer": OTHERWISE}).content.decode()
    )

    page = client.post(second, {"answer": OTHERWISE}).content.decode()

    assert "Second reader" in page
    assert r"\cos{\left(\theta \left(a + b\right) \right)}" in page


@pytest.mark.parametrize("answer", ["", "x", r"\frac{", "x" * 1_000_000])
def test_where_there_is_nothing_to_say_nothing_is_shown(client, contributor, answer):
    client.force_login(contributor)
    page = client.post(reverse("curation:second_reading"), {"answer": answer})
    assert page.content.decode().strip() == ""
