"""Versions of a benchmark: frozen, hashed, in two parts, superseded and never changed."""

import hashlib
import json
from threading import Barrier, Thread

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction

from curation.authoring.drafts import actions as curating
from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Problem
from curation.reports import actions as reporting
from curation.versions import actions
from curation.versions.actions import CannotChange
from curation.versions.exchange.downloads import write_public
from curation.versions.hashes import describe_asked, hash_asked, hash_items, hash_key
from curation.versions.models import BenchmarkVersion, ItemWithdrawal, VersionItem
from curation.versions.permissions import may_answer
from phybench.people.models import Role, User
from tests.certificates import give_certificate
from tests.conftest import accept, make_draft, make_person
from tests.memory import remembered
from tests.versions import publish_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small(settings) -> None:
    settings.LEAST_HIDDEN_ITEMS = 1


@pytest.fixture
@remembered
def problems(contributor: User, reviewer: User, benchmark: Benchmark) -> list[Problem]:
    return [
        accept(make_draft(contributor, benchmark, answer=answer), contributor, reviewer)
        for answer in ("m g h", "2 m g h", "3 m g h")
    ]


@pytest.fixture
def version(problems: list[Problem], benchmark: Benchmark, admin: User) -> BenchmarkVersion:
    return actions.make_draft(benchmark=benchmark, by=admin)


def publish(version: BenchmarkVersion, by: User) -> BenchmarkVersion:
    actions.publish(version=version, by=by)
    version.refresh_from_db()
    return version


def hide(version: BenchmarkVersion, by: User, *problems: Problem) -> None:
    names = [problem.identifier for problem in problems]
    actions.edit(version=version, changes="", hidden=names, by=by)


def test_version_holds_the_accepted_revision_of_each_problem(version, problems, draft):
    assert {item.revision_id for item in version.items.all()} == {
        problem.accepted_revision_id for problem in problems
    }
    assert not version.items.filter(problem=draft).exists()


def test_what_was_hidden_and_is_left_out_once_stays_secret(version, problems, benchmark, admin):
    hide(version, admin, problems[0])
    publish(version, admin)
    between = actions.make_draft(benchmark=benchmark, by=admin)
    name = problems[0].identifier
    actions.edit(version=between, changes="", hidden=[], left_out=[name], by=admin)
    publish(between, admin)

    participant = make_person(Role.PARTICIPANT, "Pat")
    assert not may_answer(participant, problems[0].accepted_revision)
    later = actions.make_draft(benchmark=benchmark, by=admin)
    assert [one.problem for one in later.items.hidden()] == [problems[0]]


def test_what_was_answered_since_it_was_hidden_in_a_draft_is_not_published_so(
    version, problems, admin
):
    hide(version, admin, problems[0])
    person = make_person(Role.PARTICIPANT, "Pat")
    ledger.write_verdicts(person, Reason.GRADE, [problems[0].accepted_revision_id])
    with pytest.raises(CannotChange, match=f"no longer secret: {problems[0].identifier}"):
        publish(version, admin)


def test_two_who_begin_a_version_get_the_same_draft(version, benchmark, admin):
    assert actions.make_draft(benchmark=benchmark, by=admin) == version


def test_without_an_accepted_problem_there_is_no_version(benchmark, admin):
    with pytest.raises(CannotChange, match="No problem"):
        actions.make_draft(benchmark=benchmark, by=admin)

    assert not BenchmarkVersion.objects.exists()


@pytest.mark.parametrize("take", [actions.publish, actions.refresh, actions.discard])
def test_only_admins_change_a_version(version, evaluator, take):
    with pytest.raises(PermissionDenied):
        take(version=version, by=evaluator)


def test_published_version_can_be_checked_by_its_hashes(version, problems, admin):
    hide(version, admin, problems[2])
    publish(version, admin)
    items = list(version.items.select_related("revision"))

    assert version.sha256 == hash_items(items)
    for item in items:
        assert item.asked_sha256 == hash_asked(describe_asked(item.revision))
        assert item.key_sha256 == hash_key(item.revision, version.salt)


