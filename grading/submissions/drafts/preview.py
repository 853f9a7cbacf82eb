"""What a draft would come to: which answers match, what is missing, what is left out and why."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.versions.models import BenchmarkVersion, VersionItem
from grading.submissions.drafts.models import Draft, DraftAnswer, DraftAnswerQuerySet, DraftFile
from phybench.files.answer_files.answers import ANSWERLESS, Reason

MOST_NAMED = 20
"""Ids that are named one by one."""
EXAMPLES = 3
"""Ids that say how they are written."""


@dataclass(slots=True)
class ModelPreview:
    """What the draft holds of one model."""

    model: str
    expected: int
    """Problems that there are to answer, as `hidden_expected` of the hidden part."""
    hidden_expected: int
    matched: int = 0
    """Answers to problems of the version."""
    unboxed: int = 0
    """Of these, those in which no box stands."""
    samples: Counter[int] = field(default_factory=Counter)
    """How many problems have so many answers."""
    rows: Counter[int] = field(default_factory=Counter)
    """The same with rows that hold nothing, which the model left out and the file did not."""
    hidden_answered: int = 0
    unknown: int = 0
    """Answers to ids that the version does not have."""
    unknown_ids: list[str] = field(default_factory=list)
    elsewhere: int = 0
    """Of these ids, those that another version has."""
    failed_ids: list[str] = field(default_factory=list)
    """Problems without an answer because asking failed, as far as such rows are kept."""
    repeated: int = 0
    """Answers that an earlier file of the draft gives."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Rows that are no answers, by reason."""
    missing_ids: list[str] = field(default_factory=list)

    @property
    def answered(self) -> int:
        """Problems with an answer."""
        return sum(self.samples.values())

    @property
    def missing(self) -> int:
        """Problems without an answer, and answers that others have more of, as they will count."""
        lacking = sum(
            (self.most_samples - samples) * count for samples, count in self.samples.items()
        )
        return self.expected - self.answered + lacking

    def list_samples(self) -> list[tuple[int, int]]:
        """List how many answers how many problems have, the most answers first."""
        return sorted(self.samples.items(), reverse=True)

    @property
    def most_samples(self) -> int:
        return max(self.samples, default=0)

    @property
    def lacking(self) -> int:
        """Problems with fewer rows than others: such a submission is not published."""
        most = max(self.rows, default=0)
        return sum(count for rows, count in self.rows.items() if rows < most)

    @property
    def empty(self) -> int:
        return self.left_out[Reason.EMPTY]

    @property
    def failed(self) -> int:
        return self.left_out[Reason.FAILED]

    @property
    def twice(self) -> int:
        return self.left_out[Reason.TWICE] + self.repeated

    @property
    def unusable(self) -> int:
        """Rows that are no answers for a reason of the file's."""
        others = self.empty + self.failed + self.left_out[Reason.TWICE]
        return self.left_out.total() - others


@dataclass(frozen=True, slots=True)
class Preview:
    version: BenchmarkVersion
    public: Mapping[str, int]
    """The revision that each id is of, as `hidden` has it of the hidden part."""
    hidden: Mapping[str, int]
    models: Sequence[ModelPreview]
    unnamed: int
    """Rows that name no model, where they can be of several."""
    failed_only: Mapping[str, int] = field(default_factory=dict)
    """Calls of each model of which no other came to an end: nothing is known of it."""

    @property
    def matched(self) -> int:
        return sum(one.matched for one in self.models)


def list_answers(draft: Draft, files: Sequence[DraftFile]) -> DraftAnswerQuerySet:
    """Return the answers of a draft, each sample once: the first file that gives it counts."""
    found = DraftAnswer.objects.of(draft)
    # Of one file they are told apart already.
    return found.given_once() if len(files) > 1 else found


def look(draft: Draft, files: Sequence[DraftFile]) -> Preview:
    """Count what a draft holds, in as many queries whatever it holds."""
    version = draft.version
    public: dict[str, int] = {}
    hidden: dict[str, int] = {}
    for identifier, revision, is_hidden in version.items.order_by("problem").values_list(
        "identifier", "revision", "is_hidden"
    ):
        (hidden if is_hidden else public)[identifier] = revision
    models: dict[str, ModelPreview] = {}

    empty = _count_empty(files)
    answered: dict[str, set[str]] = defaultdict(set)
    unknown: dict[str, list[str]] = defaultdict(list)
    grouped = (
        list_answers(draft, files)
        .order_by("model", "identifier")
        .values_list("model", "identifier")
        .annotate(answers=Count("pk"), boxed=Count("pk", filter=Q(is_boxed=True)))
    )
    taken = 0
    for model, identifier, answers, boxed in grouped:
        if model not in models:
            models[model] = ModelPreview(model, len(public), len(hidden))
        of_model = models[model]
        taken += answers
        if identifier not in public and identifier not in hidden:
            of_model.unknown += answers
            unknown[model].append(identifier)
            continue
        of_model.matched += answers
        of_model.unboxed += answers - boxed
        if identifier in hidden:
            of_model.hidden_answered += 1
        else:
            of_model.samples[answers] += 1
            of_model.rows[answers + empty[model, identifier]] += 1
            answered[model].add(identifier)
    if len(files) > 1:
        _count_repeated(draft, models, taken)
    unnamed, failed_only = _count_left_out(files, models)
    failed = _list_failed(files, models)
    for model, of_model in models.items():
        of_model.missing_ids = [one for one in public if one not in answered[model]]
        of_model.failed_ids = [one for one in of_model.missing_ids if one in failed[model]]
        of_model.unknown_ids = unknown[model]
    _find_elsewhere(draft, models.values())
    # In the order of their names, as they were counted.
    return Preview(version, public, hidden, list(models.values()), unnamed, failed_only)


