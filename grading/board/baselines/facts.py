"""Collect what the report of a study says, from its rows."""

from collections import Counter
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q
from django.utils import translation

from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.board.baselines.asked import count_kinds
from grading.board.baselines.checklist.facts import Change, Facts, Rule, hide_few
from grading.board.baselines.comparing import (
    compare,
    find_words,
    list_conditions,
    list_pool,
    name_kind,
)
from grading.board.baselines.differences import find_differences
from grading.studies.baselines.results import Results, collect
from grading.studies.models import Participation, Study
from grading.studies.reporting import SAID_ANY_TIME
from grading.studies.sessions.late import LATE_ANSWER
from grading.studies.sessions.models import Exclusion, Extension, Save, Session, SessionItem, Trace
from phybench.people.models import Language
from phybench_grader.statistics.positions import find_effect
from phybench_grader.statistics.session_times import find_times
from phybench_grader.statistics.studies import SatProblem

MINUTE = 60.0


def collect_facts(study: Study) -> Facts:
    """Collect all that the report of a study says, in English, whatever the page's language is."""
    with translation.override("en"):
        return Facts(
            **_tell_of_version(study),
            **_tell_of_plan(study),
            **_tell_of_people(study),
            **_tell_of_asking(study),
            **_tell_of_results(study, collect(study)),
            **_tell_of_report(study),
            **_tell_of_sessions(study),
        )


def _tell_of_version(study: Study) -> dict[str, Any]:
    version = study.version
    items = version.items.aggregate(
        public=Count("pk", filter=Q(is_hidden=False)),
        hidden=Count("pk", filter=Q(is_hidden=True)),
        withdrawn=Count("withdrawal"),
    )
    published = Attempt.objects.filter(
        submission__version=version,
        submission__published_at__isnull=False,
        submission__withdrawn_at=None,
    )
    samples = list(
        published.order_by()
        .values("submission")
        .annotate(most=Max("sample"))
        .values_list("most", flat=True)
    )
    run = GradingRun.objects.adopted().filter(benchmark=version.benchmark_id).first()
    return {
        "version": str(version),
        "version_sha256": version.sha256,
        "public_items": items["public"],
        "hidden_items": items["hidden"],
        "withdrawn_items": items["withdrawn"],
        "samples": (min(samples), max(samples)) if samples else None,
        "grader": f"this site’s symbolic grader, version {run.grader_version}" if run else "",
    }


def _tell_of_plan(study: Study) -> dict[str, Any]:
    frozen = study.preregistration if study.is_frozen else None
    last = Session.objects.filter(participation__study=study).aggregate(at=Max("ended_at"))["at"]
    return {
        "title": study.title,
        "year": str(last.year) if last else "",
        "state": str(study.state.label),
        "pool": study.items.count(),
        "problems": study.problems,
        "minutes": study.minutes,
        "most_people": study.most_people,
        "joining": str(study.get_joining_display()),
        "expected_accuracy": study.expected_accuracy,
        "person_correlation": study.person_correlation,
        "problem_correlation": study.problem_correlation,
        "detectable": study.detectable,
        "hypothesis": study.hypothesis,
        "analysis": study.analysis,
        "exclusions": study.exclusions,
        "frozen_at": frozen.frozen_at.date().isoformat() if frozen else "",
        "preregistration_sha256": frozen.sha256 if frozen else "",
        "deviations": [
            Change(one.at.date().isoformat(), one.field, one.why)
            for one in study.deviations.order_by("pk")
        ],
        "late_counted": study.deviations.filter(field=LATE_ANSWER).count(),
    }


def _tell_of_people(study: Study) -> dict[str, Any]:
    people = Participation.objects.filter(study=study).staying()
    finished = people.filter(session__ended_at__isnull=False)
    consents = people.order_by("consent_version").values_list("consent_version", "consent_sha256")
    unknown = study.authors_part == Study.AuthorsPart.UNKNOWN
    return {
        "population": study.population,
        "recruitment": study.recruitment,
        "questions": [str(one["ask"]) for one in study.questions],
        "must_be_yes": [str(one["ask"]) for one in study.questions if one.get("needs_yes")],
        "demographics": _count_answers(study, finished.values_list("answers", flat=True)),
        "authors_part": "" if unknown else str(study.get_authors_part_display()),
        "pay": study.pay,
        "ethics": study.ethics,
        "consent": study.consent,
        "consents": dict(consents.distinct()),
        "attested": people.filter(attested_at__isnull=False).count(),
        "aids": _count_aids(study),
        "shows_results": study.shows_results,
    }


