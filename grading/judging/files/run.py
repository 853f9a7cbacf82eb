"""Judging the items of a run, several at once; what is done already is left alone."""

import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

from grading.endpoints import (
    APIKey,
    Budget,
    ChatClient,
    Egress,
    Limiter,
)
from grading.judging.engine.bench import Bench
from grading.judging.engine.configuration import Configuration
from grading.judging.engine.conversation import Seat
from grading.judging.engine.records import Record, RecordStatus
from grading.judging.files.lines import Journal, Output
from grading.judging.files.store import ClientLine, FileStore
from phybench_grader.judges import Reason
from phybench_grader.judges.deterministic import SymbolicJudge
from phybench_grader.judges.items import Item


class Run:
    """One configuration at work on some items, with the files that it is kept in."""

    def __init__(
        self,
        configuration: Configuration,
        items: Sequence[Item],
        *,
        output: Output,
        journal: Journal,
        keys: Mapping[str, APIKey],
        egress: Egress,
        symbolic: SymbolicJudge,
        tls: ssl.SSLContext | None = None,
        tell: Callable[[str, float, Reason], object] = lambda *_: None,
    ) -> None:
        """`keys` are by the judges' names; `output` and `journal` are open; `tell`: `FileStore`."""
        pace = configuration.pace
        self.items = items
        self.output = output
        self.journal = journal
        # What earlier calls have cost counts too, or a budget could be spent again and again.
        self.store = FileStore(Budget(pace.allowed, spent=journal.spent), journal, tell)
        seats = []
        for judge in configuration.judges:
            client = ChatClient(
                judge.base_url, key=keys.get(judge.name), egress=egress, limits=pace.limits, tls=tls
            )
            host = judge.base_url.authority
            line = ClientLine(client, host, Limiter(pace.rate), pace.prices, self.store)
            parameters = replace(configuration.parameters, model=judge.model)
            seats.append(Seat(judge.name, line, parameters, pace.policy))
        self.bench = Bench(configuration, configuration.identity, seats, self.store, symbolic)

    def list_open(self, canaries: Sequence[Item] = ()) -> list[Item]:
        """
        List what is still to be judged, canaries first.

        An item whose inputs are no longer those that were judged is judged again.
        """
        kept = [(item, self.journal.canaries.get(item.key)) for item in canaries]
        kept += [(item, self.output.records.get(item.key)) for item in self.items]
        return [item for item, record in kept if not _is_done(item, record)]

    def judge_all(self, items: Sequence[Item], *, at_once: int) -> Iterator[Item]:
        """Judge items, keep what comes of each, and yield each that is done; not what waits."""
        with ThreadPoolExecutor(at_once) as threads:
            judging = [threads.submit(self._judge, item) for item in items]
            try:
                for judged in as_completed(judging):
                    if (item := judged.result()) is not None:
                        yield item
            except BaseException:
                self.store.halt(Reason.CANCELLED)
                raise
            finally:
                for one in judging:
                    one.cancel()

    def settle(self) -> list[Record]:
        """Put the output in the items' order, with a line for each that still has to wait."""
        reason = self.store.halted_by or Reason.CANCELLED
        records = [
            self.output.records.get(item.key) or self.bench.put_off(item, reason)
            for item in self.items
        ]
        self.output.settle(records)
        return records

    def _judge(self, item: Item) -> Item | None:
        if self.store.halted_by is Reason.CANCELLED:
            return None
        record = self.bench.judge(item)
        if item.canary:
            self.journal.keep_canary(record)
        else:
            self.output.keep(record)
        return None if record.status is RecordStatus.PENDING else item


def _is_done(item: Item, record: Record | None) -> bool:
    return record is not None and record.is_finished and record.input_hash == item.input_hash
