from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("grading", "0004_judge_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="keycheck",
            name="blind_solves",
            field=models.PositiveIntegerField(
                default=0, help_text="Reviewers among the solvers: those who solved it blind."
            ),
        ),
        migrations.AlterField(
            model_name="keycheck",
            name="groups",
            field=models.JSONField(
                default=list,
                help_text="Equal answers: latex, solvers, blind_solves, answers, is_key.",
            ),
        ),
        migrations.AlterField(
            model_name="keycheck",
            name="solvers",
            field=models.PositiveIntegerField(
                default=0, help_text="Models, participants, and reviewers who solved it blind."
            ),
        ),
    ]
