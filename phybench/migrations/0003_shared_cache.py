from django.db import migrations

from phybench.migrations._by_hand import CACHE


class Migration(migrations.Migration):
    dependencies = [("phybench", "0002_single_keys")]

    operations = [CACHE]
