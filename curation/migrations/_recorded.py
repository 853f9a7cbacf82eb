"""
What earlier versions of the app wrote as English text, read back into codes and what is filled in.

The wording is kept here as it was written. A text that is not recognised is a person's, or older:
it stays as it is.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

Kept = dict[str, Any]
"""A sentence as rows keep it."""

CONFIRMATION = "I have checked each undecided case, and the answer is right as it is."
COMPARED = re.compile(r"(.*?) ?The author compared it with (.+): it is different\.", re.S)
CERTIFIED = re.compile(
    r"Certificate (\d+): (\d+) of (\d+) cases passed\.(?: The author confirmed the rest: “(.+)”)?",
    re.S,
)
NOT_CERTIFIED = "Not certified yet: no variant of the answer was tried."
DECIDED = re.compile(
    r"(?P<stage>.+): (?P<counts>\d+ (?:accept|revise|reject)(?:, \d+ (?:accept|revise|reject))*)"
    r"(?:, (?P<agreeing>\d+) of (?P<all>\d+) blind solves agree)?",
    re.S,
)
OF_REPORT = re.compile(r"Error report (\d+): (.+)", re.S)
ABANDONED = re.compile(r"The correction was abandoned: (.+)", re.S)
FOUND = re.compile(r"Found while ruling on a contested grade: (.+)", re.S)
CONFLICT = re.compile(r"Conflict: (.+)", re.S)
WITHDRAWN = {
    "No longer a reviewer.": "released",
    "Conflict: of an author’s institution.": "released_institution",
    "They translate the problem.": "released_translator",
    "Translates the problem.": "released_translator",
}
PLACES = re.compile(r"(\d+) places? remains? free\. (.+)", re.S)
OBSTACLES = {
    "the round is closed": "round_closed",
    "no longer a reviewer": "no_reviewer",
    "contributed to the problem": "had_part",
    "is of an author’s institution": "of_institution",
    "conflict of interest": "in_conflict",
    "has reviewed it": "has_reviewed",
    "is already assigned": "is_assigned",
    "has seen the answer": "has_seen_answer",
    "sees every answer, as an admin": "sees_answers",
    "on the other side of the demo": "across_demo",
    "declined it": "has_declined",
    "does not name the domain": "other_domain",
    "does not name the language": "other_language",
    "has the maximum number of open reviews": "is_full",
    "was late or declined too often in the last 90 days": "was_late",
}
NOT_ASSIGNABLE = re.compile(r"(.+?) can’t be assigned “(.+)”: (.+)\.", re.S)
DECLINED_SINCE = re.compile(r"(.+) has declined it in the meantime\.", re.S)
HOLDS = re.compile(r"(.+) holds (one|\d+) open reviews?, as many as one person should\.", re.S)


def chain(code: str, sentences: list[Kept]) -> Kept:
    *before, last = sentences
    for one in reversed(before):
        last = {"code": code, "first": one, "rest": last}
    return last


def read_event(note: str, stages: Iterable[str], *, is_override: bool) -> tuple[Kept | None, str]:
    """Tell what the app said of a step from what a person wrote; `stages` are of its revision."""
    if is_override:
        for stage in stages:
            if note.startswith(f"{stage}: "):
                return {"code": "stage_overridden", "stage": stage}, note[len(stage) + 2 :]
        return None, note
    if found := OF_REPORT.fullmatch(note):
        return {"code": "of_report", "number": found[1]}, found[2]
    message = _read_submission(note) or _read_decision(note)
    return message, "" if message else note


def _read_submission(note: str) -> Kept | None:
    compared = COMPARED.fullmatch(note)
    certificate = compared[1] if compared else note
    if found := CERTIFIED.fullmatch(certificate):
        number, passed, cases, text = found.groups()
        message: Kept = {"code": "certified", "number": number, "passed": passed, "cases": cases}
        if text:
            is_known = text == CONFIRMATION
            message["code"] = "certified_and_confirmed"
            message["confirmation"] = {"code": "confirmation"} if is_known else text
    elif certificate == NOT_CERTIFIED:
        message = {"code": "not_certified"}
    else:
        return None
    if compared is None:
        return message
    return chain("followed", [message, {"code": "compared", "problems": compared[2]}])


def _read_decision(note: str) -> Kept | None:
    found = DECIDED.fullmatch(note)
    if not found:
        return None
    pairs = (one.split(" ") for one in found["counts"].split(", "))
    counts: list[Kept] = [{"code": code, "count": count} for count, code in pairs]
    if found["all"]:
        solves = {"agreeing": found["agreeing"], "all": found["all"]}
        counts.append({"code": "solves_agree", **solves})
    return {"code": "stage_decided", "stage": found["stage"], "counts": chain("listed", counts)}


def read_withdrawal(reason: str) -> tuple[Kept | None, str]:
    """Tell why the app took an assignment back from what a person wrote."""
    if code := WITHDRAWN.get(reason):
        return {"code": code}, ""
    if found := CONFLICT.fullmatch(reason):
        return {"code": "released_conflict"}, found[1]
    return None, reason


def read_reply(text: str) -> tuple[Kept | None, str]:
    """Tell what the app said in an error report, or below it, from what a person wrote."""
    for pattern, code in ((ABANDONED, "correction_abandoned"), (FOUND, "found_while_ruling")):
        if found := pattern.fullmatch(text):
            return {"code": code}, found[1]
    return None, text


def read_why(text: str) -> Kept | None:
    """Read why places of a planned round stay free."""
    if text == "All its reviews are given or assigned.":
        return {"code": "places_given"}
    found = PLACES.fullmatch(text)
    if not found:
        return None
    count, rest = found.groups()
    why: Kept | None = {"code": "no_others"}
    if rest != "There are no other reviewers.":
        why = _read_counts(rest)
    code = "place_free" if count == "1" else "places_free"
    return why and {"code": code, "count": count, "why": why}


def _read_counts(text: str) -> Kept | None:
    counts = []
    for one in text.removesuffix(".").split("; "):
        words, _colon, count = one.rpartition(": ")
        if words not in OBSTACLES:
            return None
        counts.append({"code": "reason_count", "why": {"code": OBSTACLES[words]}, "count": count})
    return {"code": "reasons", "counts": chain("reasons_listed", counts)}


def read_refusal(text: str) -> Kept | None:
    """Read why a planned assignment was not made."""
    if text == "All reviews of this round are given or assigned.":
        return {"code": "round_full"}
    if found := DECLINED_SINCE.fullmatch(text):
        return {"code": "declined_since", "name": found[1]}
    if found := HOLDS.fullmatch(text):
        if found[2] == "one":
            return {"code": "holds_one", "name": found[1], "count": "1"}
        return {"code": "holds_many", "name": found[1], "count": found[2]}
    found = NOT_ASSIGNABLE.fullmatch(text)
    if found and (code := OBSTACLES.get(found[3])):
        name, title, _why = found.groups()
        return {"code": "not_assignable", "name": name, "title": title, "why": {"code": code}}
    return None


def _without_triggers(change: Callable[[Any], None]) -> Callable[[Any, Any], None]:
    """Change rows that are append-only: what they say stays, but for the form of it."""
    tables = (
        "curation_event",
        "curation_assignment",
        "curation_errorreport",
        "curation_reportreply",
    )

    def run(apps: Any, schema_editor: Any) -> None:
        # Else no table with a row that waits to be checked can be altered.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            schema_editor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        change(apps)
        for table in tables:
            schema_editor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")

    return run


def _read_all(apps: Any) -> None:
    def move(rows: Any, field: str, read: Callable[[Any], tuple[Kept | None, str]]) -> None:
        for row in rows.exclude(**{field: ""}).iterator():
            message, text = read(row)
            if message:
                rows.filter(pk=row.pk).update(message=message, **{field: text})

    names = apps.get_model("curation", "ReviewRound").objects.values_list("version__name")

    def read_row(event: Any) -> tuple[Kept | None, str]:
        stages: Iterable[str] = ()
        if event.is_override:
            stages = {name for (name,) in names.filter(revision=event.revision_id)}
        return read_event(event.note, stages, is_override=event.is_override)

    move(apps.get_model("curation", "Event").objects, "note", read_row)
    withdrawn = apps.get_model("curation", "Assignment").objects.filter(state="REVOKED")
    move(withdrawn, "reason", lambda row: read_withdrawal(row.reason))
    for name in ("ErrorReport", "ReportReply"):
        move(apps.get_model("curation", name).objects, "text", lambda row: read_reply(row.text))
    planned = apps.get_model("curation", "PlannedAssignment").objects
    for row in planned.exclude(why_nobody="", refusal="").iterator():
        if why := read_why(row.why_nobody):
            planned.filter(pk=row.pk).update(why_message=why, why_nobody="")
        if refusal := read_refusal(row.refusal):
            planned.filter(pk=row.pk).update(refusal_message=refusal, refusal="")


def _write_all(apps: Any) -> None:
    from curation.texts.records import RECORDED

    # As it was written, so that it is recognised another time.
    english = {**RECORDED, "stage_overridden": "{stage}:"}

    def move(model: str, message: str, field: str) -> None:
        rows = apps.get_model("curation", model).objects
        for row in rows.exclude(**{message: None}).iterator():
            said = getattr(row, message).say(sentences=english)
            text = f"{said} {getattr(row, field)}".strip()
            rows.filter(pk=row.pk).update(**{field: text})

    move("Event", "message", "note")
    move("Assignment", "message", "reason")
    move("ErrorReport", "message", "text")
    move("ReportReply", "message", "text")
    move("PlannedAssignment", "why_message", "why_nobody")
    move("PlannedAssignment", "refusal_message", "refusal")


read_sentences = _without_triggers(_read_all)
"""Read what is recognised into sentences."""
write_sentences = _without_triggers(_write_all)
"""Write them as English text again."""