def test_hash_of_what_is_asked_is_that_of_the_downloaded_row(version, admin, evaluator):
    publish(version, admin)

    for line in write_public(version, evaluator):
        row = json.loads(line)
        asked = {name: row[name] for name in row.keys() - {"id", "version", "domain"}}
        told = asked.pop("asked_sha256")
        text = json.dumps(asked, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == told


def test_hash_of_a_key_tells_nothing_to_who_guesses_it(version, problems, admin):
    publish(version, admin)
    other = publish_version_again(version, problems[0], admin)
    before, after = (
        VersionItem.objects.get(version=one, problem=problems[1]) for one in (version, other)
    )

    assert before.revision == after.revision
    assert before.asked_sha256 == after.asked_sha256
    # The salt is another: one hash can't be looked for in the other version.
    assert before.key_sha256 != after.key_sha256


def publish_version_again(version: BenchmarkVersion, problem: Problem, by: User):
    actions.withdraw_item(item=version.items.get(problem=problem), reason="Wrong.", by=by)
    return publish(actions.make_draft(benchmark=version.benchmark, by=by), by)


def test_hash_of_a_version_says_which_part_each_item_is_in(version, admin):
    items = list(version.items.all())
    before = hash_items(items)
    items[0].is_hidden = True

    assert hash_items(items) != before
    assert hash_items(reversed(items)) == hash_items(items)


def test_download_holds_the_public_part_and_no_key(version, problems, admin, evaluator):
    hide(version, admin, problems[2])
    publish(version, admin)

    rows = [json.loads(line) for line in write_public(version, evaluator)]

    assert [row["id"] for row in rows] == [problem.identifier for problem in problems[:2]]
    assert all("answer" not in row and "solution" not in row for row in rows)
    assert not any("m g h" in line for line in write_public(version, evaluator))


def test_what_was_public_is_never_hidden_again(version, problems, benchmark, admin):
    publish(version, admin)
    following = actions.make_draft(benchmark=benchmark, by=admin)

    assert actions.list_may_hide(following) == []
    with pytest.raises(CannotChange, match="no longer secret"):
        hide(following, admin, problems[0])


def test_what_was_hidden_stays_so_until_it_is_shown(version, problems, benchmark, admin):
    hide(version, admin, problems[2])
    publish(version, admin)
    following = actions.make_draft(benchmark=benchmark, by=admin)

    assert [item.problem for item in following.items.hidden()] == [problems[2]]

    hide(following, admin)
    publish(following, admin)

    assert actions.compare(following).shown == [following.items.get(problem=problems[2])]


def test_unknown_problems_cannot_be_hidden(version, admin):
    with pytest.raises(CannotChange, match=r"Not in this version: C0, X\."):
        actions.edit(version=version, changes="", hidden=["C0", "X"], by=admin)


def test_version_without_a_public_problem_is_not_published(version, problems, admin):
    hide(version, admin, *problems)

    with pytest.raises(CannotChange, match="has to be public"):
        actions.publish(version=version, by=admin)


def test_draft_with_a_text_that_was_replaced_is_not_published(
    version, problems, benchmark, contributor, reviewer, admin
):
    correct(problems[0], contributor, reviewer, admin)

    with pytest.raises(CannotChange, match=problems[0].identifier):
        actions.publish(version=version, by=admin)
    actions.refresh(version=version, by=admin)
    publish(version, admin)

    problems[0].refresh_from_db()
    assert version.items.get(problem=problems[0]).revision == problems[0].accepted_revision


def correct(problem: Problem, author: User, reviewer: User, admin: User) -> None:
    """Have an error reported, and mended by another revision."""
    report = reporting.report_error(
        problem=problem, reporter=admin, kind="STATEMENT", text="Say more.", own_answer=""
    )
    reporting.decide(report=report, admin=admin, outcome="STATEMENT_FIXED", reason="It said less.")
    problem.refresh_from_db()
    curating.save_draft(
        problem=problem,
        author=author,
        saved_at="",
        statement="A ball of mass $m$ falls from the height $h$. Which energy does it lose?",
        reason="More is said.",
    )
    give_certificate(problem)
    accept(problem, author, reviewer)


def test_refreshed_draft_keeps_what_was_hidden_in_it(version, problems, admin):
    hide(version, admin, problems[1])

    actions.refresh(version=version, by=admin)

    assert [item.problem for item in version.items.hidden()] == [problems[1]]


def test_same_seed_draws_the_same_and_a_share_of_each_domain(version):
    drawn = actions.draw_hidden(version, 34, seed=7)

    assert len(drawn) == 1
    assert drawn == actions.draw_hidden(version, 34, seed=7)
    assert actions.draw_hidden(version, 0, seed=7) == []
    assert not version.items.hidden().exists()


def test_withdrawn_item_stays_in_its_version_and_is_left_out_of_the_next(version, problems, admin):
    publish(version, admin)

    following = publish_version_again(version, problems[0], admin)

    assert version.items.count() == 3
    assert version.items.standing().count() == 2
    assert not following.items.filter(problem=problems[0]).exists()
    assert [item.problem for item in actions.compare(following).gone] == [problems[0]]


def test_item_is_withdrawn_once(version, problems, admin):
    publish(version, admin)
    item = version.items.get(problem=problems[0])

    first = actions.withdraw_item(item=item, reason="Wrong.", by=admin)
    again = actions.withdraw_item(item=item, reason="Again.", by=admin)

    assert first == again
    assert ItemWithdrawal.objects.get().reason == "Wrong."


def test_item_of_a_draft_is_not_withdrawn(version, problems, admin):
    with pytest.raises(CannotChange, match="draft"):
        actions.withdraw_item(
            item=version.items.get(problem=problems[0]), reason="Wrong.", by=admin
        )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE curation_benchmarkversion SET changes = 'other' WHERE id = %(version)s",
        "UPDATE curation_benchmarkversion SET published_at = NULL, sha256 = '', published_by_id ="
        " NULL WHERE id = %(version)s",
        "DELETE FROM curation_benchmarkversion WHERE id = %(version)s",
        "UPDATE curation_versionitem SET is_hidden = true WHERE id = %(item)s",
        "UPDATE curation_versionitem SET version_id = %(draft)s WHERE id = %(item)s",
        "UPDATE curation_versionitem SET version_id = %(version)s WHERE id = %(drafted)s",
        "DELETE FROM curation_versionitem WHERE id = %(item)s",
        "INSERT INTO curation_versionitem (version_id, problem_id, revision_id, identifier,"
        " is_hidden, asked_sha256, key_sha256) SELECT %(version)s, problem_id, revision_id, 'new',"
        " false, '', '' FROM curation_versionitem WHERE id = %(drafted)s",
        "UPDATE curation_itemwithdrawal SET reason = 'other'",
        "DELETE FROM curation_itemwithdrawal",
        "INSERT INTO curation_itemwithdrawal (item_id, reason, by_id, at)"
        " VALUES (%(drafted)s, 'x', %(admin)s, now())",
    ],
)
def test_database_keeps_what_is_published(version, problems, benchmark, admin, statement):
    publish(version, admin)
    actions.withdraw_item(item=version.items.get(problem=problems[0]), reason="Wrong.", by=admin)
    draft = actions.make_draft(benchmark=benchmark, by=admin)
    keys = {
        "version": version.pk,
        "draft": draft.pk,
        "item": version.items.get(problem=problems[1]).pk,
        "drafted": draft.items.get(problem=problems[1]).pk,
        "admin": admin.pk,
    }

    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, keys)


def test_item_is_a_revision_of_its_problem_in_its_benchmark(version, problems, admin):
    other = Benchmark.objects.create(name="Other", slug="other")
    elsewhere = BenchmarkVersion.objects.create(benchmark=other, number=1)
    item = version.items.get(problem=problems[0])

    for change in (
        {"version": elsewhere},
        {"revision": problems[1].accepted_revision},
        {"revision": Problem.objects.get(pk=problems[1].pk).revisions.create(number=2)},
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            VersionItem.objects.filter(pk=item.pk).update(**change)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_publish_at_once_one_does(version, admin):
    barrier = Barrier(2)
    refused: list[str] = []

    def run() -> None:
        barrier.wait()
        try:
            actions.publish(version=version, by=admin)
        except CannotChange as error:
            refused.append(str(error))
        finally:
            connection.close()

    threads = [Thread(target=run) for _number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(refused) == 1
    assert BenchmarkVersion.objects.get().is_published


def test_newest_published_version_is_the_current_one(version, problems, benchmark, admin):
    publish(version, admin)
    actions.make_draft(benchmark=benchmark, by=admin)

    assert list(BenchmarkVersion.objects.current()) == [version]
    assert publish_version(benchmark) == version
