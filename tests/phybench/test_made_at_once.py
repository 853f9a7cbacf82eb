"""Tables made at once are those that Django makes step by step."""

import re

import pytest
from django.core.management import call_command
from django.db import connection, migrations, models, transaction
from django.db.migrations.state import ProjectState
from pgtrigger.compiler import Trigger, UpsertTriggerSql
from pgtrigger.migrations import AddTrigger

from phybench.work.made_at_once import MadeAtOnce

pytestmark = pytest.mark.django_db

OPERATIONS = [
    migrations.CreateModel(
        "Shelf",
        [("id", models.BigAutoField(primary_key=True)), ("place", models.IntegerField())],
    ),
    migrations.CreateModel(
        "Book",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("title", models.CharField(max_length=40)),
            ("shelf", models.ForeignKey("library.Shelf", models.PROTECT, related_name="books")),
            ("others", models.ManyToManyField("library.Shelf", related_name="+")),
        ],
    ),
    # In a circle: step by step it can't be made with its table.
    migrations.AddField(
        "shelf", "first", models.ForeignKey("library.Book", models.PROTECT, related_name="+")
    ),
    AddTrigger(
        "book",
        Trigger(
            name="book_stays",
            sql=UpsertTriggerSql(
                func="RAISE EXCEPTION 'it stays';",
                hash="1",
                operation="DELETE",
                pgid="book_stays",
                table="library_book",
                when="BEFORE",
            ),
        ),
    ),
    migrations.AddIndex("book", models.Index(fields=["-title"], name="books_by_title")),
    migrations.AddConstraint(
        "book", models.UniqueConstraint(fields=["shelf", "title"], name="one_book_a_title")
    ),
    migrations.AddConstraint(
        "shelf", models.CheckConstraint(condition=models.Q(place__gt=0), name="place_from_one")
    ),
    migrations.AddConstraint(
        "shelf",
        models.UniqueConstraint(
            fields=["place"], condition=models.Q(first=1), name="one_first_a_place"
        ),
    ),
    migrations.RunSQL("ALTER TABLE library_book ADD CHECK (length(title) > 2)"),
    migrations.RunPython(
        lambda apps, editor: apps.get_model("library", "Shelf").objects.filter(first__title="")
    ),
]
CATALOGUE = """
    SELECT 'column', table_name || '.' || column_name,
        concat(data_type, is_nullable, character_maximum_length)
    FROM information_schema.columns WHERE table_name LIKE 'library%'
    UNION SELECT 'constraint', conname, conrelid::regclass || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE conrelid::regclass::text LIKE 'library%'
    UNION SELECT 'index', indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'library%'
    UNION SELECT 'trigger', tgname, pg_get_triggerdef(oid)
    FROM pg_trigger WHERE tgrelid::regclass::text LIKE 'library%' AND NOT tgisinternal
"""


MORE = [
    migrations.CreateModel("Loan", [("id", models.BigAutoField(primary_key=True))]),
    migrations.AddField(
        "book", "last", models.ForeignKey("library.Loan", models.PROTECT, null=True)
    ),
    migrations.AlterField("book", "title", models.CharField(max_length=80)),
    migrations.AddField("loan", "book", models.ForeignKey("library.Book", models.PROTECT)),
    migrations.AddConstraint(
        "book", models.UniqueConstraint(fields=["last"], name="one_last_of_a_book")
    ),
    migrations.RemoveConstraint("shelf", "place_from_one"),
    migrations.RenameField("shelf", "place", "number"),
]
"""What comes later, to tables that are there and to a new one."""


@pytest.mark.parametrize("later", [[], MORE], ids=["new tables", "and later ones"])
def test_what_is_made_at_once_is_what_is_made_step_by_step(later):
    at_once = apply(MadeAtOnce, OPERATIONS, later)
    assert at_once == apply(migrations.Migration, OPERATIONS, later)
    assert {kind for kind, _name, _what in at_once} == {
        *("column", "constraint", "index", "trigger")
    }
    assert any(name == "library_book.last_id" for _kind, name, _what in at_once) == bool(later)


def apply(
    kind: type[migrations.Migration], *steps: list[migrations.operations.base.Operation]
) -> set[tuple[str, str, str]]:
    """Return the catalogue after some migrations, which are undone."""
    state = ProjectState()
    # Rendered, as it is once a migration of another app has been applied.
    assert state.apps
    with transaction.atomic():
        for operations in steps:
            migration = kind("0001_tables", "library")
            migration.operations = operations
            with connection.schema_editor() as editor:
                state = migration.apply(state, editor)
            assert {model.__name__ for model in state.apps.get_models()} >= {"Book", "Shelf"}
        with connection.cursor() as cursor:
            cursor.execute(CATALOGUE)
            found = {tuple(re.sub(r"\s+", " ", cell) for cell in row) for row in cursor}
        transaction.set_rollback(True)
    return found


SCHEMA = """
    SELECT 'column', table_name || '.' || column_name,
        concat_ws(' ', data_type, is_nullable, character_maximum_length, generation_expression)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION SELECT 'constraint', conname, conrelid::regclass || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION SELECT 'function', proname, prosrc FROM pg_proc
    WHERE oid IN (SELECT tgfoid FROM pg_trigger) AND pronamespace = 'public'::regnamespace
"""
"""Functions of triggers that are gone stay behind, and a column's NOT NULL keeps its first name."""
ROWS = """
    SELECT 'row' AS kind, concat_ws(' ', p.name, s.place, q.place) AS what,
        concat(to_jsonb(s) - 'id' - 'pipeline_id', to_jsonb(q) - 'id' - 'stage_id') AS said
    FROM curation_pipeline p LEFT JOIN curation_stage s ON s.pipeline_id = p.id
        LEFT JOIN curation_question q ON q.stage_id = s.id
    UNION SELECT 'row', kind, (to_jsonb(w) - 'id')::text FROM curation_contributionweight w
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_new_database_is_what_django_makes_step_by_step(monkeypatch):
    at_once = make_database()
    monkeypatch.setattr(MadeAtOnce, "apply", migrations.Migration.apply)
    assert make_database() == at_once


def make_database() -> set[tuple[str, str, str]]:
    """Return what is in a database of its own, migrated."""
    usual, name = connection.settings_dict["NAME"], f"{connection.settings_dict['NAME']}_migrated"
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        call_command("migrate", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute(f"{SCHEMA} UNION SELECT kind, what, said FROM ({ROWS}) AS rows")
            return {tuple(re.sub(r"\s+", " ", cell) for cell in row) for row in cursor}
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
        with connection.creation._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
