"""What a draft would come to, in sentences: its page shows them, and programs are told the same."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.submissions.drafts.actions import Newer
from grading.submissions.drafts.models import Draft, DraftFile
from grading.submissions.drafts.preview import (
    MOST_NAMED,
    ModelPreview,
    Preview,
    count_matched,
)
from phybench.files.answer_files.fields import NUMBER, ORDER, STATEMENT, FieldMap
from phybench.pages.templatetags.typography import gap


def say(
    draft: Draft, files: Sequence[DraftFile], preview: Preview, newer: Newer | None
) -> list[str]:
    """Say line by line what the page of a draft says above its button."""
    said = list(say_newer(draft, newer)) if newer else []
    matched = count_matched(files, preview)
    ways = ((one.name, say_match(one.map, matched.get(one.pk, 0))) for one in files)
    said += [f"{name}{_(': ')}{way}" for name, way in ways if way]
    for one in preview.models:
        figures = (f"{label}{_(': ')}{value}" for label, value in list_figures(one))
        said.append(f"{one.model}{_(': ')}{_(', ').join(figures)}")
        said += list_warnings(one)
        if one.missing_ids:
            said.append(f"{say_missing(one)}{_(': ')}{_name(one.missing_ids)}")
    said += list_failed_only(preview)
    left_out = say_left_out(files, preview)
    return [*said, gap().join(left_out)] if left_out else said


def list_figures(one: ModelPreview) -> list[tuple[str, object]]:
    """List the counts of a model, each with its name; what is seldom there only where it is."""
    of = _("%(answered)s of %(expected)s")
    figures: list[tuple[str, object]] = [
        (_("Answers"), one.matched),
        (_("Problems answered"), of % {"answered": one.answered, "expected": one.expected}),
        (_("Missing"), one.missing),
        (_("Without a box"), one.unboxed),
        (_("Empty"), one.empty),
        (_("Duplicates"), one.twice),
        (_("Unknown id"), one.unknown),
    ]
    if one.failed:
        figures.append((_("Failed calls"), one.failed))
    if one.unusable:
        figures.append((_("Unusable rows"), one.unusable))
    if one.hidden_expected:
        hidden = {"answered": one.hidden_answered, "expected": one.hidden_expected}
        figures.append((_("Hidden part"), of % hidden))
    return figures


def list_warnings(one: ModelPreview) -> list[str]:
    """Say what is unusual about the answers of a model."""
    said = []
    if one.lacking:
        lacking = ngettext(
            "One problem has fewer answers than others: this score can’t be published.",
            "%(counter)s problems have fewer answers than others: this score can’t be published.",
            one.lacking,
        )
        said.append(lacking % {"counter": one.lacking})
    if one.failed:
        said.append(_say_failed(one))
    if one.unknown:
        said.append(_say_unknown(one))
    return said


def _say_failed(one: ModelPreview) -> str:
    failed = ngettext(
        "%(counter)s row says that asking the model failed. It is not an answer, even if it "
        "contains text.",
        "%(counter)s rows say that asking the model failed. They are not answers, even if they "
        "contain text.",
        one.failed,
    ) % {"counter": one.failed}
    if not one.failed_ids:
        return failed
    count = len(one.failed_ids)
    unanswered = ngettext(
        "%(counter)s problem has no answer for this reason. Ask the model again, or it counts 0:",
        "%(counter)s problems have no answer for this reason. Ask the model again, or they count "
        "0:",
        count,
    ) % {"counter": count}
    return f"{failed}{gap()}{unanswered}{gap()}{_name(one.failed_ids)}{_('.')}"


def _say_unknown(one: ModelPreview) -> str:
    unknown = ngettext(
        "%(counter)s answer has an id that is not in this version and is left out:",
        "%(counter)s answers have ids that are not in this version and are left out:",
        one.unknown,
    ) % {"counter": one.unknown}
    said = f"{unknown}{gap()}{_name(one.unknown_ids)}{_('.')}"
    if not one.elsewhere:
        return said
    elsewhere = ngettext(
        "%(counter)s of these ids belongs to another version.",
        "%(counter)s of these ids belong to another version.",
        one.elsewhere,
    )
    return f"{said}{gap()}{elsewhere % {'counter': one.elsewhere}}"


def say_missing(one: ModelPreview) -> str:
    return ngettext(
        "%(counter)s problem has no answer and will count 0",
        "%(counter)s problems have no answer and will count 0",
        len(one.missing_ids),
    ) % {"counter": len(one.missing_ids)}


def list_failed_only(preview: Preview) -> list[str]:
    return [
        ngettext(
            "%(model)s: only failed calls (%(counter)s row). Nothing was measured, so it gets no "
            "score.",
            "%(model)s: only failed calls (%(counter)s rows). Nothing was measured, so it gets no "
            "score.",
            count,
        )
        % {"model": model, "counter": count}
        for model, count in preview.failed_only.items()
    ]


def say_match(field_map: FieldMap, count: int) -> str:
    """Say how many rows found their problem, where it was not by the benchmark's ids."""
    if field_map.ids == NUMBER:
        said = ngettext(
            "%(count)d row is matched by its number: 12 is C12.",
            "%(count)d rows are matched by their numbers: 12 is C12.",
            count,
        )
    elif field_map.ids == STATEMENT:
        said = ngettext(
            "%(count)d row is matched by its statement.",
            "%(count)d rows are matched by their statements.",
            count,
        )
    elif field_map.ids == ORDER:
        said = ngettext(
            "%(count)d row is matched by the order of the task file.",
            "%(count)d rows are matched by the order of the task file.",
            count,
        )
    else:
        return ""
    return said % {"count": count}


def say_left_out(files: Sequence[DraftFile], preview: Preview) -> list[str]:
    """Say how many rows are no answers, and how many of them no model's counts include."""
    if not (count := count_left_out(files)):
        return []
    rows = ngettext("%(counter)s row is not an answer.", "%(counter)s rows are not answers.", count)
    said = [rows % {"counter": count}]
    if preview.unnamed:
        unnamed = ngettext(
            "%(counter)s of them names no model that answers anything, so no model’s counts "
            "include it.",
            "%(counter)s of them name no model that answers anything, so no model’s counts "
            "include them.",
            preview.unnamed,
        )
        said.append(unnamed % {"counter": preview.unnamed})
    return said


def count_left_out(files: Sequence[DraftFile]) -> int:
    return sum(sum(of.values()) for one in files for of in one.counts.values())


def say_newer(draft: Draft, newer: Newer) -> Iterator[str]:
    """Say what differs in a newer version, and whether the draft can be moved there."""
    numbers = {"number": draft.version.number, "newest": newer.version.number}
    made = _("Made for version %(number)s. Version %(newest)s has been published since.") % numbers
    same = ngettext(
        "%(same)s of %(counter)s text is the same.",
        "%(same)s of %(counter)s texts are the same.",
        newer.texts,
    ) % {"same": newer.same, "counter": newer.texts}
    yield f"{made}{gap()}{same}"
    newest = {"number": newer.version.number}
    for said, ids in (
        (_("Other text:"), newer.changed),
        (_("Not in version %(number)s:") % newest, newer.gone),
        (_("New in version %(number)s:") % newest, newer.added),
    ):
        if ids:
            yield f"{said}{gap()}{_name(ids)}"
    if not newer.may_move:
        yield (
            _(
                "These answers can be graded on version %(number)s only. For version %(newest)s, "
                "upload answers to its texts."
            )
            % numbers
        )


def _name(ids: Sequence[str]) -> str:
    return ", ".join(ids[:MOST_NAMED]) + (", …" if len(ids) > MOST_NAMED else "")
