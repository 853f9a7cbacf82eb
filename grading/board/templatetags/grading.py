from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading.answers import responses
from grading.answers.models import NOT_GRADED, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.judging import words
from grading.runs import sentences
from grading.solvers.models import Description, write_count
from grading.submissions.results import reasons
from grading.submissions.results.marks import MARKS, say_kind
from grading.submissions.results.rows import AnsweredProblem, Sample
from phybench.pages.listing import Tab
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.statistics.agreement import Figure, Interval
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.paired import Between, Difference
from phybench_grader.statistics.provisional import Range

register = template.Library()
A_CENT = Decimal("0.01")


@register.simple_tag
def mean(figure: Mean | ClusteredMean, why: str = "") -> SafeString | str:
    """
    Write a mean with its interval, or a dash where there is none, with the reason if given.

    A mean of people is written as where it can lie, while not all of their answers are graded.
    """
    if isinstance(figure, ClusteredMean) and figure.range:
        return _write_range(figure.range)
    if figure.value is None:
        return format_html('– <span class="muted small">({})</span>', why) if why else "–"
    value = f"{figure.value:.1f}"
    if figure.low is None or figure.high is None:
        return value
    # The scores tell too little of how they scatter: the interval is wider than it had to be.
    rough = format_html(' <span class="muted small nowrap">· {}</span>', _("rough"))
    return format_html(
        '<span>{} <span class="interval">({}–{})</span></span>{}',
        value,
        f"{figure.low:.1f}",
        f"{figure.high:.1f}",
        rough if figure.is_rough else "",
    )


@register.simple_tag
def score(
    figure: Mean | ClusteredMean, found: Range | None, *, is_short: bool = False
) -> SafeString | str:
    """Write a mean, or where it can lie while not all is graded; short is without its interval."""
    if found is None or not found.is_provisional:
        return mean(replace(figure, low=None, high=None) if is_short else figure)
    return _write_range(found)


def _write_range(found: Range) -> SafeString:
    return format_html('<span class="nowrap">{}</span>', found)


@register.simple_tag
def difference(found: Difference | Between) -> SafeString | str:
    """Write a difference with its sign and its interval, or a dash of nothing."""
    ends = found.ends if isinstance(found, Between) else None
    if ends and ends[0] != ends[1]:
        span = {"low": signed(ends[0]), "high": signed(ends[1])}
        value = _("%(low)s to %(high)s") % span
    elif found.value is None:
        return "–"
    else:
        value = signed(found.value)
    if found.low is None or found.high is None:
        return value
    interval = {"low": signed(found.low), "high": signed(found.high)}
    return format_html(
        '<span>{} <span class="interval">({})</span></span>',
        value,
        _("%(low)s to %(high)s") % interval,
    )


@register.filter
def spanned(value: float | tuple[float, float] | str | None) -> str:
    """
    Write a mean, or where it can lie while not all is graded.

    >>> spanned(50.0), spanned((50.0, 50.0)), spanned((50.0, 62.5)), spanned(None)
    ('50.0', '50.0', '50.0–62.5', '')
    """
    if value is None or isinstance(value, str):
        return ""
    low, high = value if isinstance(value, tuple) else (value, value)
    return f"{low:.1f}" if low == high else f"{low:.1f}–{high:.1f}"


@register.filter
def signed(value: float) -> str:
    """
    Write a difference with one decimal and its sign.

    >>> signed(3.14159), signed(-2.0), signed(0.04)
    ('+3.1', '−2.0', '0.0')
    """
    written = f"{value:+.1f}".replace("-", "−")
    return written[1:] if written[1:] == "0.0" else written


@register.filter
def kind_words(kind: str, eed: float | None = None) -> str:
    return say_kind(kind, eed)


@register.filter
def kind_mark(kind: str) -> str:
    return MARKS.get(kind, "")


@register.simple_tag
def mark_samples(samples: Iterable[Sample], asked_for: str = "") -> SafeString:
    """
    Mark what became of each answer, as a list's items that lead to their pages.

    A page has hundreds of them: tags of templates for each would take longer than all else.
    """
    name = _("sample %(number)d, %(words)s")
    return format_html_join("", "<li>{}</li>", ((_mark(one, name, asked_for),) for one in samples))


@register.simple_tag
def mark_strip(strip: Iterable[AnsweredProblem]) -> SafeString:
    """Mark every answer of a submission, as `mark_samples` those to one problem."""
    name = _("%(problem)s, sample %(number)d, %(words)s")
    marked = (
        (_mark(sample, name, "", one.problem.identifier),)
        for one in strip
        for sample in one.samples
    )
    return format_html_join("", "<li>{}</li>", marked)


def _mark(sample: Sample, name: str, asked_for: str, problem: str = "") -> SafeString:
    words = say_kind(sample.kind, sample.eed)
    shown = (
        f"verdict-{sample.kind.lower()}",
        MARKS.get(sample.kind, ""),
        name % {"number": sample.number, "words": words, "problem": problem},
    )
    inner = '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>'
    if sample.attempt is None:
        return format_html('<span class="{}">' + inner + "</span>", *shown)
    address = reverse("grading:attempt", args=[sample.attempt]) + (asked_for or "")
    return format_html(
        '<a href="{}" title="{}" class="{}">' + inner + "</a>", address, shown[2], *shown
    )


