"""Risk against coverage, with the threshold chosen on one half and reported on the other."""

from phybench_grader.statistics.halves import is_for_choosing
from phybench_grader.statistics.risk_coverage import RiskCase, WhyNoCurve, draw_curve

KEYS = [str(number) for number in range(400)]
CHOOSING = [key for key in KEYS if is_for_choosing(key)]
REPORTING = [key for key in KEYS if not is_for_choosing(key)]


def make(keys, sureness, *, wrong=0, missing=0):
    """Make labelled items that are equally sure, the first of them wrong, the next unsaid."""
    return [
        RiskCase(
            key, True, None if wrong <= number < wrong + missing else number >= wrong, sureness
        )
        for number, key in enumerate(keys)
    ]


def test_the_threshold_is_chosen_on_one_half_and_reported_on_the_other():
    cases = [
        *make(CHOOSING[:50], 1.0),
        *make(CHOOSING[50:100], 0.5, wrong=25),
        *make(REPORTING[:40], 1.0, wrong=10),
        *make(REPORTING[40:80], 0.5),
    ]
    found = draw_curve(cases, most_risk=10.0)
    assert found.chosen is not None
    assert found.chosen.threshold == 1.0, "on the other half the lower one would be better"
    assert (found.chosen.choosing.risk.value, found.chosen.choosing.coverage.value) == (0.0, 50.0)
    assert (found.chosen.reporting.risk.value, found.chosen.reporting.coverage.value) == (
        25.0,
        50.0,
    )
    assert [
        (one.threshold, one.reporting.covered, one.reporting.wrong) for one in found.points
    ] == [
        (1.0, 40, 10),
        (0.5, 80, 10),
    ]


def test_of_thresholds_within_the_risk_the_one_that_covers_most_is_chosen():
    cases = [
        *make(KEYS[:100], 1.0, wrong=20),
        *make(KEYS[100:300], 0.5, wrong=0),
        *make(KEYS[300:], 0.2, wrong=100),
    ]
    found = draw_curve(cases, most_risk=10.0)
    assert found.chosen is not None
    assert found.chosen.threshold == 0.5


def test_what_has_no_verdict_is_covered_nowhere_and_is_among_the_labels():
    cases = [*make(KEYS[:200], 1.0, missing=50), *make(KEYS[200:], 0.5)]
    last = draw_curve(cases, most_risk=10.0).points[-1]
    assert last.choosing.labels + last.reporting.labels == 400
    assert last.choosing.covered + last.reporting.covered == 350


def test_where_every_threshold_errs_too_often_none_is_chosen():
    cases = [*make(KEYS[:200], 1.0, wrong=200), *make(KEYS[200:], 0.5, wrong=200)]
    found = draw_curve(cases, most_risk=10.0)
    assert (found.chosen, found.reason) == (None, None)
    assert len(found.points) == 2


def test_verdicts_that_are_equally_sure_or_not_said_to_be_make_no_curve():
    assert draw_curve(make(KEYS, 1.0), most_risk=10.0).reason is WhyNoCurve.ALL_ALIKE
    assert draw_curve(make(KEYS, None), most_risk=10.0).points == ()
    assert draw_curve([], most_risk=10.0).reason is WhyNoCurve.ALL_ALIKE


def test_a_half_with_too_few_verdicts_chooses_nothing_and_reports_nothing():
    few = [*make(CHOOSING[:100], 1.0), *make(REPORTING[:9], 0.5)]
    assert draw_curve(few, most_risk=10.0).reason is WhyNoCurve.TOO_FEW