def _count_answers(study: Study, given: Any) -> dict[str, dict[str, str]]:
    """Count answers to those questions that offer some; what is typed freely tells of one."""
    asked = [str(one["ask"]) for one in study.questions if one.get("kind") in ("CHOICE", "YES")]
    counts: dict[str, Counter[str]] = {ask: Counter() for ask in asked}
    for answers in given:
        for ask in asked:
            counts[ask][str(answers.get(ask) or "no answer")] += 1
    return {ask: hide_few(dict(sorted(counted.items()))) for ask, counted in counts.items()}


def _count_aids(study: Study) -> dict[str, int]:
    ended = Session.objects.filter(participation__study=study, ended_at__isnull=False)
    said = Counter(ended.values_list("kept_to_aids", flat=True))
    return {"yes": said[True], "no": said[False], "did not say": said[None]}


def _tell_of_asking(study: Study) -> dict[str, Any]:
    words = find_words(study)
    pool = [compare(one, words) for one in list_pool(study)]
    languages = Counter(str(Language(one.people.language).label) for one in pool)
    kinds = count_kinds([one.differences for one in pool])
    return {
        "languages": dict(languages.most_common()),
        "allowed_aids": study.allowed_aids,
        "attestation": study.attestation,
        "pauses": study.pauses,
        "conditions": [(one.what, one.people, one.models) for one in list_conditions(study)],
        "differences": {name_kind(kind): count for kind, count in kinds.items()},
        "prompt": f"{words.name} (SHA-256 {words.sha256})",
    }


def _tell_of_report(study: Study) -> dict[str, Any]:
    is_told = study.data != Study.Data.UNKNOWN
    return {
        **{name: getattr(study, name) for name in SAID_ANY_TIME if name != "data"},
        "is_data_public": study.data != Study.Data.CLOSED if is_told else None,
        "is_data_single": study.data == Study.Data.SINGLE,
    }


def _tell_of_results(study: Study, found: Results) -> dict[str, Any]:
    kept: list[SatProblem] = found.kept
    sat = {row.person: row.sat / MINUTE for row in kept}
    return {
        "flow": found.flow,
        "outcomes": found.outcomes,
        "everybody": found.all_people,
        "is_everybody_exact": found.is_all_exact,
        "headline": found.headline,
        "beside_models": find_differences(study, kept),
        "rules": [Rule(one.label, one.left_out, one.figures, one.is_exact) for one in found.rules],
        "each": list(Counter(row.person for row in kept).values()),
        "per_problem": list(Counter(row.problem for row in kept).values()),
        "session_minutes": list(sat.values()),
        "times": find_times(kept),
        "effects": {
            "Accuracy": find_effect(kept, lambda row: row.accuracy),
            "EED": find_effect(kept, lambda row: row.eed),
        },
    }


def _tell_of_sessions(study: Study) -> dict[str, Any]:
    of_study = Q(item__session__participation__study=study)
    extended = list(
        Extension.objects.filter(session__participation__study=study).values_list("minutes", "why")
    )
    by_hand = Exclusion.objects.filter(participation__study=study, participation__withdrawn_at=None)
    traces = Trace.objects.filter(of_study).aggregate(
        pastes=Count("pk", filter=Q(kind=Trace.Kind.PASTE)),
        away=Count("pk", filter=Q(kind=Trace.Kind.AWAY)),
    )
    notes = Save.objects.filter(item=OuterRef("pk"), kind=Save.Kind.NOTES).exclude(text="")
    noted = SessionItem.objects.filter(Exists(notes), session__participation__study=study)
    return {
        **traces,
        "by_hand": list(by_hand.values_list("why", flat=True)),
        "extensions": len(extended),
        "extended_minutes": sum(minutes for minutes, _why in extended),
        "why_extended": [why for _minutes, why in extended],
        "late_saves": Save.objects.filter(of_study, is_late=True).count(),
        "notes": noted.count(),
    }
