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
# As curation/reviewing/pipelines/shipped.py has them today, which may change while this may not.
PIPELINES: dict[str, list[dict[str, Any]]] = {
    "One review": [{"name": "Review", "questions": []}],
    "Screening, ambiguity, final solving": [
        {
            "name": "Screening",
            "instructions": "Is this a problem for the benchmark at all? You need not solve it.",
            "due_days": 7,
            "asks_again": False,
            "questions": [
                ("Is it well formed: complete sentences, formulas that are drawn?", "YES_NO"),
                ("Can it be understood from its text alone, without a figure?", "YES_NO"),
                ("Does it ask for one expression, in symbols that it names?", "YES_NO"),
                ("Is its level as stated?", "YES_NO"),
                ("Is the scenario a real one: could it happen as described?", "YES_NO"),
            ],
            # So that three reviewers suffice: who screened may solve it later.
            "shows_key": False,
        },
        {
            "name": "Ambiguity",
            "instructions": "Could somebody who knows the physics read it in another way? Look at "
            "what models answered: where they differ from the reference, is it their mistake?",
            "shows_answers": True,
            "due_days": 14,
            "questions": [
                ("Does the statement allow one reading only?", "YES_NO"),
                ("How clear is it? 5 is best.", "SCALE"),
            ],
        },
        {
            "name": "Final solving",
            "instructions": "Solve it with what is stated, as a participant would.",
            "rule": "BLIND_SOLVES",
            "is_blind": True,
            "reviews_needed": 2,
            "solves_needed": 2,
            "due_days": 14,
            "questions": [
                ("Does the solution lead to the answer without a gap?", "YES_NO"),
                ("How hard was it? 5 is hardest.", "SCALE"),
            ],
        },
    ],
}
DEFAULT = "Screening, ambiguity, final solving"


def make_weights(apps: Any, schema_editor: Any) -> None:
    Weight = apps.get_model("curation", "ContributionWeight")
    Weight.objects.bulk_create(
        [Weight(kind=kind, points=points) for kind, points in POINTS.items()]
    )


def make_pipelines(apps: Any, schema_editor: Any) -> None:
    Pipeline = apps.get_model("curation", "Pipeline")
    Question = apps.get_model("curation", "Question")
    Stage = apps.get_model("curation", "Stage")
    for name, stages in PIPELINES.items():
        pipeline = Pipeline.objects.create(name=name, is_default=name == DEFAULT)
        for place, terms in enumerate(stages, start=1):
            fields = {key: value for key, value in terms.items() if key != "questions"}
            stage = Stage.objects.create(pipeline=pipeline, place=place, **fields)
            for number, (text, kind) in enumerate(terms["questions"], start=1):
                Question.objects.create(stage=stage, place=number, text=text, kind=kind)


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
    migrations.RunPython(make_pipelines, migrations.RunPython.noop),
    migrations.RunSQL(WRITERS_STAY, migrations.RunSQL.noop),
]
