"""Sentences about how far to trust a judge, for pages and for commands alike."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from phybench.pages.templatetags.typography import gap
from phybench_grader.judges.empty_answers import EmptyTally, Withstood
from phybench_grader.statistics.halves import LEAST_OF_A_HALF
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.panels import (
    LEAST_LABELS,
    Beats,
    BesideBest,
    EffectiveVotes,
    WhyNoVotes,
)
from phybench_grader.statistics.risk_coverage import CurvePoint, RiskCoverage, WhyNoCurve


def say_votes(found: EffectiveVotes) -> str:
    """Say beside a panel's size how many independent votes it carries, or why none can be told."""
    if found.value is not None:
        return _(
            "%(members)d judges carry about %(votes).1f independent votes: their errors have a "
            "mean correlation of %(correlation).2f on %(labels)d labels."
        ) % {
            "members": found.members,
            "votes": found.value,
            "correlation": found.correlation,
            "labels": found.labels,
        }
    return _("%(members)d judges. The number of independent votes can’t be told: %(why)s") % {
        "members": found.members,
        "why": _say_why_no_votes(found),
    }


def _say_why_no_votes(found: EffectiveVotes) -> str:
    match found.reason:
        case WhyNoVotes.CONSTANT:
            return _(
                "on %(labels)d labels, these judges are always right or always wrong: %(names)s."
            ) % {"labels": found.labels, "names": _(", ").join(found.constant)}
        case WhyNoVotes.NEGATIVE:
            return _(
                "on %(labels)d labels, their errors have a negative mean correlation, "
                "%(correlation).2f."
            ) % {"labels": found.labels, "correlation": found.correlation}
        case _other:
            return ngettext(
                "only %(labels)d label has a verdict by all of them, and %(least)d are needed.",
                "only %(labels)d labels have a verdict by all of them, and %(least)d are needed.",
                found.labels,
            ) % {"labels": found.labels, "least": LEAST_LABELS}


def say_beside_best(found: BesideBest) -> str:
    """Say whether a panel beats its best member, with the numbers of both halves."""
    has_enough = min(found.choosing, found.reporting) >= LEAST_OF_A_HALF
    if has_enough and not found.is_mixed:
        return _(
            "The panel ranks no models, because it can’t be told whether it beats its best "
            "member: the labels of the reporting half all say the same."
        )
    if found.outcome is Beats.CANT_TELL:
        return _(
            "The panel ranks no models, because it can’t be told whether it beats its best "
            "member: the choosing half has %(choosing)d usable labels, the reporting half "
            "%(reporting)d, and each half needs %(least)d."
        ) % {
            "choosing": found.choosing,
            "reporting": found.reporting,
            "least": LEAST_OF_A_HALF,
        }
    numbers = _(
        "On the choosing half of the labels, %(best)s is the best member (%(chosen)d of "
        "%(choosing)d right). On the reporting half, the panel is right on %(panel)d of "
        "%(reporting)d, and this member on %(member)d."
    ) % {
        "best": found.best,
        "chosen": max(one.right for one in found.scores),
        "choosing": found.choosing,
        "panel": found.panel_right,
        "reporting": found.reporting,
        "member": found.best_right,
    }
    if found.outcome is Beats.YES:
        return _("The panel beats its best member. %(numbers)s") % {"numbers": numbers}
    return _("The panel ranks no models, because it does not beat its best member. %(numbers)s") % {
        "numbers": numbers
    }


def say_empty(found: EmptyTally) -> str:
    """Say how a judge fared with answers that hold nothing; nothing where none are needed."""
    return gap().join(one for one in (_say_own(found), *_list_otherwise(found)) if one)


def say_empty_so_far(found: EmptyTally, *, asked: int, planned: int) -> str:
    """
    Say how a judge fared with empty answers, or how many a run has asked that still asks them.

    An acceptance is a verdict at once: nothing that comes later lifts it.
    """
    if found.outcome is not Withstood.CANT_TELL or asked == planned:
        return say_empty(found)
    own = _("Empty answers: %(asked)d of %(planned)d asked.") % {"asked": asked, "planned": planned}
    return gap().join((own, *_list_otherwise(found)))