@register.filter
def said(text: object) -> str:
    """Say what a judge, a call or the grader says in the language of the page."""
    return sentences.translate(text)


@register.simple_tag
def kappa(figure: Figure, interval: Interval | None = None) -> SafeString:
    """Write a kappa, with its interval if given, or a dash with the reason."""
    if figure.value is None:
        why = (
            _("all verdicts agree, so kappa is undefined")
            if figure.count
            else _("nothing to compare")
        )
        return format_html('– <span class="muted small">({})</span>', why)
    value = _write_signed(figure.value)
    if interval is None or interval.low is None or interval.high is None:
        return format_html("{}", value)
    ends = {"low": _write_signed(interval.low), "high": _write_signed(interval.high)}
    return format_html(
        '<span>{} <span class="interval">({})</span></span>',
        value,
        _("%(low)s to %(high)s") % ends,
    )


def _write_signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


@register.filter
def money(amount: Decimal | None) -> str:
    """
    Write an amount with two decimals, or with as many as say something of a small one.

    >>> money(Decimal("1234.5000")), money(Decimal("0.262984")), money(Decimal("0.00035"))
    ('1,234.50', '0.263', '0.00035')
    """
    if amount is None:
        return "∞"
    whole, _point, part = f"{amount:,.{4 if amount >= A_CENT else 6}f}".partition(".")
    return f"{whole}.{part.rstrip('0').ljust(2, '0')}"


@register.filter
def percent(share: float) -> str:
    """Write a share of 1 in per cent."""
    return f"{100 * share:.1f}"


@register.filter
def chance(probability: float) -> str:
    """
    Write a probability in per cent; of a very small one only that it is.

    >>> chance(0.0432), chance(0.00004), chance(1.0)
    ('4.3 %', 'fewer than 0.1 %', '100 %')
    """
    if probability < 0.001:
        return _("fewer than 0.1 %")
    return _("%(percent)s %%") % {"percent": floatformat(100 * probability, -1)}


@register.simple_tag
def say_verdict(kind: JudgeKind[Any], is_right: bool | None, value: float) -> str:
    """Say a verdict of a kind of judge in a few words."""
    return _(kind.says[0 if is_right else 1]) % {"value": floatformat(value, -1)}


@register.filter
def kind_of_model(kind: str) -> str:
    return str(Description.Kind(kind).label)


@register.simple_tag
def list_runs(version: BenchmarkVersion) -> list[GradingRun]:
    """List the grading runs that a version's grades go by and went by, the newest first."""
    return list(GradingRun.objects.of_version(version))


@register.filter
def outcome(name: str) -> str:
    """Say a verdict, or that there is none, in a word."""
    return _("not graded") if name == NOT_GRADED else str(VerdictChoice(name).label)


register.filter("write_count", write_count)
register.filter("reason_words", reasons.say)
register.filter("meaning", words.say)
register.filter("is_formula", responses.is_formula)
register.filter("part_at_box", responses.part_at_box)
register.filter("mark_boxes", responses.mark_boxes)
register.filter("remarks", words.say_remarks)
register.filter("trap_words", words.say_trap)
register.filter("way", words.say_path)
register.filter("rule_words", words.say_rule)
register.filter("purpose_words", words.say_purpose)


PLACES = (
    ("board_of", gettext_lazy("Board")),
    ("compare", gettext_lazy("Compare two")),
    ("contrasts", gettext_lazy("People and models")),
    ("domains", gettext_lazy("Domains")),
    ("items", gettext_lazy("Problems")),
    ("scaling", gettext_lazy("Several samples")),
    ("eed", gettext_lazy("How good is EED")),
)
"""The pages of a board, by the names of their addresses."""
KEPT = ("version", "as", "domain", "difficulty")
"""What each of them asks for in the same words."""


@register.inclusion_tag("grading/_board_places.html", takes_context=True)
def board_places(context: dict[str, Any], benchmark: Benchmark) -> dict[str, list[Tab]]:
    """List the pages of a board, each with what this one’s address asks for of it."""
    request = context["request"]
    asked = {name: request.GET[name] for name in KEPT if request.GET.get(name)}
    query = f"?{urlencode(asked)}" if asked else ""
    here = request.resolver_match.url_name
    here = "board_of" if here == "board" else here
    tabs = [
        Tab(reverse(name, args=[benchmark.slug]) + query, label, name == here)
        for name, label in PLACES
    ]
    version = context.get("version") or getattr(context.get("scope"), "version", None)
    if version is not None:
        trust = reverse("trust", args=[benchmark.slug, version.number])
        tabs.append(Tab(trust, _("How far to trust it"), here == "trust"))
    return {"tabs": tabs}
