"""An import from upload to its end: what waits, who works on it, what a killed worker costs."""

import json
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.authoring.drafts import actions
from curation.exchange import imports
from curation.exchange.models import Import, ImportRow
from curation.exchange.tasks import IMPORTING
from curation.problems.models import Problem
from curation.texts.workflow import NotAllowedNow
from development import web
from phybench.files.problem_files import Refused
from phybench.work.models import Lost
from tests.addresses import client_of
from tests.curation.exchange.test_plans import NEW, drafts_of
from tests.development.checkout import wait_until
from tests.grading.concurrency import post_in_turn
from tests.processes import Processes, kill
from tests.work import run_import

pytestmark = pytest.mark.django_db


def begin(person, benchmark, *rows, **terms) -> Import:
    content = json.dumps(rows or [NEW]).encode()
    return imports.begin(drafts_of(person, benchmark, **terms), file_name="a.json", content=content)


def look_at(transfer: Import) -> Import:
    run_import(transfer.pk)
    transfer.refresh_from_db()
    return transfer


def carry_out(transfer: Import) -> Import:
    imports.order(transfer)
    return look_at(transfer)


def list_rows(transfer: Import) -> list[tuple[str, str]]:
    return list(transfer.rows.order_by("number").values_list("action", "result"))


def test_a_file_is_looked_at_and_carried_out_when_that_is_ordered(contributor, benchmark):
    broken = {**NEW, "id": "fall-2", "answer": "0.5 m g h"}
    transfer = look_at(begin(contributor, benchmark, NEW, broken, "nothing"))
    assert transfer.planned_at
    assert transfer.lease_until is None
    assert list_rows(transfer) == [("CREATE", ""), ("CREATE", ""), ("REFUSE", "")]
    assert not Problem.objects.exists()
    assert imports.count_rules(transfer) == [("Numbers are exact", 1), ("the row", 1)]
    carry_out(transfer)
    assert transfer.finished_at
    assert list_rows(transfer) == [("CREATE", "DONE"), ("CREATE", "DONE"), ("REFUSE", "")]
    assert transfer.rows.get(number=1).problem == Problem.objects.earliest("pk")


def test_exactly_what_was_shown_is_done(contributor, benchmark, draft):
    rows = [NEW, {"id": draft.identifier, "quantity": "E"}]
    transfer = look_at(begin(contributor, benchmark, *rows))
    saved = draft.revisions.get().saved_at.isoformat()
    actions.save_draft(problem=draft, author=contributor, saved_at=saved, quantity="W")
    carry_out(transfer)
    assert list_rows(transfer) == [("CREATE", "DONE"), ("UPDATE", "REFUSED")]
    assert "changed after" in transfer.rows.get(number=2).message
    assert draft.revisions.get().quantity == "W"


def test_doing_it_twice_changes_nothing(contributor, benchmark):
    transfer = carry_out(look_at(begin(contributor, benchmark)))
    before = [list(model.objects.values()) for model in (Import, ImportRow, Problem)]
    imports.order(transfer)
    run_import(transfer.pk)
    assert [list(model.objects.values()) for model in (Import, ImportRow, Problem)] == before


def test_nothing_is_ordered_before_it_was_looked_at_or_where_nothing_is_to_be_done(
    contributor, benchmark
):
    transfer = begin(contributor, benchmark, {"id": "C999"})
    with pytest.raises(NotAllowedNow, match="still being checked"):
        imports.order(transfer)
    with pytest.raises(NotAllowedNow, match="needs no action"):
        imports.order(look_at(transfer))


def test_the_database_does_not_let_it_be_carried_out_before_it_was_looked_at(
    contributor, benchmark
):
    begin(contributor, benchmark)
    with pytest.raises(IntegrityError), transaction.atomic():
        Import.objects.update(ordered_at=timezone.now())


def test_a_file_can_be_forgotten_until_it_is_carried_out(contributor, benchmark):
    imports.discard(look_at(begin(contributor, benchmark)))
    assert not ImportRow.objects.exists()
    done = carry_out(look_at(begin(contributor, benchmark)))
    with pytest.raises(NotAllowedNow, match="can’t be deleted"):
        imports.discard(done)


@pytest.mark.django_db(transaction=True)
def test_what_is_discarded_at_the_same_moment_is_not_there_to_be_carried_out(
    contributor, benchmark
):
    transfer = look_at(begin(contributor, benchmark))
    posts = [
        partial(client_of(contributor).post, f"{transfer.get_absolute_url()}?do={name}")
        for name in ("discard", "discard", "carry_out")
    ]
    assert post_in_turn("curation_import", transfer.pk, *posts) == [302, 302, 404]


def test_of_a_file_that_is_none_nothing_is_kept(contributor, benchmark):
    with pytest.raises(Refused):
        imports.begin(drafts_of(contributor, benchmark), file_name="a", content=b"[{")
    assert not Import.objects.exists()


