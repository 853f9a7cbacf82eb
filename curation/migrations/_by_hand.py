"""
What `makemigrations` does not write of the first migration.

Until a version is tagged, who changes a table makes all of them anew: remove `0001_initial.py` of
the three apps, run `dev.py manage makemigrations -n initial phybench curation grading`, and put
back what is by hand: here `*BEFORE` first and `*AFTER` last among the operations, in phybench
`CACHE` last, and in all three `MadeAtOnce`. The files stay as they are written but for that.
"""

from typing import Any

from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations

POINTS = {
    "AUTHORED": 10,
    "SUPPLIED": 5,
    "REVISED": 2,
    "REVIEWED": 3,
    "SOLVED": 1,
    "TRANSLATED": 4,
    "FOUND_ERROR": 3,
}


def make_weights(apps: Any, schema_editor: Any) -> None:
    Weight = apps.get_model("curation", "ContributionWeight")
    Weight.objects.bulk_create(
        [Weight(kind=kind, points=points) for kind, points in POINTS.items()]
    )


# The table between is Django's own, so no model can name this trigger.
WRITERS_STAY = """
    CREATE FUNCTION writers_of_a_submitted_revision_stay() RETURNS trigger AS $$
        BEGIN
            IF EXISTS (
                SELECT FROM curation_revision
                WHERE id IN (NEW.revision_id, OLD.revision_id) AND submitted_at IS NOT NULL
            )
            THEN RAISE EXCEPTION 'pgtrigger: Cannot change who wrote a submitted revision';
            END IF;
            RETURN COALESCE(NEW, OLD);
        END;
    $$ LANGUAGE plpgsql;
    CREATE TRIGGER writers_of_a_submitted_revision_stay
        BEFORE INSERT OR UPDATE OR DELETE ON curation_revision_writers
        FOR EACH ROW EXECUTE FUNCTION writers_of_a_submitted_revision_stay();
"""

# An index of statements is made with it.
BEFORE = [TrigramExtension()]
AFTER = [
    migrations.RunPython(make_weights, migrations.RunPython.noop),
    migrations.RunSQL(WRITERS_STAY, migrations.RunSQL.noop),
]
