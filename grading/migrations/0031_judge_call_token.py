from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("grading", "0030_draft_version"),
    ]

    operations = [
        migrations.AddField(
            model_name="judgecall",
            name="token",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The code that the reply has to bear.",
                max_length=20,
            ),
            preserve_default=False,
        ),
        migrations.RemoveField(model_name="judgeitem", name="call_id"),
    ]
