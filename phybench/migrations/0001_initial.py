import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

from phybench.migrations._by_hand import CACHE
from phybench.work.made_at_once import MadeAtOnce


class Migration(MadeAtOnce):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('display_name', models.CharField(help_text='Shown to others; need not be your own.', max_length=60, verbose_name='display name')),
                ('is_named', models.BooleanField(default=True, help_text='Otherwise you are listed there as “anonymous”. Problems you wrote still show your display name.', verbose_name='show my name among the contributors')),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('CONTRIBUTOR', 'contributor'), ('REVIEWER', 'reviewer'), ('PARTICIPANT', 'participant'), ('EVALUATOR', 'evaluator'), ('ADMIN', 'admin')], max_length=20), blank=True, default=list, help_text='Given by an admin.', size=None)),
                ('interface_language', models.CharField(blank=True, choices=[('en', 'English'), ('zh-hans', '简体中文')], max_length=10, verbose_name='language of the pages')),
                ('problem_language', models.CharField(blank=True, choices=[('en', 'English'), ('zh', 'Chinese')], help_text='Where a checked translation exists; otherwise the original.', max_length=10, verbose_name='language of problems')),
                ('uses_single_keys', models.BooleanField(default=True, help_text='The shortcuts printed beside choices and buttons work while the focus is in their form. Ctrl+Enter always submits the form.', verbose_name='keyboard shortcuts of one letter or digit')),
                ('expertise', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, size=None, verbose_name='fields of expertise')),
                ('review_languages', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('en', 'English'), ('zh', 'Chinese')], max_length=10), blank=True, default=list, size=None, verbose_name='languages they review in')),
                ('institution', models.CharField(blank=True, help_text='Where this person works or studies.', max_length=120, verbose_name='institution')),
                ('is_active', models.BooleanField(default=True, verbose_name='may sign in')),
                ('is_demo', models.BooleanField(default=False, verbose_name='made by the demo')),
                ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='joined')),
                ('last_seen_on', models.DateField(blank=True, editable=False, null=True, verbose_name='last seen')),
                ('sign_out_count', models.PositiveIntegerField(default=0, editable=False, help_text='How often all sessions of this person were ended at once.')),
                ('news_read_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, help_text='What happened since is new in their inbox.')),
                ('sits_until', models.DateTimeField(blank=True, editable=False, help_text='When this person’s session ends, the last of several; empty if none goes on.', null=True)),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='one_person_an_email'), models.CheckConstraint(condition=models.Q(('roles__contained_by', ['CONTRIBUTOR', 'REVIEWER', 'PARTICIPANT', 'EVALUATOR', 'ADMIN'])), name='roles_are_known'), models.CheckConstraint(condition=models.Q(('review_languages__contained_by', ['en', 'zh'])), name='review_languages_are_known')],
            },
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('day', models.DateField(blank=True, help_text='The day, if it is the daily e-mail; otherwise empty.', null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('begun_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('sent_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why the last try failed.')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mails', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'e-mail',
                'verbose_name_plural': 'e-mails',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='MailChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('when', models.CharField(choices=[('AT_ONCE', 'at once'), ('DAILY', 'once a day'), ('NEVER', 'never')], max_length=10)),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='mail_choices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'choice of e-mails',
                'verbose_name_plural': 'choices of e-mails',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='News',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(help_text='By which its kind finds what happened.', max_length=60)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('mail', models.ForeignKey(blank=True, help_text='Empty until an e-mail takes it up.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='news', to='phybench.mail')),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='news', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'lines to be sent by e-mail',
                'verbose_name_plural': 'lines to be sent by e-mail',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The program that uses it, so that you recognise it later.', max_length=60, verbose_name='name')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read problems, submissions, results and boards'), ('submit', 'upload answers and have them graded'), ('publish', 'publish and withdraw submissions')], max_length=10), size=None, verbose_name='permissions')),
                ('beginning', models.CharField(help_text='The name its owner gave it.', max_length=12, verbose_name='begins with')),
                ('sha256', models.CharField(editable=False, max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='made')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('last_used_on', models.DateField(blank=True, null=True, verbose_name='last used')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'token',
                'verbose_name_plural': 'tokens',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('kind', models.CharField(max_length=40)),
                ('subject', models.CharField(help_text='What it is done to: the number of a row, or a hash.', max_length=64)),
                ('title', models.CharField(max_length=300)),
                ('arguments', models.JSONField(blank=True, default=dict, help_text='What was asked for; empty once it has ended.')),
                ('language', models.CharField(default='en', help_text='Of the page on which it was begun: its outcome is described in it.', max_length=10)),
                ('done', models.PositiveIntegerField(default=0)),
                ('of', models.PositiveIntegerField(default=0, help_text='0 while that is not known.')),
                ('begun_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('outcome', models.CharField(blank=True, choices=[('DONE', 'done'), ('REFUSED', 'not done'), ('LOST', 'our workers stopped')], max_length=10)),
                ('said', models.TextField(blank=True, help_text='The outcome, in a sentence.')),
                ('leads_to', models.CharField(help_text='The page of its result; until then, the one it was begun on.', max_length=300)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'job',
                'verbose_name_plural': 'jobs',
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('ended_at', None)), fields=['priority', 'queued_at', 'id'], name='jobs_not_ended')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('kind', 'subject'), name='one_open_job_a_subject'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('outcome', '')), models.Q(('ended_at__isnull', False), ('outcome__in', ['DONE', 'REFUSED', 'LOST'])), _connector='OR'), name='job_that_ended_has_an_outcome')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='job',
            trigger=pgtrigger.compiler.Trigger(name='job_stays_what_was_begun', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."subject" IS DISTINCT FROM (NEW."subject") OR OLD."by_id" IS DISTINCT FROM (NEW."by_id") OR OLD."title" IS DISTINCT FROM (NEW."title") OR OLD."language" IS DISTINCT FROM (NEW."language") OR OLD."begun_at" IS DISTINCT FROM (NEW."begun_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4ca39674c717d7e93a0e66c356adc6decba1a99e', operation='UPDATE', pgid='pgtrigger_job_stays_what_was_begun_b0ca6', table='phybench_job', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='mail',
            index=models.Index(condition=models.Q(('failed_at', None), ('sent_at', None)), fields=['priority', 'queued_at', 'id'], name='mails_not_sent'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.UniqueConstraint(condition=models.Q(('day__isnull', False)), fields=('person', 'day'), name='one_mail_of_the_day'),
        ),
        migrations.AddConstraint(
            model_name='mail',
            constraint=models.CheckConstraint(condition=models.Q(('sent_at', None), ('failed_at', None), _connector='OR'), name='mail_is_sent_or_failed'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='mail',
            trigger=pgtrigger.compiler.Trigger(name='mail_stays_to_whom_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."day" IS DISTINCT FROM (NEW."day") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='cf4d67a71f743ec62b8705a277232c005b03c933', operation='UPDATE', pgid='pgtrigger_mail_stays_to_whom_it_is_39328', table='phybench_mail', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='mailchoice',
            constraint=models.UniqueConstraint(fields=('person', 'kind'), name='one_mail_choice_a_kind'),
        ),
        migrations.AddIndex(
            model_name='news',
            index=models.Index(condition=models.Q(('mail', None)), fields=['id'], name='news_in_no_mail'),
        ),
        migrations.AddConstraint(
            model_name='news',
            constraint=models.UniqueConstraint(fields=('person', 'kind', 'key'), name='news_is_told_once'),
        ),
        migrations.AddConstraint(
            model_name='token',
            constraint=models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'submit', 'publish']), models.Q(('scopes', []), _negated=True)), name='scopes_are_known'),
        ),
        migrations.AddConstraint(
            model_name='token',
            constraint=models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('made_at'))), name='token_expires_after_it_is_made'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='token',
            trigger=pgtrigger.compiler.Trigger(name='token_stays_what_it_was_made', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."scopes" IS DISTINCT FROM (NEW."scopes") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."beginning" IS DISTINCT FROM (NEW."beginning") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at") OR OLD."expires_at" IS DISTINCT FROM (NEW."expires_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='94a14d3258fccd0199f7558c79032f20fa758d8c', operation='UPDATE', pgid='pgtrigger_token_stays_what_it_was_made_56d71', table='phybench_token', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='token',
            trigger=pgtrigger.compiler.Trigger(name='token_is_revoked_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."revoked_at" IS NOT NULL AND OLD."revoked_at" IS DISTINCT FROM (NEW."revoked_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ad281738c64532d4626c44780243942ce3840e2d', operation='UPDATE', pgid='pgtrigger_token_is_revoked_for_good_237af', table='phybench_token', when='BEFORE')),
        ),
        CACHE,
    ]