def _list_otherwise(found: EmptyTally) -> Iterator[str]:
    """Say what models of this judge took for right in other prompts, prompt by prompt."""
    for prompt in dict.fromkeys(one.prompt for one in found.otherwise):
        texts = [one.text for one in found.otherwise if one.prompt == prompt]
        yield _(
            "With the prompt %(prompt)s, a model of this judge accepted empty answers as right: "
            "%(texts)s."
        ) % {"prompt": prompt, "texts": _quote(texts)}


def _quote(texts: Iterable[str]) -> str:
    return _(", ").join(_("“%(text)s”") % {"text": one} for one in texts)


def _say_own(found: EmptyTally) -> str:
    match found.outcome:
        case Withstood.ACCEPTED:
            return _(
                "This judge accepted empty answers as right: %(texts)s. It stays off boards, and "
                "its figures rank no models."
            ) % {"texts": _quote(found.accepted)}
        case Withstood.CANT_TELL if not found.passed:
            return _(
                "It can’t be told whether this judge accepts empty answers: none of the %(all)d "
                "has a verdict. Until it has rejected all of them, its figures rank no models."
            ) % {"all": found.all}
        case Withstood.CANT_TELL:
            return _(
                "It can’t be told whether this judge accepts empty answers: it rejected "
                "%(passed)d of %(all)d, and on the others (%(missing)d) it has no verdict. Until "
                "it has rejected all of them, its figures rank no models."
            ) % {"passed": found.passed, "all": found.all, "missing": found.missing}
        case Withstood.PASSED:
            return _("This judge rejected all %(all)d empty answers.") % {"all": found.all}
        case Withstood.NOT_NEEDED:
            return ""


def say_curve(found: RiskCoverage) -> str:
    """Say which threshold was chosen on one half of the labels, and what it means on the other."""
    if found.reason is WhyNoCurve.ALL_ALIKE:
        return _(
            "No threshold can be chosen, because nothing says which verdicts are surer than "
            "others. Use several judges, ask one several times, or use a judge that gives numbers."
        )
    if found.reason is WhyNoCurve.TOO_FEW:
        return _(
            "No threshold can be chosen: each half of the labels needs %(least)d verdicts."
        ) % {"least": LEAST_OF_A_HALF}
    if found.chosen is None:
        return _(
            "No threshold can be chosen: at each, more than %(risk).0f %% of the verdicts are "
            "wrong on the choosing half of the labels."
        ) % {"risk": found.most_risk}
    return _say_chosen(found.chosen, found.most_risk)


def _say_chosen(chosen: CurvePoint, most_risk: float) -> str:
    return _(
        "Chosen threshold: sureness %(threshold).2f, which covers most with at most %(risk).0f %% "
        "wrong verdicts on the choosing half of the labels (coverage %(coverage)s, risk "
        "%(chosen)s). On the reporting half: coverage %(other_coverage)s, risk %(reported)s."
    ) % {
        "threshold": chosen.threshold,
        "risk": most_risk,
        "coverage": say_mean(chosen.choosing.coverage),
        "chosen": say_mean(chosen.choosing.risk),
        "other_coverage": say_mean(chosen.reporting.coverage),
        "reported": say_mean(chosen.reporting.risk),
    }


def say_mean(mean: Mean) -> str:
    """
    Say a share in per cent with its interval.

    >>> say_mean(Mean.of_shares([100.0] * 9 + [0.0]))
    '90.0 % (59.6–98.2)'
    """
    if mean.value is None:
        return "–"
    if mean.low is None or mean.high is None:
        return _("%(value).1f %%") % {"value": mean.value}
    return _("%(value).1f %% (%(low).1f–%(high).1f)") % {
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
    }
