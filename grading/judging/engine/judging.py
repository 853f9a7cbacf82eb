"""Judging one item from its inputs to its record: rules, prompts, calls, votes."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from grading.endpoints import Cost
from grading.judges import (
    Flag,
    Judgement,
    Mode,
    Reason,
    RuleVerdict,
    Stage,
    combine,
    decide,
    needs_model,
    needs_rule,
)
from grading.judges.deterministic import SymbolicJudge
from grading.judges.families import are_kin
from grading.judges.prompts import Family, Prompt
from grading.judges.replies import Reply
from grading.judging.engine.asking import Asker, Question
from grading.judging.engine.calls import Halted
from grading.judging.engine.configuration import Configuration, write_versions
from grading.judging.engine.items import Item
from grading.judging.engine.kinds import Hear, join, prepare, write_verdict
from grading.judging.engine.records import Record, tell_halt, tell_outcome, tell_rule


@dataclass(slots=True)
class Tally:
    """What the judging of one item took."""

    attempts: int = 0
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class Bench:
    """The judges of one configuration, ready to be asked."""

    configuration: Configuration
    identity: str
    """The configuration's, computed once."""
    askers: Sequence[tuple[str, Asker]]
    """By the judges' names."""
    symbolic: SymbolicJudge
    """Grades expressions for the rules."""

    def judge(self, item: Item) -> Record:
        """Judge one item. Whatever comes of it is its record, also that the run was halted."""
        started = time.monotonic()
        tally = Tally()
        try:
            outcome = self._judge(item, tally)
        except Halted as halted:
            outcome = tell_halt(halted.reason)
        except CancelledError:
            # The sandbox of the rules was closed under it.
            outcome = tell_halt(Reason.CANCELLED)
        return self._record(
            item,
            **outcome,
            attempts=tally.attempts,
            calls=tally.cost.calls,
            tokens=tally.cost.tokens,
            cost=f"{tally.cost.money:f}",
            estimated_calls=tally.cost.estimated,
            seconds=round(time.monotonic() - started, 3),
        )

    def put_off(self, item: Item, reason: Reason) -> Record:
        """Make the record of an item that nobody was asked about, and that has to wait."""
        return self._record(item, **tell_halt(reason))

    def _record(self, item: Item, **fields: Any) -> Record:
        return Record(
            id=item.id,
            kind=self.configuration.family.lower(),
            input_hash=item.input_hash,
            config_hash=self.identity,
            versions=write_versions(),
            **fields,
        )

    def _judge(self, item: Item, tally: Tally) -> dict[str, Any]:
        configuration = self.configuration
        hear = prepare(item, configuration)
        if isinstance(hear, Reason):
            return tell_outcome(Judgement.missing(hear))
        if configuration.family is not Family.SEMANTIC:
            voices = self._hear_all(item, hear, tally)
            judgement = join(configuration.family, voices).flagged(*self._list_warnings(item))
            return _write(judgement, Stage.MODEL, self._tell_votes(voices))
        # A canary is there to try the models, so rules don't step in.
        mode = Mode.MODEL_ONLY if item.canary else configuration.mode
        rule = self._apply_rules(item) if needs_rule(mode) else None
        voices = []
        model = None
        if needs_model(mode, rule, configuration.rule_negative):
            voices = self._hear_all(item, hear, tally)
            model = join(Family.SEMANTIC, voices).flagged(*self._list_warnings(item))
        combined = combine(mode, rule=rule, model=model, negative=configuration.rule_negative)
        outcome = _write(combined.judgement, combined.stage, self._tell_votes(voices))
        return {**outcome, "rule": tell_rule(rule)}

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

    def _hear_all(self, item: Item, hear: Hear, tally: Tally) -> list[Judgement[Any]]:
        """Hear each judge as often as the configuration says."""
        return [
            hear(_Asking(asker, item, name, repeat, tally))
            for name, asker in self.askers
            for repeat in range(1, self.configuration.repeats + 1)
        ]

    def _tell_votes(self, voices: Sequence[Judgement[Any]]) -> tuple[dict[str, Any], ...]:
        if len(voices) < 2:
            return ()
        repeats = self.configuration.repeats
        return tuple(
            {
                "judge": self.askers[number // repeats][0],
                "repeat": number % repeats + 1,
                **_write_verdict(voice),
                **tell_outcome(voice),
            }
            for number, voice in enumerate(voices)
        )


@dataclass(frozen=True, slots=True)
class _Asking:
    """Puts the prompts about one item to one judge, and counts what it takes."""

    asker: Asker
    item: Item
    judge: str
    repeat: int
    tally: Tally

    def __call__(
        self, prompt: Prompt, read: Callable[[Reply], Judgement[Any]], *, order: str = ""
    ) -> Judgement[Any]:
        names: dict[str, Any] = {
            "id": self.item.id,
            "canary": self.item.canary,
            "judge": self.judge,
            "repeat": self.repeat,
            "order": order,
        }
        answered = self.asker.ask(Question(prompt, read, names))
        self.tally.attempts += answered.attempts
        self.tally.cost += answered.cost
        return answered.judgement


def _write_verdict(judgement: Judgement[Any]) -> dict[str, Any]:
    verdict = judgement.verdict
    return {"verdict": None if verdict is None else write_verdict(verdict)}


def _write(
    judgement: Judgement[Any], stage: Stage, votes: tuple[dict[str, Any], ...]
) -> dict[str, Any]:
    return {
        **tell_outcome(judgement),
        **_write_verdict(judgement),
        "stage": stage.lower(),
        "votes": votes,
    }