def test_two_workers_do_not_work_on_one_import(contributor, benchmark):
    transfer = begin(contributor, benchmark)
    first = IMPORTING.claim(transfer.pk)
    assert first
    assert IMPORTING.claim(transfer.pk) is None
    # Its lease ran out, and another took it: what the first one finds is not kept.
    Import.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert IMPORTING.claim(transfer.pk)
    with pytest.raises(Lost):
        imports.run(first)
    assert list_rows(transfer) == [("", "")]


def test_a_row_that_stops_every_worker_is_set_aside(contributor, benchmark, settings):
    transfer = begin(contributor, benchmark, NEW, {**NEW, "id": "fall-2"})
    Import.objects.update(lost=settings.WORK_TRIES)
    look_at(transfer)
    look_at(transfer)
    assert list_rows(transfer) == [("REFUSE", ""), ("CREATE", "")]
    assert "every worker" in transfer.rows.get(number=1).faults[0]["message"]


def test_a_row_that_stops_every_worker_is_not_carried_out(contributor, benchmark, settings):
    transfer = look_at(begin(contributor, benchmark, NEW, {**NEW, "id": "fall-2"}))
    imports.order(transfer)
    Import.objects.update(lost=settings.WORK_TRIES)
    look_at(transfer)
    look_at(transfer)
    assert list_rows(transfer) == [("CREATE", "REFUSED"), ("CREATE", "DONE")]
    assert "an error on our side" in transfer.rows.get(number=1).message
    assert transfer.finished_at


def test_an_error_of_ours_costs_only_its_row_and_says_so(contributor, benchmark):
    rows = [{**NEW, "id": f"fall-{number}"} for number in range(3)]
    transfer = begin(contributor, benchmark, *rows)
    transfer.rows.filter(number=1).update(given={"symbols": 5})
    look_at(transfer)
    too_long = {**transfer.rows.get(number=2).values, "title": "x" * 200}
    transfer.rows.filter(number=2).update(values=too_long)
    carry_out(transfer)
    assert list_rows(transfer) == [("REFUSE", ""), ("CREATE", "REFUSED"), ("CREATE", "DONE")]
    assert "an error on our side" in transfer.rows.get(number=1).faults[0]["message"]
    assert "an error on our side" in transfer.rows.get(number=2).message
    assert transfer.finished_at


def test_what_no_worker_holds_is_due(contributor, benchmark):
    transfer = begin(contributor, benchmark)
    assert IMPORTING.list_due().count() == 1
    now = timezone.now()
    Import.objects.update(lease_until=now + timedelta(seconds=60))
    assert IMPORTING.list_due().count() == 0
    Import.objects.update(lease_until=now)
    assert IMPORTING.list_due().count() == 1
    look_at(transfer)
    assert IMPORTING.list_due().count() == 0


@pytest.mark.parametrize("setting", ["AT_ONCE", "KEPT_EVERY"])
def test_rows_are_planned_a_few_at_a_time(contributor, benchmark, monkeypatch, setting):
    monkeypatch.setattr(imports, setting, {"AT_ONCE": 2, "KEPT_EVERY": 0}[setting])
    rows = [{**NEW, "id": f"fall-{number}"} for number in range(5)]
    assert list_rows(look_at(begin(contributor, benchmark, *rows))) == [("CREATE", "")] * 5


@pytest.mark.parametrize("count", [1, 3])
def test_planning_asks_and_writes_as_often_for_three_rows_as_for_one(
    contributor, benchmark, django_assert_num_queries, count
):
    rows = [{**NEW, "id": f"fall-{number}"} for number in range(count)]
    claimed = IMPORTING.claim(begin(contributor, benchmark, *rows).pk)
    assert claimed
    # Rows twice (the last time none), the bank in one since it holds none, the lease and the rows
    # in a transaction, the end.
    with django_assert_num_queries(8):
        imports.run(claimed)


@pytest.mark.slow
@pytest.mark.own_server
@pytest.mark.django_db(transaction=True)
def test_a_killed_workers_import_is_finished_by_the_next(
    contributor, benchmark, processes: Processes
):
    rows = [{**NEW, "id": f"fall-{number}"} for number in range(4)]
    transfer = begin(contributor, benchmark, *rows)
    quick = {"WORK_LEASE_SECONDS": "1", "WORK_SWEEP_SECONDS": "0.5"}
    with transaction.atomic():
        # Whoever plans these rows can't keep what was found while they are held.
        list(transfer.rows.select_for_update())
        first = processes.start(web.worker, **quick)
        processes.start(web.beat, **quick)
        assert wait_until(lambda: Import.objects.filter(tries=1).exists())
        kill(first)
    processes.start(web.worker, **quick)
    assert wait_until(lambda: Import.objects.filter(planned_at__isnull=False).exists())
    transfer.refresh_from_db()
    assert transfer.tries >= 2
    assert list_rows(transfer) == [("CREATE", "")] * 4
