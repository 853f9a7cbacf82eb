"""The results of a study."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from curation.problems.models import Difficulty, PhysicsField
from grading.studies.baselines.corrected import correct
from grading.studies.baselines.drawing import (
    draw_progress,
    draw_times,
    name_came,
    say_progress,
    say_times,
)
from grading.studies.baselines.results import Results, RuleFigures, collect, number_people
from grading.studies.models import HumanBaseline, Study
from grading.studies.sessions.models import SessionItem
from grading.studies.views import find
from phybench.pages.csv import csv_response
from phybench.pages.pictures import ShownPicture, is_narrow, svg_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.statistics.positions import PositionEffect, find_effect
from phybench_grader.statistics.session_times import Times, find_progress, find_times
from phybench_grader.statistics.studies import FEWEST, GroupFigures, group


@role_required(Role.ADMIN)
@require_GET
def results(request: MemberRequest, pk: int) -> HttpResponse:
    study = find(pk)
    found = collect(study)
    reached, times = find_progress(found.kept), find_times(found.kept)
    context: dict[str, Any] = {
        "study": study,
        "baseline": HumanBaseline.objects.counting()
        .filter(version=study.version_id)
        .select_related("study", "named_by")
        .first(),
        "fewest": FEWEST,
        "corrected": correct(study, found.kept),
        "reached": reached,
        "times": [(name_came(one.came), one) for one in times],
        "progress_picture": _show(study, "progress", say_progress(reached)) if reached else None,
        "times_picture": _show(study, "times", say_times(times)) if _are_told(times) else None,
        "effects": _list_effects(found),
        "results": found,
        "lines": [
            (_("By the study’s rules"), found.flow["left_out"], found.headline),
            (_("Everybody"), 0, found.all_people),
            *((_name_rule(one), one.left_out, one.figures) for one in found.rules),
        ],
        "groups": _list_groups(found),
        "flow": [
            *_name_flow(study, found.flow),
            (_("Count in the result"), found.headline.people),
        ],
        "outcomes": [
            (SessionItem.Outcome(one).label, count) for one, count in found.outcomes.items()
        ],
    }
    return render(request, "grading/study_results.html", context)


def _show(study: Study, name: str, text: str) -> ShownPicture:
    return ShownPicture(
        name=f"study-{study.pk}-{name}",
        path=reverse("grading:study_picture", args=[study.pk, name]),
        text=text,
        query={},
    )


def _are_told(times: Sequence[Times]) -> bool:
    return any(one.median is not None for one in times)


def _list_effects(found: Results) -> list[tuple[str, PositionEffect]]:
    if found.headline.people < FEWEST:
        return []
    return [
        (_("Accuracy"), find_effect(found.kept, lambda row: row.accuracy)),
        (_("EED"), find_effect(found.kept, lambda row: row.eed)),
    ]


@role_required(Role.ADMIN)
@require_GET
def study_picture(request: MemberRequest, pk: int, name: str) -> HttpResponse:
    """Draw one of the pictures of the results page; there is none of few people."""
    study = find(pk)
    found = collect(study)
    if name == "progress" and (reached := find_progress(found.kept)):
        drawn = draw_progress(reached, is_narrow=is_narrow(request))
    elif name == "times" and _are_told(times := find_times(found.kept)):
        drawn = draw_times(times, is_narrow=is_narrow(request))
    else:
        raise Http404
    template = f"pictures/study_{name}.svg"
    return svg_response(request, template, drawn, name=f"study-{study.pk}-{name}")


def _list_groups(found: Results) -> list[tuple[str, list[tuple[str, GroupFigures]]]]:
    domains, levels = PhysicsField, Difficulty
    by_domain = group(found.kept, lambda row: row.domain, order=domains.values)
    by_level = group(found.kept, lambda row: row.difficulty, order=levels.values)
    by_place = group(found.kept, lambda row: f"{row.place:03}")
    return [
        (_("Domain"), [(str(domains(one.name).label), one) for one in by_domain]),
        (_("Difficulty"), [(str(levels(one.name).label), one) for one in by_level]),
        (_("Place in the session"), [(str(int(one.name)), one) for one in by_place]),
    ]


def _name_rule(rule: RuleFigures) -> str:
    return _("Only this rule: %(label)s") % {"label": rule.label}


def _name_flow(study: Study, flow: dict[str, int]) -> list[tuple[str, int]]:
    names = {
        **({"invited": _("On the list")} if study.joining == Study.Joining.LIST else {}),
        "joined": _("Joined"),
        "practised": _("Did the practice problem"),
        "started": _("Started"),
        "finished": _("Finished"),
        "withdrawn": _("Withdrew"),
        "left_out": _("Left out"),
    }
    return [(label, flow[name]) for name, label in names.items()]


HEADER = ["person", "problem", "place", "accuracy", "eed", "seconds", "domain", "difficulty"]
HEADER += ["kept", "outcome", "answered_after", "session_seconds"]


@role_required(Role.ADMIN)
@require_GET
def results_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write one row for each problem that somebody had, under numbers made for this file."""
    study = find(pk)
    found = collect(study)
    return csv_response(f"study-{study.pk}-answers", HEADER, _list_lines(study, found))


def _list_lines(study: Study, found: Results) -> Iterator[list[object]]:
    kept = {row.person for row in found.kept}
    people = number_people(study)
    # Not the rows' own numbers, nor their order: both are those of joining.
    for row in sorted(found.rows, key=lambda row: (people[row.person], row.place)):
        yield [
            *(people[row.person], row.problem, row.place, _write(row.accuracy), _write(row.eed)),
            *(_write_seconds(row.seconds), row.domain, row.difficulty),
            *(int(row.person in kept), row.outcome),
            *(_write_seconds(row.answered_after), _write_seconds(row.sat)),
        ]


def _write(value: float) -> float | str:
    """Write a number; NaN is what is not graded, or not there."""
    return "" if isnan(value) else value


def _write_seconds(value: float) -> int | str:
    """Write whole seconds: to the microsecond a time says whose session it was."""
    return "" if isnan(value) else round(value)
