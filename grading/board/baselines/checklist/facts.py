"""
What a study's rows say for its report, as the filled checklist needs it.

Pure: no Django, no database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.positions import PositionEffect
from phybench_grader.statistics.session_times import Times
from phybench_grader.statistics.studies import StudyFigures, find_hidden


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that leaves people out, and what it alone changes."""

    label: str
    left_out: int
    figures: StudyFigures
    is_exact: bool = True
    """Whether its figures tell of no few people beside others."""


@dataclass(frozen=True, slots=True)
class Change:
    """One deviation from the preregistration."""

    at: str
    field: str
    why: str


@dataclass(frozen=True, slots=True)
class Beside:
    """How much higher people score than a model, at both ends of what we could not grade of it."""

    model: str
    metric: str
    lower: ClusteredMean
    upper: ClusteredMean


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a study's rows say for its report; what is empty is not known."""

    # --- The study
    title: str
    year: str
    languages: Mapping[str, int]
    """How many statements people see in each."""
    state: str
    """Draft, open or ended."""
    version: str
    version_sha256: str
    public_items: int
    hidden_items: int
    withdrawn_items: int
    samples: tuple[int, int] | None
    """The fewest and the most answers that published models gave to a problem."""
    grader: str
    # --- Its plan
    pool: int
    problems: int
    """In a session."""
    minutes: int
    most_people: int
    joining: str
    expected_accuracy: float
    person_correlation: float
    problem_correlation: float
    detectable: float | None
    pilot: str
    hypothesis: str
    analysis: str
    exclusions: str
    frozen_at: str
    preregistration_sha256: str
    # --- Its people
    population: str
    recruitment: str
    questions: Sequence[str]
    must_be_yes: Sequence[str]
    demographics: Mapping[str, Mapping[str, str]]
    """By question how many gave each answer; few are not told."""
    authors_part: str
    pay: str
    training_pay: str
    bonus: str
    pay_alike: str
    ethics: str
    consent: str
    consents: Mapping[int, str]
    """The hash of each text that somebody consented to, by its version."""
    # --- What they were told
    allowed_aids: str
    ai_tools: str
    attestation: str
    pauses: str
    attested: int
    aids: Mapping[str, int]
    """How many said afterwards that they kept to the aids: yes, no, not said."""
    conditions: Sequence[tuple[str, str, str]]
    """What, for people, for models."""
    differences: Mapping[str, int]
    """Problems of the pool, by how what people saw differs from the prompt."""
    prompt: str
    shows_results: bool
    # --- What came of it
    flow: Mapping[str, int]
    outcomes: Mapping[str, int]
    everybody: StudyFigures
    is_everybody_exact: bool = True
    headline: StudyFigures
    rules: Sequence[Rule]
    beside_models: Sequence[Beside] = ()
    """People less each model of the board."""
    # --- Where it can be had
    paper: str = ""
    venue: str = ""
    is_data_public: bool | None = None
    """None where it is not said."""
    is_data_single: bool = False
    """Of single people, not only sums."""
    data_where: str = ""
    materials: str = ""
    code: str = ""
    each: Sequence[int] = ()
    """Problems of each person who counts."""
    per_problem: Sequence[int] = ()
    """People of each problem that somebody had."""
    session_minutes: Sequence[float] = ()
    times: Sequence[Times] = ()
    effects: Mapping[str, PositionEffect] = field(default_factory=dict)
    deviations: Sequence[Change] = ()
    by_hand: Sequence[str] = ()
    """Why each person was left out by hand."""
    extensions: int = 0
    extended_minutes: int = 0
    why_extended: Sequence[str] = ()
    late_saves: int = 0
    late_counted: int = 0
    pastes: int = 0
    away: int = 0
    notes: int = 0
    """Problems to which somebody kept notes."""


def hide_few(counts: Mapping[str, int]) -> dict[str, str]:
    """
    Write how many people gave each answer; where groups are too small, so is one that is not.

    Else the whole less all others would tell of them.

    >>> hide_few({"1st year": 12, "2nd year": 7, "3rd year": 2})
    {'1st year': '12', '2nd year': 'not told', '3rd year': 'not told'}
    """
    # Each person gives one answer, so any numbers do for people.
    hidden = find_hidden({one: [(one, at) for at in range(n)] for one, n in counts.items()})
    return {
        answer: "not told" if answer in hidden else str(count) for answer, count in counts.items()
    }
