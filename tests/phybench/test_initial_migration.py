"""Tables made at once are those that Django makes step by step."""

import re

import pytest
from django.db import connection, migrations, models, transaction
from django.db.migrations.state import ProjectState
from pgtrigger.compiler import Trigger, UpsertTriggerSql
from pgtrigger.migrations import AddTrigger

from phybench.initial_migration import InitialMigration

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
    SELECT 'column', table_name || '.' || column_name, data_type || is_nullable
    FROM information_schema.columns WHERE table_name LIKE 'library%'
    UNION SELECT 'constraint', conname, conrelid::regclass || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE conrelid::regclass::text LIKE 'library%'
    UNION SELECT 'index', indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'library%'
    UNION SELECT 'trigger', tgname, pg_get_triggerdef(oid)
    FROM pg_trigger WHERE tgrelid::regclass::text LIKE 'library%' AND NOT tgisinternal
"""


def test_what_is_made_at_once_is_what_is_made_step_by_step():
    at_once = apply(InitialMigration)
    assert at_once == apply(migrations.Migration)
    assert {kind for kind, _name, _what in at_once} == {
        *("column", "constraint", "index", "trigger")
    }


def apply(kind: type[migrations.Migration]) -> set[tuple[str, str, str]]:
    """Return the catalogue after a migration, which is undone."""
    migration = kind("0001_tables", "library")
    migration.operations = OPERATIONS
    before = ProjectState()
    # Rendered, as it is once a migration of another app has been applied.
    assert before.apps
    with transaction.atomic():
        with connection.schema_editor() as editor:
            state = migration.apply(before, editor)
        assert {model.__name__ for model in state.apps.get_models()} >= {"Book", "Shelf"}
        with connection.cursor() as cursor:
            cursor.execute(CATALOGUE)
            found = {tuple(re.sub(r"\s+", " ", cell) for cell in row) for row in cursor}
        transaction.set_rollback(True)
    return found
