"""What a run may cost, and whether what endpoints allow today will do for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grading.endpoints import Allowance, Cost, Message, estimate_cost, estimate_tokens
from grading.judging.engine.bench import prepare
from grading.judging.engine.configuration import Configuration
from grading.judging.judgements.models import JudgeCall
from grading.judging.judgements.reuse import list_reusable
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.prompts.configurations import Chosen, read_row
from grading.judging.runs.items import find_item
from grading.runs import reservations
from grading.runs.reservations import Left
from phybench_grader.judges import Judgement as Said
from phybench_grader.judges import Mode, Reason
from phybench_grader.judges.items import Item
from phybench_grader.judges.prompts import Prompt


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may cost at most, if no call has to be made again."""

    items: int
    """Those of known verdict among them."""
    tried: int
    """Of these, those of known verdict, which are there to try the judges."""
    left_out: Sequence[tuple[Item, Reason]]
    reused: int
    cost: Cost
    rules_come_first: bool
    """Which may spare some."""
    asked_again: int
    """Calls that there are at most, if each has to be made as often as it may."""
    by_endpoint: Mapping[int, Cost] = field(default_factory=dict)

    @property
    def own(self) -> int:
        return self.items - self.tried

    @property
    def skipped(self) -> int:
        return len(self.left_out)

    @property
    def judged(self) -> int:
        return self.own - self.skipped


def estimate(
    configuration: Configuration,
    items: Sequence[Item],
    judges: Sequence[Chosen],
    *,
    known: frozenset[str] = frozenset(),
    attempts: int = 5,
) -> Estimate:
    """Say what judging items takes; those whose input hash is in `known` are not asked about."""
    shares = {judge.endpoint.pk: Cost() for judge in judges}
    left_out: list[tuple[Item, Reason]] = []
    reused = 0
    for item in items:
        if not item.canary and item.input_hash in known:
            reused += 1
            continue
        prompts: list[Prompt] = []
        hear = prepare(item, configuration)
        if isinstance(hear, Reason):
            left_out.append((item, hear))
            continue
        hear(_Noting(prompts))
        for judge in judges:
            parameters = replace(configuration.parameters, model=judge.model)
            for prompt in prompts:
                messages = [Message("user", one["content"]) for one in prompt.messages]
                tokens = estimate_tokens(messages, parameters)
                for _time in range(configuration.repeats):
                    shares[judge.endpoint.pk] += estimate_cost(*tokens, judge.endpoint.prices)
    total = sum(shares.values(), Cost())
    return Estimate(
        items=len(items),
        tried=sum(bool(item.canary) for item in items),
        left_out=left_out,
        reused=reused,
        cost=total,
        rules_come_first=configuration.mode is Mode.CASCADE,
        asked_again=total.calls * attempts,
        by_endpoint=shares,
    )


class _Noting:
    """Notes what would be asked, and asks nobody."""

    def __init__(self, prompts: list[Prompt]) -> None:
        self._prompts = prompts

    def __call__(self, prompt: Prompt, read: Any, *, order: str = "") -> Any:
        self._prompts.append(prompt)
        # Said to be there: without one in the first order, a pair is not asked in the second.
        return Said("")


# --- What is left of it today ----------------------------------------------------------------


def list_left(estimate: Estimate, judges: Sequence[Chosen]) -> list[Left]:
    """List what the judges' endpoints limit by the day, in as many queries an endpoint."""
    endpoints = {judge.endpoint.pk: judge.endpoint for judge in judges}
    return [
        one
        for pk, endpoint in endpoints.items()
        for one in reservations.list_left(endpoint, estimate.by_endpoint.get(pk, Cost()))
    ]


# --- What a run reserves of it ---------------------------------------------------------------


def find_known(configuration: Configuration, *, file_id: int | None = None) -> frozenset[str]:
    """Return the hashes of the inputs that the same judge has answered, and may say so here."""
    there = list_reusable(configuration.identity, file_id=file_id)
    return frozenset(there.values_list("input_sha256", flat=True))


def reserve(run: JudgeRun) -> None:
    """Keep what the items that wait may cost, as far as the run may spend it and it is left."""
    configuration = read_row(run.configuration)
    judges = [Chosen(one.endpoint, one.model) for one in run.judges.select_related("endpoint")]
    if not judges:
        return
    waiting = run.items.waiting().select_related("attempt__revision", "other")
    # Each says it of its own run.
    items = [find_item(_of(one, run), configuration) for one in waiting]
    known = frozenset[str]() if run.is_fresh else find_known(configuration, file_id=run.file_id)
    needed = estimate(configuration, items, judges, known=known).by_endpoint
    spent = JudgeCall.objects.filter(item__run=run).cost() + run.lost()
    left = _subtract(Allowance(run.most_calls, run.most_tokens, run.most_money), spent)
    # In one order, whoever reserves: two that lock the same endpoints never wait for each other.
    for pk in sorted(needed):
        kept = reservations.reserve(run, pk, reservations.fit(needed[pk], left))
        left = _subtract(left, kept)


def _of(item: JudgeItem, run: JudgeRun) -> JudgeItem:
    item.run = run
    return item


def _subtract(allowed: Allowance, cost: Cost) -> Allowance:
    return Allowance(
        *(
            None if most is None else max(most * 0, most - getattr(cost, what))
            for what, most in (
                ("calls", allowed.calls),
                ("tokens", allowed.tokens),
                ("money", allowed.money),
            )
        )
    )