def count_matched(files: Sequence[DraftFile], preview: Preview) -> Mapping[int, int]:
    """Count, by file, the answers whose problem was found otherwise than by its id."""
    strange = [one.pk for one in files if one.map.ids]
    if not strange:
        return {}
    found = DraftAnswer.objects.filter(
        file__in=strange, identifier__in=[*preview.public, *preview.hidden]
    )
    return dict(found.order_by("file").values_list("file").annotate(Count("pk")))


def _count_empty(files: Iterable[DraftFile]) -> Counter[tuple[str, str]]:
    """Count the rows that hold nothing, by model and id, as far as they are kept."""
    return Counter(
        (row["model"], row["id"])
        for file in files
        for row in file.left_out
        if row["reason"] == Reason.EMPTY
    )


def _count_repeated(draft: Draft, models: Mapping[str, ModelPreview], taken: int) -> None:
    given = dict(
        DraftAnswer.objects.of(draft).order_by("model").values_list("model").annotate(Count("pk"))
    )
    if sum(given.values()) > taken:
        for model, of_model in models.items():
            of_model.repeated = given[model] - of_model.matched - of_model.unknown


def _count_left_out(
    files: Iterable[DraftFile], models: Mapping[str, ModelPreview]
) -> tuple[int, Mapping[str, int]]:
    """
    Add what was left out to its model.

    Returns:
        how much names no model that answers anything, and the models that only failed calls name.
    """
    others: dict[str, Counter[str]] = defaultdict(Counter)
    for file in files:
        for name, reasons in file.counts.items():
            for reason, count in reasons.items():
                if (model := find_model(name, reason, models)) is not None:
                    models[model].left_out[reason] += count
                else:
                    others[name][reason] += count
    failed_only = {
        name: of[Reason.FAILED]
        for name, of in sorted(others.items())
        if name and set(of) == {Reason.FAILED}
    }
    unnamed = sum(of.total() for name, of in others.items() if name not in failed_only)
    return unnamed, failed_only


def find_model(name: str, reason: str, models: Collection[str]) -> str | None:
    """Return whose a row is: one without an answer often names no model, and is the only one's."""
    if name in models:
        return name
    is_of_the_only = not name and reason in ANSWERLESS and len(models) == 1
    return next(iter(models)) if is_of_the_only else None


def _list_failed(
    files: Iterable[DraftFile], models: Collection[str]
) -> Mapping[str | None, set[str]]:
    """Return the ids of the rows that say that asking failed, by model."""
    failed: dict[str | None, set[str]] = defaultdict(set)
    for file in files:
        for row in file.left_out:
            if row["reason"] == Reason.FAILED:
                failed[find_model(row["model"], row["reason"], models)].add(row["id"])
    return failed


def _find_elsewhere(draft: Draft, models: Iterable[ModelPreview]) -> None:
    """Tell which of the ids that are unknown another version has."""
    models = list(models)
    wanted = {one for of_model in models for one in of_model.unknown_ids}
    if not wanted:
        return
    of_others = VersionItem.objects.filter(
        version__benchmark=draft.benchmark, version__published_at__isnull=False
    )
    known = set(of_others.values_list("identifier", flat=True)) & wanted
    for of_model in models:
        of_model.elsewhere = sum(one in known for one in of_model.unknown_ids)


def _say_strange(of_model: ModelPreview, preview: Preview) -> str:
    """Say what ids look like in a file and in the version, and what helps where they differ."""
    return _(
        "No id of %(model)s matches. Ids of %(version)s look like %(wanted)s; in the file they "
        "look like %(given)s. Under “Change the fields”, choose the field that holds the ids, or "
        "match by statement."
    ) % {
        "model": of_model.model,
        "version": preview.version,
        "given": _(", ").join(of_model.unknown_ids[:EXAMPLES]) or "–",
        "wanted": _(", ").join(list(preview.public)[:EXAMPLES]) or "–",
    }


def find_obstacle_in_files(files: Sequence[DraftFile]) -> str:
    """Say what is in the way of grading a draft whatever its answers are; "" is nothing."""
    if not files:
        return _("Add a file with answers first.")
    if nameless := [one.name for one in files if one.lacks_model]:
        return _("Say which model wrote the answers in %(file)s.") % {"file": nameless[0]}
    if unmapped := [one.name for one in files if one.mapped_at is None]:
        return _("Choose the fields of %(file)s first.") % {"file": unmapped[0]}
    if going := [one.name for one in files if one.is_being_read and one.is_run]:
        return _(
            "%(run)s is in progress. Its answers appear here when all of them have arrived."
        ) % {"run": going[0]}
    if any(one.is_being_read for one in files):
        return _("Its files are still being read.")
    if broken := [one for one in files if one.broken_off]:
        if broken[0].is_run:
            return broken[0].broken_off
        return _("%(file)s can’t be read to its end. Remove it, and add the complete file.") % {
            "file": broken[0].name
        }
    return ""


def find_obstacle(files: Sequence[DraftFile], preview: Preview) -> str:
    """Say what is in the way of grading a draft, or "" where nothing is."""
    if obstacle := find_obstacle_in_files(files):
        return obstacle
    if strange := [one for one in preview.models if not one.answered]:
        return _say_strange(strange[0], preview)
    if not preview.models:
        failed = sum(of.get(Reason.FAILED, 0) for one in files for of in one.counts.values())
        if failed:
            return ngettext(
                "No row of its files is an answer: asking the model failed.",
                "No row of its files is an answer: asking the model failed %(count)d times.",
                failed,
            ) % {"count": failed}
        return _("No row of its files is an answer.")
    return ""
