from collections import defaultdict
from typing import Any

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.contrib.postgres.indexes import GistIndex, OpClass
from django.db import migrations, models

from curation.reviewing.rounds.disagreement import describe


def measure_what_is_there(apps: Any, schema_editor: Any) -> None:
    """Measure the rounds that were reviewed before there was a measure."""
    Review = apps.get_model("curation", "Review")
    BlindSolve = apps.get_model("curation", "BlindSolve")
    RoundDisagreement = apps.get_model("curation", "RoundDisagreement")
    said: defaultdict[int, dict[int, tuple[str, dict[str, Any]]]] = defaultdict(dict)
    rows = Review.objects.order_by("number").values_list(
        "round_id", "reviewer_id", "recommendation", "answers"
    )
    for round_id, reviewer_id, recommendation, answers in rows.iterator():
        # The newest of each reviewer counts.
        said[round_id][reviewer_id] = recommendation, answers
    solves: defaultdict[int, list[str]] = defaultdict(list)
    for round_id, outcome in BlindSolve.objects.values_list("round_id", "outcome").iterator():
        solves[round_id].append(outcome)
    questions = dict(
        apps.get_model("curation", "ReviewRound").objects.values_list("pk", "questions")
    )
    RoundDisagreement.objects.bulk_create(
        [
            RoundDisagreement(
                round_id=round_id,
                **describe(
                    said.get(round_id, {}).values(), solves.get(round_id, []), questions[round_id]
                ),
            )
            for round_id in sorted({*said, *solves})
        ],
        batch_size=1000,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0009_exposures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RoundDisagreement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recommendations", models.FloatField(default=0.0)),
                ("answers", models.FloatField(default=0.0)),
                ("solves", models.FloatField(default=0.0)),
                (
                    "total",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("recommendations"), "+", models.F("answers")
                            ),
                            "+",
                            models.F("solves"),
                        ),
                        output_field=models.FloatField(),
                    ),
                ),
                ("accept", models.PositiveIntegerField(default=0)),
                ("revise", models.PositiveIntegerField(default=0)),
                ("reject", models.PositiveIntegerField(default=0)),
                ("agreeing", models.PositiveIntegerField(default=0, help_text="Blind solves.")),
                ("differing", models.PositiveIntegerField(default=0, help_text="Blind solves.")),
                (
                    "round",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disagreement",
                        to="curation.reviewround",
                    ),
                ),
            ],
            options={
                "ordering": ["-total", "-round"],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        help_text="1, and one more for each later one."
                    ),
                ),
                (
                    "step",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("CREATE", "drafted"),
                            ("IMPORT", "imported as published"),
                            ("SUBMIT", "submitted for review"),
                            ("WITHDRAW", "withdrawn from review"),
                            ("PASS", "passed a stage of review"),
                            ("ACCEPT", "accepted"),
                            ("RETURN", "returned to its author"),
                            ("REJECT", "rejected"),
                            ("REOPEN", "reopened to be corrected"),
                            ("KEEP", "kept as it was accepted"),
                            ("RETIRE", "retired"),
                        ],
                        help_text="What became of the round by it; empty where it only says what was learned.",
                        max_length=20,
                    ),
                ),
                ("finding", models.TextField(help_text="What was decided, or learned.")),
                ("reason", models.TextField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="curation.reviewround",
                    ),
                ),
            ],
            options={
                "ordering": ["round", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("round", "number"), name="one_adjudication_a_round_and_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("step", ""), _negated=True),
                        fields=("round",),
                        name="one_deciding_adjudication_a_round",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finding", ""), _negated=True),
                            models.Q(("reason", ""), _negated=True),
                            ("step__in", ["", "PASS", "ACCEPT", "RETURN", "REJECT"]),
                        ),
                        name="adjudication_says_what_and_why",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="adjudication",
            trigger=pgtrigger.compiler.Trigger(
                name="adjudication_is_append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="651354e9157673e04c376369fe723aa0d932522a",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_adjudication_is_append_only_c2f63",
                    table="curation_adjudication",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="rounddisagreement",
            index=models.Index(
                models.OrderBy(models.F("total"), descending=True),
                models.OrderBy(models.F("round"), descending=True),
                name="most_disagreement_first",
            ),
        ),
        migrations.AddConstraint(
            model_name="rounddisagreement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("answers__range", (0, 100)),
                    ("recommendations__range", (0, 100)),
                    ("solves__range", (0, 100)),
                ),
                name="parts_of_disagreement_are_percentages",
            ),
        ),
        migrations.AddIndex(
            model_name="revision",
            index=GistIndex(
                OpClass("statement", name="gist_trgm_ops(siglen=256)"),
                name="statements_by_likeness",
            ),
        ),
        # Last: a table with rows to be checked at the end of the transaction can't be changed.
        migrations.RunPython(measure_what_is_there, migrations.RunPython.noop),
    ]
