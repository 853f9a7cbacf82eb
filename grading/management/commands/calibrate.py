"""Compare a judge with people, from the records of `judge` and a file of labels. No database."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from grading.judging.engine.items import LARGEST_FILE
from grading.judging.engine.labelled import CURVE_HEADER, draw, list_curve_rows, weigh
from grading.judging.engine.records import Record
from grading.judging.files.calibration import (
    BadLabels,
    Judged,
    calibrate,
    pair_up,
    parse_labels,
)
from grading.judging.files.trust import MOST_RISK, list_labelled, write_curve, write_panel
from grading.judging.trust_words import say_beside_best, say_curve, say_mean, say_votes
from phybench.files import json_list
from phybench.pages.csv import write_csv
from phybench.pages.excerpt import show
from phybench_grader.statistics.panels import PanelWorth
from phybench_grader.statistics.risk_coverage import RiskCoverage

UNUSABLE = 2
JUDGED = ("response", "first", "turns")
"""The fields of an item that are judged, whose length counts."""
MOST_NAMED = 20
"""Items on which judge and people differ, named in the text; the JSON has all."""


class Command(BaseCommand):
    help = (
        "Say how far the judge that wrote JUDGEMENTS agrees with people: LABELS has an object a"
        " line, {id, is_correct (true, false, or a list with one for each person) or rating,"
        " domain?, problem?}. Agreement, kappa, false accepts and rejects, each with its 95 %"
        " interval, over all, by domain, and by the length of what was judged where ITEMS are"
        " given. Items of one problem, or with one question in ITEMS, are in one half of LABELS."
        " LABELS may be another file of judgements: that compares two judges, or two versions of"
        " the rules."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("judgements", type=Path, metavar="JUDGEMENTS.jsonl")
        parser.add_argument("labels", type=Path, metavar="LABELS.jsonl")
        parser.add_argument("--items", type=Path, metavar="ITEMS.jsonl", help="what was judged")
        parser.add_argument(
            "--curve",
            type=Path,
            metavar="CURVE.csv",
            help="where risk and coverage are written at each threshold, on both halves of LABELS",
        )
        parser.add_argument(
            "--json", action="store_true", dest="in_json", help="print the figures as JSON"
        )

    def handle(
        self,
        *,
        judgements: Path,
        labels: Path,
        items: Path | None,
        curve: Path | None,
        in_json: bool,
        **options: Any,
    ) -> None:
        try:
            given = parse_labels(fetch(labels))
        except BadLabels as error:
            raise CommandError(f"{labels}: {error}", returncode=UNUSABLE) from None
        records = read_records(judgements)
        ruled = pair_up(records, given, read_judged(items) if items else {})
        labelled = list_labelled(ruled)
        panel, drawn = weigh(labelled), draw(labelled, most_risk=MOST_RISK)
        if curve is not None:
            save_curve(curve, drawn)
        found = calibrate(ruled)
        if in_json:
            found |= {"panel": write_panel(panel), "risk_coverage": write_curve(drawn)}
            self.stdout.write(json.dumps(found, ensure_ascii=False, indent=2))
            return
        for line in [*describe(found), *describe_trust(panel, drawn)]:
            self.stdout.write(show(line))


def save_curve(path: Path, drawn: RiskCoverage) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(write_csv(CURVE_HEADER, list_curve_rows(drawn)))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=UNUSABLE) from None


def describe_trust(panel: PanelWorth | None, drawn: RiskCoverage) -> Iterator[str]:
    """Say what the panel is worth, and which of the verdicts can be relied on."""
    if panel is not None:
        yield say_votes(panel.votes)
        yield say_beside_best(panel.beside_best)
    yield say_curve(drawn)
    for point in drawn.points if drawn.reason is None else ():
        yield _(
            "Sureness %(threshold).2f or more: on the choosing half coverage %(coverage)s, risk "
            "%(risk)s; on the reporting half coverage %(other_coverage)s, risk %(other_risk)s"
        ) % {
            "threshold": point.threshold,
            "coverage": say_mean(point.choosing.coverage),
            "risk": say_mean(point.choosing.risk),
            "other_coverage": say_mean(point.reporting.coverage),
            "other_risk": say_mean(point.reporting.risk),
        }


def fetch(path: Path) -> bytes:
    try:
        return json_list.fetch(path, largest=LARGEST_FILE)
    except json_list.NotAList as error:
        raise CommandError(f"{path}: {error}", returncode=UNUSABLE) from None


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(fetch(path).split(b"\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                raise CommandError(
                    _("%(file)s: line %(line)d is not JSON.") % {"file": path, "line": number},
                    returncode=UNUSABLE,
                ) from None


def read_records(path: Path) -> list[Record]:
    records = []
    for number, row in read_lines(path):
        try:
            records.append(Record.from_json(row))
        except (ValueError, TypeError, AttributeError):
            raise CommandError(
                _("%(file)s: line %(line)d was not written by the command judge.")
                % {"file": path, "line": number},
                returncode=UNUSABLE,
            ) from None
    return records


def read_judged(path: Path) -> dict[str, Judged]:
    """Read what was asked in each item, and how many characters were judged of it."""
    rows = [row for _number, row in read_lines(path) if isinstance(row, dict)]
    return {
        str(row.get("id")): Judged(
            length=sum(len(write(row[name])) for name in JUDGED if row.get(name)),
            question=find_question(row),
        )
        for row in rows
    }


def find_question(row: dict[str, Any]) -> str:
    """Return what an item asks, of a chat all that its user says; nothing where it is not told."""
    chat = row.get("messages") or row.get("turns")
    if row.get("question") or not isinstance(chat, list):
        return str(row.get("question") or "").strip()
    asked = [
        one.get("question") or (one.get("content") if one.get("role") == "user" else None)
        for one in chat
        if isinstance(one, dict)
    ]
    return "\n".join(str(one).strip() for one in asked if one)


def write(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def describe(found: dict[str, Any]) -> Iterator[str]:
    """Say the figures in sentences."""
    every = found["all"]
    yield (
        _(
            "Labels: %(labelled)d. Judged: %(judged)d. Without a verdict: %(missing)d."
            " People evenly split: %(split)d."
        )
        % every
    )
    yield _("Agreement: %(what)s") % {"what": write_figure(every["agreement"], "%")}
    if every["bounds"] and every["missing"]:
        yield _(
            "If all missing verdicts disagreed with people, or all agreed: %(low).1f "
            "to %(high).1f %%"
        ) % {
            "low": every["bounds"][0],
            "high": every["bounds"][1],
        }
    yield _("Cohen’s kappa: %(what)s") % {"what": write_figure(every["kappa"])}
    if every["prevalence"] is not None:
        yield _("Judged right by people: %(share).1f %%") % {"share": 100 * every["prevalence"]}
    yield _("Wrong answers judged right: %(what)s") % {
        "what": write_figure(every["false_accepts"], "%")
    }
    yield _("Right answers judged wrong: %(what)s") % {
        "what": write_figure(every["false_rejects"], "%")
    }
    if every["ratings"]["weighted_kappa"]["count"]:
        yield _("Ratings, kappa with quadratic weights: %(what)s") % {
            "what": write_figure(every["ratings"]["weighted_kappa"])
        }
    if found["people"]["count"]:
        yield _("People with each other, Fleiss’ kappa: %(what)s") % {
            "what": write_figure({**found["people"], "low": None, "high": None})
        }
    if found["differ"]:
        named = ", ".join(found["differ"][:MOST_NAMED])
        more = len(found["differ"]) - MOST_NAMED
        yield _("They differ on: %(named)s") % {"named": named} + (
            _(", and %(more)d more") % {"more": more} if more > 0 else ""
        )
    for title, part in ((_("Domain"), "by_domain"), (_("Characters"), "by_length")):
        for name, figures in found[part].items():
            yield _("%(title)s %(name)s: agreement %(what)s") % {
                "title": title,
                "name": name,
                "what": write_figure(figures["agreement"], "%"),
            }


def write_figure(figure: dict[str, Any], unit: str = "") -> str:
    """
    Write a figure with its interval and how many it is of; a dash where there is none.

    >>> write_figure({"value": 0.4, "low": 0.1, "high": 0.6, "count": 50})
    '0.40 (0.10 to 0.60) of 50'
    """
    if figure["value"] is None:
        return _("– (of %(count)d)") % {"count": figure["count"]}
    digits = 1 if unit else 2
    value = f"{figure['value']:.{digits}f}{' ' + unit if unit else ''}"
    if figure["low"] is not None:
        value += f" ({figure['low']:.{digits}f} to {figure['high']:.{digits}f})"
    return _("%(value)s of %(count)d") % {"value": value, "count": figure["count"]}
