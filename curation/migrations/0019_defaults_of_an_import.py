from django.db import migrations, models

OF_NEW_PROBLEMS = "Of new problems whose row gives none."


class Migration(migrations.Migration):
    dependencies = [("curation", "0018_exposure_of_answers")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="domain",
            field=models.CharField(
                choices=[
                    ("MECHANICS", "mechanics"),
                    ("ELECTRICITY", "electricity"),
                    ("THERMODYNAMICS", "thermodynamics"),
                    ("OPTICS", "optics"),
                    ("MODERN", "modern physics"),
                    ("ADVANCED", "advanced physics"),
                    ("OTHER", "other"),
                ],
                default="OTHER",
                help_text=OF_NEW_PROBLEMS,
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="import",
            name="difficulty",
            field=models.CharField(
                blank=True,
                choices=[
                    ("HIGH_SCHOOL", "high school"),
                    ("UNDERGRADUATE", "undergraduate"),
                    ("OLYMPIAD", "olympiad"),
                ],
                default="",
                help_text=OF_NEW_PROBLEMS,
                max_length=20,
            ),
        ),
    ]
