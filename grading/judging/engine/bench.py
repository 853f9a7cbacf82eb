"""Judging one item from its inputs to its record: rules, prompts, calls, votes."""

import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from grading.endpoints import Cost
from grading.judging.engine.configuration import Configuration, write_versions
from grading.judging.engine.conversation import Conversation, JudgeQuestion, Seat
from grading.judging.engine.items import say_fault
from grading.judging.engine.records import Record, tell_halt, tell_outcome, tell_rule
from grading.judging.engine.store import Halted, Store
from grading.judging.words import say_most_turns
from phybench_grader.judges import (
    Flag,
    Judgement,
    Mode,
    Reason,
    RuleVerdict,
    combine,
    decide,
    needs_model,
    needs_rule,
)
from phybench_grader.judges.deterministic import SymbolicJudge
from phybench_grader.judges.families import are_kin
from phybench_grader.judges.items import Item
from phybench_grader.judges.kinds.kind import Hear, Read
from phybench_grader.judges.prompts import Prompt


def prepare(item: Item, configuration: Configuration) -> Hear | Reason:
    """Say what is to be asked about an item, or why there is nothing to ask."""
    if item.refused:
        return Reason.BAD_ITEM
    if item.other_language:
        return Reason.NO_PROMPT
    if {judge.model for judge in configuration.judges} & {item.model, item.second_model}:
        return Reason.SELF_JUDGE
    if not configuration.kind.has_answer(item):
        return Reason.RESPONSE_ERRORED
    manner = configuration.find_manner(item)
    if len(item.turns) > manner.template.variant.turns:
        return Reason.TOO_MANY_TURNS
    if len(item.references) > max(len(item.turns), manner.template.variant.turns):
        return Reason.TOO_MANY_REFERENCES
    return configuration.kind.prepare(item, manner)


def join(configuration: Configuration, voices: Sequence[Judgement[Any]]) -> Judgement[Any]:
    """Join what several judges said, or one several times; fewer than half are not enough."""
    if len(voices) == 1:
        return voices[0]
    return configuration.kind.join(voices, quorum=len(voices) // 2 + 1)


@dataclass(slots=True)
class Spent:
    """What the judging of one item took."""

    attempts: int = 0
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class Bench:
    """The judges of one configuration, ready to be asked."""

    configuration: Configuration
    identity: str
    """The configuration's, computed once."""
    seats: Sequence[Seat]
    store: Store
    symbolic: SymbolicJudge
    """Grades expressions for the rules."""

    def judge(self, item: Item) -> Record:
        """Judge one item. Whatever comes of it is its record, also that the run was halted."""
        started = time.monotonic()
        spent = Spent()
        try:
            outcome = self._judge(item, spent)
        except Halted as halted:
            outcome = tell_halt(halted.reason)
        except CancelledError:
            # The sandbox of the rules was closed under it.
            outcome = tell_halt(Reason.CANCELLED)
        return self._record(
            item,
            **outcome,
            attempts=spent.attempts,
            calls=spent.cost.calls,
            tokens=spent.cost.tokens,
            cost=f"{spent.cost.money:f}",
            estimated_calls=spent.cost.estimated,
            seconds=round(time.monotonic() - started, 3),
        )

    def put_off(self, item: Item, reason: Reason) -> Record:
        """Make the record of an item that nobody was asked about, and that has to wait."""
        return self._record(item, **tell_halt(reason))

    def _record(self, item: Item, **fields: Any) -> Record:
        kind = self.configuration.kind
        return Record(
            id=item.id,
            kind=str(kind),
            metric=kind.metric,
            higher_is_better=kind.higher_is_better,
            input_hash=item.input_hash,
            config_hash=self.identity,
            versions=write_versions(),
            **fields,
        )

    def _judge(self, item: Item, spent: Spent) -> dict[str, Any]:
        configuration = self.configuration
        hear = prepare(item, configuration)
        if isinstance(hear, Reason):
            outcome = tell_outcome(Judgement.missing(hear))
            if item.refused:
                outcome["message"] = say_fault(item.refused)
            elif hear is Reason.TOO_MANY_TURNS:
                limit = say_most_turns(configuration.kind, configuration.most_turns)
                outcome["message"] += f" {limit}"
            return outcome
        # A canary is there to try the models, so rules don't step in.
        mode = Mode.MODEL_ONLY if item.canary else configuration.mode
        rule = self._apply_rules(item) if needs_rule(mode) else None
        voices = []
        model = None
        if needs_model(mode, rule, configuration.rule_negative):
            voices = self._hear_all(item, hear, spent)
            model = join(configuration, voices).flagged(*self._list_warnings(item))
        combined = combine(
            mode,
            rule=rule,
            model=model,
            negative=configuration.rule_negative,
            speak=configuration.kind.judge_by_rule,
        )
        return {
            **tell_outcome(combined.judgement),
            "verdict": self._write(combined.judgement),
            "stage": combined.stage.lower(),
            "votes": self._tell_votes(voices),
            "rule": tell_rule(rule),
        }

    def _list_warnings(self, item: Item) -> list[Flag]:
        """List what speaks for caution before anything was said."""
        judges = self.configuration.judges
        is_kin = any(are_kin(judge.model, item.model) for judge in judges)
        return [Flag.SAME_FAMILY] if is_kin else []

    def _apply_rules(self, item: Item) -> RuleVerdict:
        return decide(
            item.response or "",
            item.references[0],
            question=item.question,
            kind=item.type,
            symbolic=self.symbolic,
        )

    def _hear_all(self, item: Item, hear: Hear, spent: Spent) -> list[Judgement[Any]]:
        """Hear each judge as often as the configuration says."""
        return [
            hear(_Asking(seat, self.store, item, repeat, spent))
            for seat in self.seats
            for repeat in range(1, self.configuration.repeats + 1)
        ]

    def _tell_votes(self, voices: Sequence[Judgement[Any]]) -> tuple[dict[str, Any], ...]:
        if len(voices) < 2:
            return ()
        repeats = self.configuration.repeats
        return tuple(
            {
                "judge": self.seats[number // repeats].name,
                "repeat": number % repeats + 1,
                "verdict": self._write(voice),
                **tell_outcome(voice),
            }
            for number, voice in enumerate(voices)
        )

    def _write(self, judgement: Judgement[Any]) -> dict[str, Any] | None:
        verdict = judgement.verdict
        return None if verdict is None else self.configuration.kind.write(verdict)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Puts the prompts about one item to one judge, and counts what it takes."""

    seat: Seat
    store: Store
    item: Item
    repeat: int
    spent: Spent

    def __call__(self, prompt: Prompt, read: Read, *, order: str = "") -> Judgement[Any]:
        names = {
            "id": self.item.id,
            "canary": self.item.canary,
            "judge": self.seat.name,
            "repeat": self.repeat,
            "order": order,
        }
        conversation = Conversation(self.seat, JudgeQuestion(prompt, read, names), self.store)
        judgement = conversation.finish()
        self.spent.attempts += conversation.attempts
        self.spent.cost += conversation.cost
        return judgement
