"""What PostgreSQL keeps to find rows by."""

from django.apps import apps
from django.db import connection

OURS = ("phybench", "curation", "grading")
REDUNDANT = """
    SELECT leaner.indrelid::regclass::text, leaner.indexrelid::regclass::text
    FROM pg_index AS leaner
    JOIN pg_index AS key
        ON key.indrelid = leaner.indrelid AND key.indexrelid <> leaner.indexrelid
    JOIN pg_class AS leaner_class ON leaner_class.oid = leaner.indexrelid
    JOIN pg_class AS key_class ON key_class.oid = key.indexrelid
    WHERE NOT leaner.indisunique AND leaner.indpred IS NULL AND leaner.indexprs IS NULL
        AND key.indisunique AND key.indpred IS NULL AND key.indexprs IS NULL
        AND leaner_class.relam = key_class.relam
        -- Columns, and by what operators each is compared. These arrays begin at 0, slices at 1.
        AND (leaner.indkey::int2[])[0:leaner.indnkeyatts - 1]
            = (key.indkey::int2[])[0:leaner.indnkeyatts - 1]
        AND (leaner.indclass::oid[])[0:leaner.indnkeyatts - 1]
            = (key.indclass::oid[])[0:leaner.indnkeyatts - 1]
"""


def test_no_index_is_the_beginning_of_a_whole_unique_key(db: None) -> None:
    """A foreign key of such a model says `db_index=False`; under a conditional key it needs one."""
    tables = {
        model._meta.db_table for app in OURS for model in apps.get_app_config(app).get_models()
    }
    with connection.cursor() as cursor:
        cursor.execute(REDUNDANT)
        found = set(cursor.fetchall())
    # It looks in the right place: Django's own tables have some.
    assert any(table not in tables for table, _index in found)
    assert not {(table, index) for table, index in found if table in tables}
