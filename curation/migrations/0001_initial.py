import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

import phybench.pages.sentences
from curation.migrations._by_hand import AFTER, BEFORE
from phybench.work.made_at_once import MadeAtOnce


class Migration(MadeAtOnce):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        *BEFORE,
        migrations.CreateModel(
            name='Pipeline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('how', models.CharField(choices=[('BY_HAND', 'by an admin'), ('BY_RULE', 'by a rule'), ('TAKEN', 'taken from the open queue')], max_length=20)),
                ('assigned_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('state', models.CharField(choices=[('OPEN', 'open'), ('DONE', 'done'), ('DECLINED', 'declined'), ('REVOKED', 'withdrawn'), ('ENDED', 'ended with its stage')], default='OPEN', max_length=20)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, help_text='Why the app withdrew it.', null=True)),
                ('reason', models.TextField(blank=True, help_text='Why it was declined or withdrawn.')),
                ('assigned_by', models.ForeignKey(help_text='The admin, or the reviewer who took it.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, help_text='Empty if it ended with its stage.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('instead_of', models.OneToOneField(blank=True, help_text='The earlier request that this one replaces.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='passed_on_as', to='curation.assignment')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['assigned_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Benchmark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, unique=True)),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('is_demo', models.BooleanField(default=False, verbose_name='made by the demo')),
                ('goal', models.PositiveIntegerField(blank=True, help_text='How many problems are to be accepted. Leave empty for no goal.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='goal')),
                ('deadline', models.DateField(blank=True, help_text='The last day on which the goal can be reached.', null=True, verbose_name='deadline')),
                ('put_off', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), blank=True, default=list, help_text='Steps of the overview that an admin goes on without.', size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['is_demo', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('goal', None), ('goal__gt', 0), _connector='OR'), name='goal_is_positive')],
            },
        ),
        migrations.CreateModel(
            name='BenchmarkVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Of this benchmark’s versions, from 1.')),
                ('changes', models.TextField(blank=True, help_text='Since the previous version. Shown on the version’s page.', max_length=4000, verbose_name='what changed')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('published_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('salt', models.CharField(blank=True, editable=False, help_text='Secret: with it, the hashes of reference answers can be checked, and reference answers guessed.', max_length=64)),
                ('sha256', models.CharField(blank=True, editable=False, help_text='Of all its items, in their order.', max_length=64)),
                ('benchmark', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='curation.benchmark')),
                ('made_by', models.ForeignKey(blank=True, help_text='Empty if a command did it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'benchmark version',
                'ordering': ['benchmark', '-number'],
            },
        ),
        migrations.CreateModel(
            name='ContributionWeight',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('AUTHORED', 'authored'), ('SUPPLIED', 'supplied'), ('REVISED', 'revised'), ('REVIEWED', 'reviewed'), ('SOLVED', 'solved'), ('TRANSLATED', 'translated'), ('FOUND_ERROR', 'found an error')], max_length=20, unique=True)),
                ('points', models.PositiveIntegerField(verbose_name='points')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['AUTHORED', 'SUPPLIED', 'REVISED', 'REVIEWED', 'SOLVED', 'TRANSLATED', 'FOUND_ERROR'])), name='weight_kind_is_known'), models.CheckConstraint(condition=models.Q(('points__lte', 1000)), name='weight_is_reasonable')],
            },
        ),
        migrations.CreateModel(
            name='DomainGoal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(choices=[('MECHANICS', 'mechanics'), ('ELECTRICITY', 'electricity'), ('THERMODYNAMICS', 'thermodynamics'), ('OPTICS', 'optics'), ('MODERN', 'modern physics'), ('ADVANCED', 'advanced physics'), ('OTHER', 'other')], max_length=20, verbose_name='domain')),
                ('goal', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1)], verbose_name='goal')),
                ('benchmark', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='domain_goals', to='curation.benchmark')),
            ],
            options={
                'verbose_name': 'goal of a domain',
                'verbose_name_plural': 'goals of domains',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Download',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('format', models.CharField(choices=[('JSON', 'JSON list'), ('JSONL', 'JSON lines'), ('CSV', 'CSV'), ('DATASET', 'dataset for Hugging Face')], max_length=10)),
                ('fields', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None)),
                ('has_keys', models.BooleanField(help_text='Whether it holds answers or solutions.')),
                ('revisions', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), help_text='Which texts, by number.', size=None)),
                ('revisions_with_keys', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, size=None)),
                ('asked', models.TextField(blank=True, help_text='Which list, and how it was filtered.')),
                ('person', models.ForeignKey(blank=True, help_text='Empty if a command did it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='downloads', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ErrorReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row', models.CharField(blank=True, help_text='The model’s name, as it was written.', max_length=200)),
                ('secret_sha256', models.CharField(blank=True, editable=False, help_text='Hash of the secret with which a visitor reads the outcome.', max_length=64)),
                ('kind', models.CharField(choices=[('STATEMENT', 'the statement'), ('ANSWER', 'the answer'), ('SOLUTION', 'the solution'), ('OTHER', 'something else'), ('ROW', 'a row of the board')], max_length=10, verbose_name='where the error is')),
                ('message', phybench.pages.sentences.SentenceField(blank=True, help_text='What the app says before the text.', null=True)),
                ('text', models.TextField(verbose_name='what is wrong')),
                ('own_answer', models.TextField(blank=True, verbose_name='your own answer')),
                ('reported_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('outcome', models.CharField(blank=True, choices=[('NO_ERROR', 'no error'), ('STATEMENT_FIXED', 'statement or solution fixed'), ('KEY_FIXED', 'answer fixed'), ('WITHDRAWN', 'problem withdrawn'), ('ROW_FIXED', 'row corrected')], max_length=20, verbose_name='outcome')),
                ('reason', models.TextField(blank=True, help_text='Reason, or what was wrong if it was fixed.')),
                ('decided_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('closed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('benchmark', models.ForeignKey(blank=True, help_text='The benchmark whose board has the row; empty if a problem is reported.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.benchmark')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('reporter', models.ForeignKey(blank=True, help_text='Empty if a visitor reported it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='error_reports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-reported_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='FormerInstitution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('left_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='former_institutions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-left_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('purpose', models.CharField(choices=[('DRAFTS', 'drafts of my own'), ('PUBLISHED', 'published problems, accepted elsewhere')], max_length=20)),
                ('domain', models.CharField(choices=[('MECHANICS', 'mechanics'), ('ELECTRICITY', 'electricity'), ('THERMODYNAMICS', 'thermodynamics'), ('OPTICS', 'optics'), ('MODERN', 'modern physics'), ('ADVANCED', 'advanced physics'), ('OTHER', 'other')], default='OTHER', help_text='Of new problems whose row gives none.', max_length=20)),
                ('difficulty', models.CharField(blank=True, choices=[('HIGH_SCHOOL', 'high school'), ('UNDERGRADUATE', 'undergraduate'), ('OLYMPIAD', 'olympiad')], default='', help_text='Of new problems whose row gives none.', max_length=20)),
                ('problem_language', models.CharField(choices=[('en', 'English'), ('zh', 'Chinese')], default='en', help_text='Of new problems whose row gives none.', max_length=10)),
                ('language', models.CharField(default='en', help_text='Of the pages when it was uploaded: its rows are described in it.', max_length=10)),
                ('file_name', models.CharField(max_length=200)),
                ('file_sha256', models.CharField(max_length=64)),
                ('file_format', models.CharField(max_length=10)),
                ('unknown_fields', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, help_text='Named in the file, ignored.', size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('planned_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ordered_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('finished_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='imports', to='curation.benchmark')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='imports', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('email', models.EmailField(blank=True, help_text='Empty: for several.', max_length=254, verbose_name='e-mail address')),
                ('most', models.PositiveSmallIntegerField(default=1, help_text='How many people may join by it.')),
                ('name', models.CharField(blank=True, help_text='As the list had it.', max_length=60)),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('CONTRIBUTOR', 'contributor'), ('REVIEWER', 'reviewer'), ('PARTICIPANT', 'participant'), ('EVALUATOR', 'evaluator'), ('ADMIN', 'admin')], max_length=20), size=None)),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('zh-hans', '简体中文')], max_length=10)),
                ('invited_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why the last try failed.')),
                ('accepted_at', models.DateTimeField(blank=True, editable=False, help_text='When the last place was taken.', null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('benchmark', models.ForeignKey(blank=True, help_text='Where it leads to; roles are of the whole site.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitations', to='curation.benchmark')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('people', models.ManyToManyField(blank=True, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ['-invited_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='PersonChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('ROLES', 'roles changed'), ('DEACTIVATED', 'deactivated'), ('REACTIVATED', 'activated again'), ('INSTITUTION', 'institution changed'), ('CONFIRMED', 'address confirmed')], max_length=20)),
                ('how', models.CharField(choices=[('BY_ADMIN', 'by an admin'), ('ON_REQUEST', 'on request'), ('BY_INVITATION', 'by an invitation'), ('BY_THEMSELVES', 'by the person')], default='BY_ADMIN', max_length=20)),
                ('before', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, help_text='The roles, or the institution, until then.', size=None)),
                ('after', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=120), blank=True, default=list, size=None)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(help_text='Who did it; of an invitation, the admin who wrote it.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'change of a person',
                'verbose_name_plural': 'changes of people',
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Problem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('published_id', models.CharField(blank=True, help_text='Its id where it came from.', max_length=40, null=True, unique=True)),
                ('title', models.CharField(max_length=120, verbose_name='title')),
                ('domain', models.CharField(choices=[('MECHANICS', 'mechanics'), ('ELECTRICITY', 'electricity'), ('THERMODYNAMICS', 'thermodynamics'), ('OPTICS', 'optics'), ('MODERN', 'modern physics'), ('ADVANCED', 'advanced physics'), ('OTHER', 'other')], max_length=20, verbose_name='domain')),
                ('difficulty', models.CharField(blank=True, choices=[('HIGH_SCHOOL', 'high school'), ('UNDERGRADUATE', 'undergraduate'), ('OLYMPIAD', 'olympiad')], max_length=20, verbose_name='difficulty')),
                ('language', models.CharField(choices=[('en', 'English'), ('zh', 'Chinese')], default='en', help_text='What its author writes it in.', max_length=10, verbose_name='language')),
                ('status', models.CharField(choices=[('DRAFT', 'draft'), ('IN_REVIEW', 'in review'), ('RETURNED', 'returned'), ('ACCEPTED', 'accepted'), ('REJECTED', 'rejected'), ('RETIRED', 'retired')], default='DRAFT', max_length=20)),
                ('form_key', models.CharField(blank=True, editable=False, help_text='Id of the form it was first typed in: sent twice, it is one problem.', max_length=40)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('accepted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='problems', to=settings.AUTH_USER_MODEL)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='problems', to='curation.benchmark')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ImportRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='From 1.')),
                ('line', models.PositiveIntegerField(help_text='Where it begins in the file.')),
                ('identifier', models.CharField(blank=True, max_length=40)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('given', models.JSONField(blank=True, default=dict, help_text='What the file says.')),
                ('faults', models.JSONField(blank=True, default=list, help_text='What is wrong: field, message, code of the rule.')),
                ('action', models.CharField(blank=True, choices=[('CREATE', 'create'), ('UPDATE', 'update'), ('NOTHING', 'nothing to do'), ('REFUSE', 'refuse')], max_length=10)),
                ('changes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, help_text='Fields to change.', size=None)),
                ('values', models.JSONField(blank=True, default=dict, help_text='New values.')),
                ('note', models.TextField(blank=True)),
                ('state', models.CharField(blank=True, help_text='The problem as it was when this was planned.', max_length=64)),
                ('result', models.CharField(blank=True, choices=[('DONE', 'done'), ('REFUSED', 'refused')], max_length=10)),
                ('message', models.TextField(blank=True, help_text='Why it was not carried out.')),
                ('transfer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='curation.import')),
                ('problem', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='curation.problem')),
            ],
            options={
                'ordering': ['transfer_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Credit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('CO_AUTHOR', 'co-author'), ('SUPPLIER', 'supplier of the idea'), ('TRANSLATOR', 'translator')], max_length=20)),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('zh', 'Chinese')], help_text='The language a translator translates into; empty for others.', max_length=10)),
                ('given_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('accepted_at', models.DateTimeField(blank=True, editable=False, help_text='When the person accepted it; empty while it is only offered.', null=True)),
                ('removed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credits_given', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credits', to=settings.AUTH_USER_MODEL)),
                ('removed_by', models.ForeignKey(blank=True, help_text='Of an offer: who withdrew it, or the person, who declined it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='credits_removed', to=settings.AUTH_USER_MODEL)),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='credits', to='curation.problem')),
            ],
            options={
                'ordering': ['given_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Conflict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500, verbose_name='reason')),
                ('marked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('lifted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='conflicts_with', to=settings.AUTH_USER_MODEL)),
                ('lifted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('marked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='conflicts', to=settings.AUTH_USER_MODEL)),
                ('problem', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='conflicts', to='curation.problem')),
            ],
            options={
                'ordering': ['-marked_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('answer', models.TextField(verbose_name='reference answer')),
                ('declarations', models.JSONField(blank=True, default=list, help_text='Declared symbols: latex, sign, low, high.')),
                ('must_accept', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None)),
                ('must_reject', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None)),
                ('wanted', models.JSONField(blank=True, default=dict, help_text='What is asked: quantity, unit, terms, conditions.')),
                ('statement', models.TextField(blank=True, verbose_name='statement')),
                ('reference_sha256', models.CharField(max_length=64)),
                ('grader_version', models.CharField(max_length=40)),
                ('rows', models.JSONField(blank=True, default=list, help_text='All cases: kind, text, expected; once tried: outcome, reason, message, eed, seconds.')),
                ('left_out', models.JSONField(blank=True, default=list, help_text='Variants that made no case: kind, reason, text.')),
                ('passed', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('open', models.PositiveIntegerField(default=0, help_text='Undecided cases.')),
                ('outcome', models.CharField(blank=True, choices=[('PASSED', 'passed'), ('FAILED', 'failed'), ('OPEN', 'undecided')], max_length=10)),
                ('reason', models.CharField(blank=True, help_text='Why the cases could not be listed.', max_length=40)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('seconds', models.FloatField(default=0, help_text='Spent trying, over all workers.')),
                ('started_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('finished_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='certificates', to='curation.problem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ReportContact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=100)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('report', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='contact', to='curation.errorreport')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ReportReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', phybench.pages.sentences.SentenceField(blank=True, help_text='What the app says before the text.', null=True)),
                ('text', models.TextField(verbose_name='your reply')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='report_replies', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='replies', to='curation.errorreport')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Request',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(blank=True, choices=[('CONTRIBUTOR', 'contributor'), ('REVIEWER', 'reviewer'), ('PARTICIPANT', 'participant'), ('EVALUATOR', 'evaluator')], max_length=20)),
                ('institution', models.CharField(blank=True, help_text='Where the person says they work.', max_length=120)),
                ('note', models.CharField(blank=True, help_text='What the person says about it.', max_length=500, verbose_name='why')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('outcome', models.CharField(blank=True, choices=[('GRANTED', 'granted'), ('DECLINED', 'declined'), ('TAKEN_BACK', 'withdrawn')], max_length=20)),
                ('decided_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                ('benchmark', models.ForeignKey(blank=True, help_text='Where the person wants to work; roles are of the whole site.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.benchmark')),
                ('credit', models.ForeignKey(blank=True, help_text='What the person accepted, where that waits for an admin.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='curation.credit')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'request',
                'verbose_name_plural': 'requests',
                'ordering': ['asked_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(default=1, help_text='1 at first, raised each time the reviewer changes it.')),
                ('recommendation', models.CharField(choices=[('ACCEPT', 'accept'), ('REVISE', 'revise'), ('REJECT', 'reject')], max_length=20)),
                ('answers', models.JSONField(blank=True, default=dict, help_text='To the questions of the stage, by their ids.')),
                ('comment', models.TextField(blank=True)),
                ('submitted_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['submitted_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ReviewResponse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_done', models.BooleanField(help_text='Changed as the review asked; the newest counts.')),
                ('text', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='responses', to='curation.review')),
                ('writer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ReviewRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(default=1, help_text='The position of its stage in the review plan.')),
                ('reviews_needed', models.PositiveIntegerField(default=1)),
                ('solves_needed', models.PositiveSmallIntegerField(blank=True, help_text='Fewer agreeing blind solves than its stage asks for; empty: as many.', null=True)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('decision', models.CharField(blank=True, choices=[('CREATE', 'drafted'), ('IMPORT', 'imported as published'), ('SUBMIT', 'submitted for review'), ('WITHDRAW', 'withdrawn from review'), ('PASS', 'passed a stage of review'), ('ACCEPT', 'accepted'), ('RETURN', 'returned to its author'), ('REJECT', 'rejected'), ('ASK', 'asked of one more reviewer'), ('SHRINK', 'given a smaller review plan'), ('REOPEN', 'reopened for correction'), ('KEEP', 'correction abandoned'), ('RETIRE', 'retired')], max_length=20)),
                ('override_reason', models.TextField(blank=True)),
                ('carried_from', models.ForeignKey(blank=True, help_text='The stage of an earlier revision whose pass is still valid.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.reviewround')),
                ('decided_by', models.ForeignKey(blank=True, help_text='Who decided instead of the rule.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['opened_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ReviewDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('REVIEW', 'review'), ('SOLVE', 'blind solve')], max_length=10)),
                ('fields', models.JSONField(default=dict, help_text='The content of each field of the form.')),
                ('saved_at', models.DateTimeField(auto_now=True)),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='review_drafts', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='curation.reviewround')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='review',
            name='round',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='curation.reviewround'),
        ),
        migrations.CreateModel(
            name='BlindSolve',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('ANSWER', 'an answer'), ('AMBIGUOUS', 'it is ambiguous'), ('CANT_SOLVE', 'I can’t solve it'), ('NEEDS_FIGURE', 'it needs a figure')], max_length=20)),
                ('answer', models.TextField(blank=True)),
                ('reason', models.TextField(blank=True, help_text='Why there is no answer.')),
                ('outcome', models.CharField(choices=[('AGREES', 'agrees with the reference answer'), ('DISAGREES', 'differs from the reference answer'), ('NOT_TOLD', 'undecided'), ('NO_ANSWER', 'no answer was given')], max_length=20)),
                ('eed', models.FloatField(blank=True, null=True)),
                ('answer_read', models.TextField(blank=True)),
                ('answer_typed', models.TextField(blank=True)),
                ('not_told_reason', models.CharField(blank=True, max_length=40)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('grader_version', models.CharField(max_length=20)),
                ('solved_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='blind_solves', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='solves', to='curation.reviewround')),
            ],
            options={
                'ordering': ['solved_at', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='assignment',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='curation.reviewround'),
        ),
        migrations.CreateModel(
            name='AdminNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('writer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='admin_notes', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='admin_notes', to='curation.reviewround')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Adjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='1, and one more for each later one.')),
                ('step', models.CharField(blank=True, choices=[('CREATE', 'drafted'), ('IMPORT', 'imported as published'), ('SUBMIT', 'submitted for review'), ('WITHDRAW', 'withdrawn from review'), ('PASS', 'passed a stage of review'), ('ACCEPT', 'accepted'), ('RETURN', 'returned to its author'), ('REJECT', 'rejected'), ('ASK', 'asked of one more reviewer'), ('SHRINK', 'given a smaller review plan'), ('REOPEN', 'reopened for correction'), ('KEEP', 'correction abandoned'), ('RETIRE', 'retired')], help_text='Its effect on the review; empty if it is only a note.', max_length=20)),
                ('reason', models.TextField(help_text='Why it was decided so, or the note.')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='adjudications', to='curation.reviewround')),
            ],
            options={
                'ordering': ['round', 'number'],
            },
        ),
        migrations.CreateModel(
            name='ReviewSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('institutions_conflict', models.BooleanField(default=False, help_text='Reviewers and deciding admins then have a conflict of interest with each author and co-author of their institution. The institutions of the last two years count.', verbose_name='people of one institution must not review each other’s problems')),
                ('benchmark', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review_settings', to='curation.benchmark')),
                ('pipeline', models.ForeignKey(blank=True, help_text='The stages of review; empty: to be chosen at the first submission.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='curation.pipeline', verbose_name='review plan')),
            ],
            options={
                'verbose_name': 'review of a benchmark',
                'verbose_name_plural': 'review of benchmarks',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('statement', models.TextField(blank=True, verbose_name='statement')),
                ('answer', models.TextField(blank=True, verbose_name='reference answer')),
                ('solution', models.TextField(blank=True, verbose_name='solution')),
                ('quantity', models.CharField(blank=True, help_text='The F of “F = …”, in LaTeX.', max_length=200, verbose_name='what is asked')),
                ('unit', models.CharField(blank=True, max_length=40, verbose_name='unit')),
                ('terms', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, help_text='Symbols that the answer may contain.', size=None)),
                ('conditions', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, help_text='Relations between symbols.', size=None)),
                ('symbols', models.JSONField(blank=True, default=list, help_text='One row each: latex, meaning, unit, sign, low, high.', verbose_name='symbols')),
                ('left_out', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, help_text='Symbols that the author removed from the table.', size=None)),
                ('exact', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, help_text='Fractions of the answer, as 157/100, that its author says are exact.', size=None)),
                ('must_accept', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None)),
                ('must_reject', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None)),
                ('adaptation', models.CharField(blank=True, choices=[('ORIGINAL', 'my own: not adapted'), ('IDEA', 'the idea is from the source, the scenario is new'), ('CHANGED', 'same scenario, another question or other conditions'), ('REWORDED', 'same question, reworded or with other symbols')], help_text='Empty where its author does not say.', max_length=20, verbose_name='how far it is adapted')),
                ('source', models.CharField(blank=True, help_text='Book, paper, contest or address, with the number of the problem.', max_length=300, verbose_name='adapted from')),
                ('reason', models.CharField(blank=True, help_text='Why there is a new revision.', max_length=300, verbose_name='reason')),
                ('broken_rules', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text='Rules for reference answers that a published problem breaks; it is graded as it is.', size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('saved_at', models.DateTimeField(auto_now=True)),
                ('submitted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('problem', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='curation.problem')),
                ('writers', models.ManyToManyField(blank=True, help_text='Who saved it while it was a draft.', related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['problem', 'number'],
            },
        ),
        migrations.AddField(
            model_name='reviewround',
            name='revision',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', related_query_name='round', to='curation.revision'),
        ),
        migrations.AddField(
            model_name='problem',
            name='accepted_revision',
            field=models.ForeignKey(blank=True, editable=False, help_text='What answers are graded against: the one that was accepted last.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision'),
        ),
        migrations.CreateModel(
            name='Exposure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.CharField(choices=[('STATEMENT', 'statement'), ('ANSWER', 'answer'), ('SOLUTION', 'solution'), ('VERDICT', 'verdict')], max_length=10)),
                ('reason', models.CharField(choices=[('READ', 'read the problem'), ('COMPARE', 'compared texts'), ('EDIT', 'wrote the next revision'), ('TRANSLATE', 'translated it, or checked that'), ('REVIEW', 'reviewed it'), ('SOLVE', 'solved it blind'), ('ANSWER', 'answered it'), ('SIT', 'answered it in a study'), ('GRADE', 'read the grade of an answer'), ('TRIAL', 'read models’ answers to it'), ('DOUBT', 'looked at a doubtful reference answer'), ('ADJUDICATE', 'looked at a split between its reviews'), ('RULE', 'ruled on an answer, or read what a judge said of one'), ('AUDIT', 'labelled answers of a check sample, or read its results'), ('FIRST_ERROR', 'labelled first errors, or read the results'), ('REPORT', 'reported an error, or read of one'), ('EXPORT', 'exported it as a file'), ('BACK_OFFICE', 'looked at it in the back office')], max_length=20)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('slot', models.DateTimeField(editable=False, help_text='Start of the ten minutes in which it happened.')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exposures', to=settings.AUTH_USER_MODEL)),
                ('revision', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='exposures', to='curation.revision')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('CREATE', 'drafted'), ('IMPORT', 'imported as published'), ('SUBMIT', 'submitted for review'), ('WITHDRAW', 'withdrawn from review'), ('PASS', 'passed a stage of review'), ('ACCEPT', 'accepted'), ('RETURN', 'returned to its author'), ('REJECT', 'rejected'), ('ASK', 'asked of one more reviewer'), ('SHRINK', 'given a smaller review plan'), ('REOPEN', 'reopened for correction'), ('KEEP', 'correction abandoned'), ('RETIRE', 'retired')], max_length=20)),
                ('from_status', models.CharField(blank=True, choices=[('DRAFT', 'draft'), ('IN_REVIEW', 'in review'), ('RETURNED', 'returned'), ('ACCEPTED', 'accepted'), ('REJECTED', 'rejected'), ('RETIRED', 'retired')], max_length=20)),
                ('to_status', models.CharField(choices=[('DRAFT', 'draft'), ('IN_REVIEW', 'in review'), ('RETURNED', 'returned'), ('ACCEPTED', 'accepted'), ('REJECTED', 'rejected'), ('RETIRED', 'retired')], max_length=20)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, help_text='What the app says of this step.', null=True)),
                ('note', models.TextField(blank=True, help_text='What a person wrote about this step.')),
                ('is_override', models.BooleanField(default=False, help_text='An admin decided instead of the rule; the note says why.')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('actor', models.ForeignKey(blank=True, help_text='Empty if a rule or a command did it.', null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='curation.problem')),
                ('revision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='curation.revision')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='errorreport',
            name='revision',
            field=models.ForeignKey(blank=True, help_text='Empty if a row of a board is reported.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='error_reports', to='curation.revision'),
        ),
        migrations.CreateModel(
            name='Erratum',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_of_key', models.BooleanField(help_text='Whether the reference answer was wrong: grades made with it are marked.')),
                ('text', models.TextField(help_text='What was wrong. All readers of the problem see it.')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('report', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='erratum', to='curation.errorreport')),
                ('corrected_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrects', to='curation.revision', verbose_name='corrected by')),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='errata', to='curation.revision')),
            ],
            options={
                'verbose_name_plural': 'corrections',
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Contribution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('AUTHORED', 'authored'), ('SUPPLIED', 'supplied'), ('REVISED', 'revised'), ('REVIEWED', 'reviewed'), ('SOLVED', 'solved'), ('TRANSLATED', 'translated'), ('FOUND_ERROR', 'found an error')], max_length=20)),
                ('note', models.CharField(blank=True, help_text='The language of a translation; what error was found, and where it was told.', max_length=200)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='contributions', to=settings.AUTH_USER_MODEL)),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='contributions', to='curation.problem')),
                ('revision', models.ForeignKey(blank=True, help_text='Empty for contributions to the whole problem: authored, supplied.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='contributions', to='curation.revision')),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='RoundDisagreement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recommendations', models.FloatField(default=0.0)),
                ('answers', models.FloatField(default=0.0)),
                ('solves', models.FloatField(default=0.0)),
                ('total', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('recommendations'), '+', models.F('answers')), '+', models.F('solves')), output_field=models.FloatField())),
                ('accept', models.PositiveIntegerField(default=0)),
                ('revise', models.PositiveIntegerField(default=0)),
                ('reject', models.PositiveIntegerField(default=0)),
                ('agreeing', models.PositiveIntegerField(default=0, help_text='Blind solves.')),
                ('differing', models.PositiveIntegerField(default=0, help_text='Blind solves.')),
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='disagreement', to='curation.reviewround')),
            ],
            options={
                'ordering': ['-total', '-round'],
            },
        ),
        migrations.CreateModel(
            name='SetAside',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, help_text='Why it counts no more.', null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='set_aside', to='curation.reviewround')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('instructions', models.TextField(blank=True, help_text='What reviewers should check. Markdown.', verbose_name='instructions')),
                ('rule', models.CharField(choices=[('UNANIMOUS', 'All reviewers have to accept. Otherwise it returns to its author. If a reviewer rejects it, someone else decides.'), ('MAJORITY', 'More than half of the reviewers have to accept. Otherwise it returns to its author. If a reviewer rejects it, someone else decides.'), ('BLIND_SOLVES', 'All reviewers have to accept, and enough of them have to reach the reference answer on their own. If a reviewer rejects it or gets another answer, someone else decides.')], default='UNANIMOUS', max_length=20, verbose_name='rule')),
                ('solves_needed', models.PositiveSmallIntegerField(default=0, help_text='Only for the rule that counts blind solves: how many must agree. Otherwise 0.', verbose_name='agreeing solves needed')),
                ('is_blind', models.BooleanField(default=False, help_text='Reviewers solve it first, and only then see answer and solution.', verbose_name='blind')),
                ('shows_key', models.BooleanField(default=True, help_text='If not, reviewers see the statement alone, and can still solve the problem blind in a later stage.', verbose_name='shows answer and solution')),
                ('shows_answers', models.BooleanField(default=False, help_text='Beside the reference answer, to help spot ambiguity.', verbose_name='shows models’ answers')),
                ('is_open_to_all', models.BooleanField(default=True, help_text='Any reviewer may take it. If not, only reviewers who are asked.', verbose_name='open to all reviewers')),
                ('reveals_others', models.CharField(choices=[('AFTER_OWN', 'after one’s own review'), ('AFTER_ROUND', 'once the stage is closed')], default='AFTER_ROUND', max_length=20, verbose_name='others’ reviews are shown')),
                ('place', models.PositiveSmallIntegerField(help_text='1 comes first.', verbose_name='place')),
                ('reviews_needed', models.PositiveSmallIntegerField(blank=True, help_text='Leave empty to use the setting REVIEWS_PER_ROUND.', null=True, verbose_name='reviews needed')),
                ('due_days', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='due after days')),
                ('asks_again', models.BooleanField(default=True, help_text='A new revision must pass this stage again, even if an earlier one passed it.', verbose_name='asks again')),
                ('pipeline', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='curation.pipeline')),
            ],
            options={
                'ordering': ['pipeline', 'place'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text='1 comes first.', verbose_name='place')),
                ('text', models.CharField(max_length=200, verbose_name='text')),
                ('kind', models.CharField(choices=[('SCALE', '1 to 5'), ('YES_NO', 'yes or no')], default='YES_NO', max_length=10, verbose_name='kind')),
                ('is_required', models.BooleanField(default=True, verbose_name='required')),
                ('stage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='curation.stage')),
            ],
            options={
                'ordering': ['stage', 'place'],
            },
        ),
        migrations.CreateModel(
            name='StageVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('instructions', models.TextField(blank=True, help_text='What reviewers should check. Markdown.', verbose_name='instructions')),
                ('rule', models.CharField(choices=[('UNANIMOUS', 'All reviewers have to accept. Otherwise it returns to its author. If a reviewer rejects it, someone else decides.'), ('MAJORITY', 'More than half of the reviewers have to accept. Otherwise it returns to its author. If a reviewer rejects it, someone else decides.'), ('BLIND_SOLVES', 'All reviewers have to accept, and enough of them have to reach the reference answer on their own. If a reviewer rejects it or gets another answer, someone else decides.')], default='UNANIMOUS', max_length=20, verbose_name='rule')),
                ('solves_needed', models.PositiveSmallIntegerField(default=0, help_text='Only for the rule that counts blind solves: how many must agree. Otherwise 0.', verbose_name='agreeing solves needed')),
                ('is_blind', models.BooleanField(default=False, help_text='Reviewers solve it first, and only then see answer and solution.', verbose_name='blind')),
                ('shows_key', models.BooleanField(default=True, help_text='If not, reviewers see the statement alone, and can still solve the problem blind in a later stage.', verbose_name='shows answer and solution')),
                ('shows_answers', models.BooleanField(default=False, help_text='Beside the reference answer, to help spot ambiguity.', verbose_name='shows models’ answers')),
                ('is_open_to_all', models.BooleanField(default=True, help_text='Any reviewer may take it. If not, only reviewers who are asked.', verbose_name='open to all reviewers')),
                ('reveals_others', models.CharField(choices=[('AFTER_OWN', 'after one’s own review'), ('AFTER_ROUND', 'once the stage is closed')], default='AFTER_ROUND', max_length=20, verbose_name='others’ reviews are shown')),
                ('number', models.PositiveIntegerField(help_text='From 1, for each stage.')),
                ('stage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='curation.stage')),
            ],
            options={
                'ordering': ['stage', 'number'],
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='reviewround',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='curation.stageversion'),
        ),
        migrations.CreateModel(
            name='SubmitRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('saved_at', models.DateTimeField(help_text='When the draft was saved that is to be submitted.')),
                ('different_from', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, help_text='Problems much like it that the author has compared with it.', size=None)),
                ('outcome', models.CharField(blank=True, choices=[('SUBMITTED', 'submitted'), ('CHANGED', 'the draft was changed meanwhile'), ('NOT_CERTIFIED', 'its answer check does not allow it'), ('ALIKE', 'another problem is much like it'), ('REFUSED', "it can't be submitted now"), ('LOST', 'our workers stopped')], max_length=20)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('certificate', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='curation.certificate')),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submit_requests', to='curation.problem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Thread',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.CharField(choices=[('PROBLEM', 'the problem as a whole'), ('STATEMENT', 'statement'), ('ANSWER', 'reference answer'), ('SOLUTION', 'solution')], default='PROBLEM', max_length=20)),
                ('quote', models.TextField(blank=True)),
                ('prefix', models.TextField(blank=True, help_text='The text before the quote.')),
                ('suffix', models.TextField(blank=True, help_text='The text after the quote.')),
                ('start', models.PositiveIntegerField(default=0, help_text='In the source, in characters.')),
                ('end', models.PositiveIntegerField(default=0)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to='curation.reviewround')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('writer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to=settings.AUTH_USER_MODEL)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='curation.reviewround')),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='comments', to='curation.thread')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ThreadStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_resolved', models.BooleanField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='curation.thread')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Translation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(choices=[('en', 'English'), ('zh', 'Chinese')], max_length=10, verbose_name='language')),
                ('statement', models.TextField(blank=True, verbose_name='statement')),
                ('solution', models.TextField(blank=True, verbose_name='solution')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('saved_at', models.DateTimeField(auto_now=True)),
                ('checked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('checked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='translations_checked', to=settings.AUTH_USER_MODEL)),
                ('made_for', models.ForeignKey(blank=True, help_text='The earlier revision that the text was written for, if it was copied.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision')),
                ('revision', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='translations', to='curation.revision')),
                ('translators', models.ManyToManyField(blank=True, help_text='The people who wrote it for this revision.', related_name='translations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['revision', 'language'],
            },
        ),
        migrations.CreateModel(
            name='VersionItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('identifier', models.CharField(max_length=40)),
                ('is_hidden', models.BooleanField(default=False, help_text='Part of the hidden set, for which only one overall figure is shown.')),
                ('asked_sha256', models.CharField(help_text='Hash of what is shown to those who answer: statement, Find line, symbols.', max_length=64)),
                ('key_sha256', models.CharField(blank=True, help_text='Hash of the salt and everything that can change a grade.', max_length=64)),
                ('problem', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='version_items', to='curation.problem')),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='version_items', to='curation.revision')),
                ('version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='curation.benchmarkversion')),
            ],
            options={
                'ordering': ['version', 'problem'],
            },
        ),
        migrations.CreateModel(
            name='ItemWithdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(max_length=1000, verbose_name='reason')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='withdrawal', to='curation.versionitem')),
            ],
            options={
                'verbose_name': 'withdrawal of an item',
                'verbose_name_plural': 'withdrawals of items',
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='VersionQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(help_text='1 comes first.', verbose_name='place')),
                ('text', models.CharField(max_length=200, verbose_name='text')),
                ('kind', models.CharField(choices=[('SCALE', '1 to 5'), ('YES_NO', 'yes or no')], default='YES_NO', max_length=10, verbose_name='kind')),
                ('is_required', models.BooleanField(default=True, verbose_name='required')),
                ('key', models.CharField(help_text='The same in each version of the stage.', max_length=20)),
                ('version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='questions', to='curation.stageversion')),
            ],
            options={
                'ordering': ['version', 'place'],
            },
        ),
        migrations.AddConstraint(
            model_name='benchmarkversion',
            constraint=models.UniqueConstraint(fields=('benchmark', 'number'), name='one_benchmark_version_a_number'),
        ),
        migrations.AddConstraint(
            model_name='benchmarkversion',
            constraint=models.UniqueConstraint(condition=models.Q(('published_at', None)), fields=('benchmark',), name='at_most_one_draft_of_a_version'),
        ),
        migrations.AddConstraint(
            model_name='benchmarkversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('published_at', None), ('published_by', None), ('sha256', '')), models.Q(('published_at__isnull', False), models.Q(('sha256', ''), _negated=True), models.Q(('salt', ''), _negated=True)), _connector='OR'), name='published_version_has_its_hash'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='benchmarkversion',
            trigger=pgtrigger.compiler.Trigger(name='published_version_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."published_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='a8574f38c3bc4129b92f76fa5a10bac3e751635b', operation='UPDATE OR DELETE', pgid='pgtrigger_published_version_is_frozen_f04cf', table='curation_benchmarkversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='benchmarkversion',
            trigger=pgtrigger.compiler.Trigger(name='published_version_has_a_public_item', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."published_at" IS NOT NULL)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_versionitem\n                    WHERE version_id = NEW.id AND NOT is_hidden\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: published_version_has_a_public_item';\n            END IF;\n            RETURN NEW;\n        ", hash='390347bb92b7cbac8ef26e25bea463e4566ddcfe', operation='INSERT OR UPDATE', pgid='pgtrigger_published_version_has_a_public_item_0a3a8', table='curation_benchmarkversion', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='domaingoal',
            constraint=models.UniqueConstraint(fields=('benchmark', 'domain'), name='one_goal_a_domain'),
        ),
        migrations.AddConstraint(
            model_name='domaingoal',
            constraint=models.CheckConstraint(condition=models.Q(('goal__gt', 0)), name='domain_goal_is_positive'),
        ),
        migrations.AddConstraint(
            model_name='download',
            constraint=models.CheckConstraint(condition=models.Q(('has_keys', True), ('revisions_with_keys', []), _connector='OR'), name='download_with_keys_says_whose'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='download',
            trigger=pgtrigger.compiler.Trigger(name='download_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='317005345da36838f39fb80e029d1f92126ef7a8', operation='UPDATE OR DELETE', pgid='pgtrigger_download_is_append_only_1551f', table='curation_download', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='formerinstitution',
            index=models.Index(fields=['person', 'left_at'], name='institutions_left_by_person'),
        ),
        migrations.AddConstraint(
            model_name='formerinstitution',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='former_institution_has_a_name'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='formerinstitution',
            trigger=pgtrigger.compiler.Trigger(name='former_institution_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='eb2945684e2e036afbd84b9fa495dd0bd4ebae4a', operation='UPDATE OR DELETE', pgid='pgtrigger_former_institution_is_append_only_0665c', table='curation_formerinstitution', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='import',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('ordered_at', None)), models.Q(('ordered_at__isnull', False), ('planned_at__isnull', False)), _connector='OR'), name='import_is_looked_at_before_it_is_carried_out'),
        ),
        migrations.AddConstraint(
            model_name='import',
            constraint=models.CheckConstraint(condition=models.Q(('purpose__in', ['DRAFTS', 'PUBLISHED'])), name='import_purpose_is_known'),
        ),
        migrations.AddIndex(
            model_name='invitation',
            index=models.Index(condition=models.Q(('accepted_at', None), ('failed_at', None), ('sent_at', None), ('withdrawn_at', None), models.Q(('email', ''), _negated=True)), fields=['priority', 'queued_at', 'id'], name='invitations_not_sent'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('accepted_at', None), ('withdrawn_at', None), models.Q(('email', ''), _negated=True)), name='one_standing_invitation_an_address'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('email', ''), _negated=True), models.Q(('language', ''), _negated=True), ('most', 1)), models.Q(('email', ''), ('most__gte', 1), ('most__lte', 100), ('roles__len', 1)), _connector='OR'), name='invitation_is_for_an_address_or_a_few'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('roles__contained_by', ['CONTRIBUTOR', 'REVIEWER', 'PARTICIPANT', 'EVALUATOR']), models.Q(('roles', []), _negated=True)), name='invited_with_roles_that_are_given_so'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('failed_at', None), ('sent_at', None)), models.Q(models.Q(('email', ''), _negated=True), models.Q(('sent_at', None), ('failed_at', None), _connector='OR')), _connector='OR'), name='invitation_is_sent_or_failed'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accepted_at', None), ('accepted_by', None)), models.Q(('accepted_at__isnull', False), ('accepted_by__isnull', False), ('withdrawn_at', None)), _connector='OR'), name='accepted_invitation_says_by_whom'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at', None), ('withdrawn_by', None)), models.Q(('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='withdrawn_invitation_says_by_whom'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='invitation_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='4cbe19de45720c9129e266b88a213130f4468deb', operation='DELETE', pgid='pgtrigger_invitation_stays_436b1', table='curation_invitation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='invitation_stays_to_whom_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."email" IS DISTINCT FROM (NEW."email") OR OLD."most" IS DISTINCT FROM (NEW."most") OR OLD."roles" IS DISTINCT FROM (NEW."roles") OR OLD."invited_by_id" IS DISTINCT FROM (NEW."invited_by_id") OR OLD."invited_at" IS DISTINCT FROM (NEW."invited_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='731855eabc9219df96e66e34fe14bb68068db1a9', operation='UPDATE', pgid='pgtrigger_invitation_stays_to_whom_it_is_1e37d', table='curation_invitation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='ended_invitation_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN ((OLD."accepted_at" IS NOT NULL OR OLD."withdrawn_at" IS NOT NULL) AND (OLD."accepted_at" IS DISTINCT FROM (NEW."accepted_at") OR OLD."withdrawn_at" IS DISTINCT FROM (NEW."withdrawn_at") OR OLD."expires_at" IS DISTINCT FROM (NEW."expires_at")))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='30f9f261b0c331024ab5d6e115b1922e2f9825fe', operation='UPDATE', pgid='pgtrigger_ended_invitation_is_frozen_2e6a9', table='curation_invitation', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='personchange',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'DEACTIVATED'), ('reason', ''), _negated=True), name='deactivating_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='personchange',
            trigger=pgtrigger.compiler.Trigger(name='person_change_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='39c59190f15519f44f7aa9e3a5f8d053f5e4d7ca', operation='UPDATE OR DELETE', pgid='pgtrigger_person_change_is_append_only_b4cb0', table='curation_personchange', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='importrow',
            constraint=models.UniqueConstraint(fields=('transfer', 'number'), name='one_import_row_a_number'),
        ),
        migrations.AddConstraint(
            model_name='importrow',
            constraint=models.CheckConstraint(condition=models.Q(('action__in', ['', 'CREATE', 'UPDATE', 'NOTHING', 'REFUSE'])), name='import_row_action_is_known'),
        ),
        migrations.AddConstraint(
            model_name='importrow',
            constraint=models.CheckConstraint(condition=models.Q(('result', ''), ('action__in', ['CREATE', 'UPDATE']), _connector='OR'), name='only_what_changes_something_is_carried_out'),
        ),
        migrations.AddConstraint(
            model_name='credit',
            constraint=models.UniqueConstraint(condition=models.Q(('removed_at', None)), fields=('problem', 'person', 'role', 'language'), name='one_credit_a_person_and_role'),
        ),
        migrations.AddConstraint(
            model_name='credit',
            constraint=models.UniqueConstraint(condition=models.Q(('removed_at', None), ('role', 'TRANSLATOR')), fields=('problem', 'language'), name='one_translator_a_language'),
        ),
        migrations.AddConstraint(
            model_name='credit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('language__in', ['en', 'zh']), ('role', 'TRANSLATOR')), models.Q(models.Q(('role', 'TRANSLATOR'), _negated=True), ('language', '')), _connector='OR'), name='translators_alone_have_a_language'),
        ),
        migrations.AddConstraint(
            model_name='credit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('removed_at', None), ('removed_by', None)), models.Q(('removed_at__isnull', False), ('removed_by__isnull', False)), _connector='OR'), name='removed_credit_says_by_whom'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='credit',
            trigger=pgtrigger.compiler.Trigger(name='credit_is_only_accepted_or_removed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."problem_id" IS DISTINCT FROM (NEW."problem_id") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."role" IS DISTINCT FROM (NEW."role") OR OLD."language" IS DISTINCT FROM (NEW."language") OR OLD."given_by_id" IS DISTINCT FROM (NEW."given_by_id") OR OLD."given_at" IS DISTINCT FROM (NEW."given_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='efa7fcb6a9c2c396c1edd5e0f5dea3b6a66aca1b', operation='UPDATE', pgid='pgtrigger_credit_is_only_accepted_or_removed_e1461', table='curation_credit', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='credit',
            trigger=pgtrigger.compiler.Trigger(name='credit_is_accepted_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."accepted_at" IS DISTINCT FROM (NEW."accepted_at") AND OLD."accepted_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4fc6aabac257aa7706a926055de31375e93af43f', operation='UPDATE', pgid='pgtrigger_credit_is_accepted_once_39c7e', table='curation_credit', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='credit',
            trigger=pgtrigger.compiler.Trigger(name='removed_credit_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."removed_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='461c64129ef46122f054a01bdef5e67a378fad69', operation='UPDATE', pgid='pgtrigger_removed_credit_is_frozen_0be5c', table='curation_credit', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='credit',
            trigger=pgtrigger.compiler.Trigger(name='credit_of_a_submitted_problem_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF EXISTS (SELECT FROM curation_revision\n                       WHERE problem_id = OLD.problem_id AND submitted_at IS NOT NULL)\n            THEN RAISE EXCEPTION 'pgtrigger: credit_of_a_submitted_problem_stays';\n            END IF;\n            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n            RETURN NEW;\n        ", hash='d22acfe1cc59abe38466d0acdef19fdf5dbb13ad', operation='DELETE', pgid='pgtrigger_credit_of_a_submitted_problem_stays_0c63c', table='curation_credit', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='conflict',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('author', None), ('problem__isnull', False)), models.Q(('author__isnull', False), ('problem', None)), _connector='OR'), name='conflict_is_with_a_problem_or_an_author'),
        ),
        migrations.AddConstraint(
            model_name='conflict',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='conflict_says_why'),
        ),
        migrations.AddConstraint(
            model_name='conflict',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lifted_at', None), ('lifted_by', None)), models.Q(('lifted_at__isnull', False), ('lifted_by__isnull', False)), _connector='OR'), name='lifted_conflict_says_by_whom'),
        ),
        migrations.AddConstraint(
            model_name='conflict',
            constraint=models.UniqueConstraint(condition=models.Q(('lifted_at', None)), fields=('person', 'problem'), name='one_conflict_a_person_and_problem'),
        ),
        migrations.AddConstraint(
            model_name='conflict',
            constraint=models.UniqueConstraint(condition=models.Q(('lifted_at', None)), fields=('person', 'author'), name='one_conflict_a_person_and_author'),
        ),
        migrations.AddIndex(
            model_name='certificate',
            index=models.Index(fields=['problem', 'reference_sha256'], name='curation_ce_problem_40e036_idx'),
        ),
        migrations.AddIndex(
            model_name='certificate',
            index=models.Index(condition=models.Q(('finished_at', None)), fields=['priority', 'queued_at', 'id'], name='certificates_not_done'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.UniqueConstraint(condition=models.Q(('finished_at', None)), fields=('problem', 'reference_sha256', 'grader_version'), name='one_certificate_in_the_making'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('outcome', '')), models.Q(('finished_at__isnull', False), ('lease_until', None), models.Q(('outcome', ''), _negated=True)), _connector='OR'), name='finished_certificate_has_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'PASSED'), _negated=True), models.Q(('failed', 0), ('open', 0), ('passed__gt', 0), ('reason', '')), _connector='OR'), name='passed_certificate_has_nothing_else'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='certificate',
            trigger=pgtrigger.compiler.Trigger(name='finished_certificate_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."finished_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='cd6330912ebbd60fb6a7d688e4dab6c49d5059a6', operation='UPDATE', pgid='pgtrigger_finished_certificate_is_frozen_6fa4d', table='curation_certificate', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='certificate',
            trigger=pgtrigger.compiler.Trigger(name='certificate_of_a_submitted_problem_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (SELECT 1 FROM curation_revision\n                               WHERE problem_id = OLD.problem_id AND submitted_at IS NOT NULL)\n                    THEN RAISE EXCEPTION 'pgtrigger: Cannot delete from %', TG_TABLE_NAME;\n                    END IF;\n                    RETURN OLD;\n                ", hash='e794fed18899341b2163c613900774a49bfd0fbf', operation='DELETE', pgid='pgtrigger_certificate_of_a_submitted_problem_stays_339ff', table='curation_certificate', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='reportcontact',
            constraint=models.CheckConstraint(condition=models.Q(('email', ''), ('name', ''), _negated=True), name='contact_has_a_name_or_an_address'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reportreply',
            trigger=pgtrigger.compiler.Trigger(name='reply_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='8819db3e0f2590d631e4ecb7317d81246efecd66', operation='UPDATE OR DELETE', pgid='pgtrigger_reply_is_append_only_a4b4a', table='curation_reportreply', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('outcome', ''), models.Q(('role', ''), _negated=True)), fields=('person', 'role'), name='one_open_request_a_person_and_role'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('outcome', ''), models.Q(('institution', ''), _negated=True)), fields=('person',), name='one_open_request_for_an_institution'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.UniqueConstraint(condition=models.Q(('outcome', '')), fields=('credit',), name='one_open_request_a_credit'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('credit', None), ('institution', ''), ('role__in', ['CONTRIBUTOR', 'REVIEWER', 'PARTICIPANT', 'EVALUATOR'])), models.Q(('credit', None), ('role', ''), models.Q(('institution', ''), _negated=True)), models.Q(('credit__isnull', False), ('institution', ''), ('role', '')), _connector='OR'), name='request_is_for_a_role_an_institution_or_a_credit'),
        ),
        migrations.AddConstraint(
            model_name='request',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('outcome', ''), ('reason', '')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('outcome', 'DECLINED'), models.Q(('reason', ''), _negated=True)), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('outcome__in', ['GRANTED', 'TAKEN_BACK']), ('reason', '')), _connector='OR'), name='decided_request_says_how'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='request',
            trigger=pgtrigger.compiler.Trigger(name='request_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='ad85d1f62eb7854486234527d7f18db112ffd5d2', operation='DELETE', pgid='pgtrigger_request_stays_5f286', table='curation_request', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='request',
            trigger=pgtrigger.compiler.Trigger(name='decided_request_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NOT (OLD."outcome" = \'\'))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='37b9ec8b37a3c867b1ce1070cd28f1b8adacef22', operation='UPDATE', pgid='pgtrigger_decided_request_is_frozen_316ff', table='curation_request', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='request',
            trigger=pgtrigger.compiler.Trigger(name='request_stays_what_was_asked', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."role" IS DISTINCT FROM (NEW."role") OR OLD."institution" IS DISTINCT FROM (NEW."institution") OR OLD."credit_id" IS DISTINCT FROM (NEW."credit_id") OR OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id") OR OLD."note" IS DISTINCT FROM (NEW."note") OR OLD."asked_at" IS DISTINCT FROM (NEW."asked_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='17bd4076f85b230232d034ae867c64fb443b375d', operation='UPDATE', pgid='pgtrigger_request_stays_what_was_asked_0946c', table='curation_request', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reviewresponse',
            trigger=pgtrigger.compiler.Trigger(name='review_response_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='e3d05a27d3e706f474c2df924908fb73ef3a5c3c', operation='UPDATE OR DELETE', pgid='pgtrigger_review_response_is_append_only_949c3', table='curation_reviewresponse', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='reviewdraft',
            constraint=models.UniqueConstraint(fields=('round', 'reviewer', 'kind'), name='one_review_draft_a_form'),
        ),
        migrations.AddConstraint(
            model_name='reviewdraft',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['REVIEW', 'SOLVE'])), name='review_draft_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.UniqueConstraint(fields=('round', 'reviewer', 'number'), name='one_review_a_reviewer_and_round'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('recommendation__in', ['ACCEPT', 'REVISE', 'REJECT'])), name='recommendation_is_known'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('recommendation', 'ACCEPT'), models.Q(('comment', ''), _negated=True), _connector='OR'), name='only_an_acceptance_needs_no_comment'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='review',
            trigger=pgtrigger.compiler.Trigger(name='review_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='f4c479ff57470d7188a5014311b53f5b42a0b26e', operation='UPDATE OR DELETE', pgid='pgtrigger_review_is_append_only_9101a', table='curation_review', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='review',
            trigger=pgtrigger.compiler.Trigger(name='review_is_given_while_its_round_is_open', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."round_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n            SELECT FROM curation_reviewround\n            WHERE id = NEW.round_id AND (closed_at IS NULL OR closed_at >= NEW.submitted_at)\n        )\n            THEN RAISE EXCEPTION 'pgtrigger: review_is_given_while_its_round_is_open';\n            END IF;\n            RETURN NEW;\n        ", hash='c67f75e18f09246f6c65f0f176bf19a825442edb', operation='INSERT OR UPDATE', pgid='pgtrigger_review_is_given_while_its_round_is_open_84a18', table='curation_review', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='blindsolve',
            constraint=models.UniqueConstraint(fields=('round', 'reviewer'), name='one_blind_solve_a_reviewer_and_round'),
        ),
        migrations.AddConstraint(
            model_name='blindsolve',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'ANSWER'), models.Q(('answer', ''), _negated=True), models.Q(('outcome', 'NO_ANSWER'), _negated=True)), models.Q(models.Q(('kind', 'ANSWER'), _negated=True), ('answer', ''), ('outcome', 'NO_ANSWER'), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='no_answer_has_a_reason_instead'),
        ),
        migrations.AddConstraint(
            model_name='blindsolve',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'NOT_TOLD'), models.Q(('not_told_reason', ''), _negated=True)), models.Q(models.Q(('outcome', 'NOT_TOLD'), _negated=True), ('not_told_reason', '')), _connector='OR'), name='what_could_not_be_told_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='blindsolve',
            trigger=pgtrigger.compiler.Trigger(name='blind_solve_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='2c229e2db5fdef8215756042d5318c7bb69758d3', operation='UPDATE OR DELETE', pgid='pgtrigger_blind_solve_is_append_only_5c767', table='curation_blindsolve', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='blindsolve',
            trigger=pgtrigger.compiler.Trigger(name='blind_solve_is_given_while_its_round_is_open', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."round_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n            SELECT FROM curation_reviewround\n            WHERE id = NEW.round_id AND (closed_at IS NULL OR closed_at >= NEW.solved_at)\n        )\n            THEN RAISE EXCEPTION 'pgtrigger: blind_solve_is_given_while_its_round_is_open';\n            END IF;\n            RETURN NEW;\n        ", hash='760cf61f1f02842020afb3b628463baefebbeea3', operation='INSERT OR UPDATE', pgid='pgtrigger_blind_solve_is_given_while_its_round_is_open_2c22b', table='curation_blindsolve', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['reviewer', 'state'], name='curation_as_reviewe_87b926_idx'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'OPEN')), fields=('round', 'reviewer'), name='one_open_assignment_a_reviewer_and_round'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['BY_HAND', 'BY_RULE', 'TAKEN'])), name='assignment_origin_is_known'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None), ('reason', ''), ('state', 'OPEN')), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False), ('reason', ''), ('state', 'DONE')), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False), ('state__in', ['DECLINED', 'REVOKED']), models.Q(models.Q(('reason', ''), _negated=True), ('message__isnull', False), _connector='OR')), models.Q(('ended_at__isnull', False), ('ended_by', None), ('reason', ''), ('state', 'ENDED')), _connector='OR'), name='ended_assignment_says_how'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='assignment',
            trigger=pgtrigger.compiler.Trigger(name='assignment_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='ac7bae668fcdff7714016d7438cedd36d79d7db7', operation='DELETE', pgid='pgtrigger_assignment_stays_dfc6d', table='curation_assignment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='assignment',
            trigger=pgtrigger.compiler.Trigger(name='ended_assignment_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NOT (OLD."state" = \'OPEN\'))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='0d9e2072d8d7b4a2c81e781cc2d94c547c748497', operation='UPDATE', pgid='pgtrigger_ended_assignment_is_frozen_1dcb5', table='curation_assignment', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='adminnote',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='admin_note_says_something'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adminnote',
            trigger=pgtrigger.compiler.Trigger(name='admin_note_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='57c0684ba9a9476747ab7fa3045b48fc702e9ef4', operation='UPDATE OR DELETE', pgid='pgtrigger_admin_note_is_append_only_22a84', table='curation_adminnote', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.UniqueConstraint(fields=('round', 'number'), name='one_adjudication_a_round_and_number'),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.UniqueConstraint(condition=models.Q(('step__in', ('PASS', 'ACCEPT', 'RETURN', 'REJECT'))), fields=('round',), name='one_deciding_adjudication_a_round'),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), _negated=True), ('step__in', ['', 'ASK', 'SHRINK', 'PASS', 'ACCEPT', 'RETURN', 'REJECT'])), name='adjudication_says_what_and_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudication_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='651354e9157673e04c376369fe723aa0d932522a', operation='UPDATE OR DELETE', pgid='pgtrigger_adjudication_is_append_only_c2f63', table='curation_adjudication', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='revision',
            index=django.contrib.postgres.indexes.GistIndex(django.contrib.postgres.indexes.OpClass(django.db.models.functions.text.Left('statement', 2000), name='gist_trgm_ops(siglen=256)'), name='statements_by_likeness'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(fields=('problem', 'number'), name='one_revision_a_number'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.UniqueConstraint(condition=models.Q(('submitted_at', None)), fields=('problem',), name='at_most_one_draft_a_problem'),
        ),
        migrations.AddConstraint(
            model_name='revision',
            constraint=models.CheckConstraint(condition=models.Q(('adaptation__in', ['', 'ORIGINAL', 'IDEA', 'CHANGED', 'REWORDED'])), name='adaptation_is_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='revision',
            trigger=pgtrigger.compiler.Trigger(name='submitted_revision_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."submitted_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='41ac4e1094dbe21ff9387076529b48544d1b5ac4', operation='UPDATE OR DELETE', pgid='pgtrigger_submitted_revision_is_frozen_bf0ee', table='curation_revision', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='problem',
            index=models.Index(fields=['benchmark', 'status'], name='curation_pr_benchma_b6f813_idx'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.UniqueConstraint(condition=models.Q(('form_key', ''), _negated=True), fields=('author', 'form_key'), name='one_problem_a_form'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['DRAFT', 'IN_REVIEW', 'RETURNED', 'ACCEPTED', 'REJECTED', 'RETIRED'])), name='problem_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['ACCEPTED', 'RETIRED']), _negated=True), ('accepted_at__isnull', False), _connector='OR'), name='accepted_problem_says_when'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['ACCEPTED', 'RETIRED']), _negated=True), ('accepted_revision__isnull', False), _connector='OR'), name='accepted_problem_names_its_revision'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='problem',
            trigger=pgtrigger.compiler.Trigger(name='accepted_revision_is_its_own', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."accepted_revision_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_revision\n                    WHERE id = NEW.accepted_revision_id AND problem_id = NEW.id\n                    AND submitted_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: accepted_revision_is_its_own';\n            END IF;\n            RETURN NEW;\n        ", hash='38440d1aa6c109511ae47de939976c1572dda944', operation='INSERT OR UPDATE', pgid='pgtrigger_accepted_revision_is_its_own_03951', table='curation_problem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='problem',
            trigger=pgtrigger.compiler.Trigger(name='submitted_problem_stays_in_its_benchmark', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id"))', func="\n            IF EXISTS (SELECT FROM curation_revision\n                       WHERE problem_id = OLD.id AND submitted_at IS NOT NULL)\n            THEN RAISE EXCEPTION 'pgtrigger: submitted_problem_stays_in_its_benchmark';\n            END IF;\n            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n            RETURN NEW;\n        ", hash='8a216d0eb6bbccb55c0c457e7878d1e5539e4f59', operation='UPDATE', pgid='pgtrigger_submitted_problem_stays_in_its_benchmark_c8249', table='curation_problem', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='exposure',
            index=models.Index(condition=models.Q(('part__in', ['ANSWER', 'SOLUTION', 'VERDICT'])), fields=['person', 'revision'], name='keys_seen'),
        ),
        migrations.AddIndex(
            model_name='exposure',
            index=models.Index(fields=['-at', '-id'], name='exposures_newest'),
        ),
        migrations.AddConstraint(
            model_name='exposure',
            constraint=models.UniqueConstraint(fields=('revision', 'person', 'part', 'reason', 'slot'), name='one_exposure_a_slot'),
        ),
        migrations.AddConstraint(
            model_name='exposure',
            constraint=models.CheckConstraint(condition=models.Q(('part__in', ['STATEMENT', 'ANSWER', 'SOLUTION', 'VERDICT'])), name='exposure_part_is_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='exposure',
            trigger=pgtrigger.compiler.Trigger(name='exposure_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='e071d9ca7cfcbfd3ae7b78047cfcef06de0609d6', operation='UPDATE OR DELETE', pgid='pgtrigger_exposure_is_append_only_0a3e0', table='curation_exposure', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('from_status', models.F('to_status')), _negated=True), ('kind__in', ['PASS', 'ASK', 'SHRINK']), _connector='OR'), name='event_goes_somewhere'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a0e7960c49ac86ab03917ad4bfa20729c5a2ed45', operation='UPDATE', pgid='pgtrigger_event_is_append_only_ad7fd', table='curation_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_of_a_submitted_problem_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF EXISTS (SELECT FROM curation_revision\n                       WHERE problem_id = OLD.problem_id AND submitted_at IS NOT NULL)\n            THEN RAISE EXCEPTION 'pgtrigger: event_of_a_submitted_problem_stays';\n            END IF;\n            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n            RETURN NEW;\n        ", hash='8c18a0c1552a8fb0a349364ce615941fae342ecf', operation='DELETE', pgid='pgtrigger_event_of_a_submitted_problem_stays_1ae76', table='curation_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_is_of_its_problems_revision', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."revision_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_revision\n                    WHERE id = NEW.revision_id AND problem_id = NEW.problem_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: event_is_of_its_problems_revision';\n            END IF;\n            RETURN NEW;\n        ", hash='4916f3a529b5c957093c08684043aa153814dcd3', operation='INSERT OR UPDATE', pgid='pgtrigger_event_is_of_its_problems_revision_69c51', table='curation_event', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='errorreport',
            index=models.Index(fields=['-reported_at', '-id'], name='error_reports_newest'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('revision', 'reporter', 'kind'), name='one_open_report_a_person_and_kind'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.UniqueConstraint(condition=models.Q(('secret_sha256', ''), _negated=True), fields=('secret_sha256',), name='one_report_a_secret'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('benchmark', None), ('revision__isnull', False), ('row', ''), models.Q(('kind', 'ROW'), _negated=True)), models.Q(('benchmark__isnull', False), ('kind', 'ROW'), ('revision', None), models.Q(('row', ''), _negated=True)), _connector='OR'), name='report_is_of_a_problem_or_a_row'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reporter__isnull', False), ('secret_sha256', '')), models.Q(('reporter', None), models.Q(('secret_sha256', ''), _negated=True)), _connector='OR'), name='visitors_report_has_a_secret'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['', 'NO_ERROR']), models.Q(('outcome', 'ROW_FIXED'), ('revision', None)), models.Q(models.Q(('outcome', 'ROW_FIXED'), _negated=True), ('revision__isnull', False)), _connector='OR'), name='rows_and_problems_have_their_outcomes'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('decided_at', None), ('decided_by', None), ('outcome', ''), ('reason', '')), models.Q(models.Q(('outcome', ''), _negated=True), models.Q(('reason', ''), _negated=True), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='report_is_decided_by_somebody_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='errorreport',
            constraint=models.CheckConstraint(condition=models.Q(('closed_at__isnull', False), ('outcome__in', ['', 'STATEMENT_FIXED', 'KEY_FIXED']), _connector='OR'), name='only_a_fix_is_waited_for'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='errorreport',
            trigger=pgtrigger.compiler.Trigger(name='report_stays_as_it_was_written', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."revision_id" IS DISTINCT FROM (NEW."revision_id") OR OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id") OR OLD."row" IS DISTINCT FROM (NEW."row") OR OLD."reporter_id" IS DISTINCT FROM (NEW."reporter_id") OR OLD."secret_sha256" IS DISTINCT FROM (NEW."secret_sha256") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."message" IS DISTINCT FROM (NEW."message") OR OLD."text" IS DISTINCT FROM (NEW."text") OR OLD."own_answer" IS DISTINCT FROM (NEW."own_answer") OR OLD."reported_at" IS DISTINCT FROM (NEW."reported_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='f16a18d08d095a238f3fbd4501c59f759f7db822', operation='UPDATE', pgid='pgtrigger_report_stays_as_it_was_written_a708d', table='curation_errorreport', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='errorreport',
            trigger=pgtrigger.compiler.Trigger(name='closed_report_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."closed_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a4b32e633119de7d8e33e1507ff2f1bd920dd4ca', operation='UPDATE', pgid='pgtrigger_closed_report_is_frozen_5617e', table='curation_errorreport', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='errorreport',
            trigger=pgtrigger.compiler.Trigger(name='report_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='b4dfa5d2afd78c7ae61a0c2d8b34d8efd2648a19', operation='DELETE', pgid='pgtrigger_report_stays_fc397', table='curation_errorreport', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='erratum',
            constraint=models.CheckConstraint(condition=models.Q(('revision', models.F('corrected_by')), _negated=True), name='erratum_is_mended_by_another_revision'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='erratum',
            trigger=pgtrigger.compiler.Trigger(name='erratum_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='2fd9fdc2e3e7439d13f6e2a91adb63f722420386', operation='UPDATE OR DELETE', pgid='pgtrigger_erratum_is_append_only_30903', table='curation_erratum', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='erratum',
            trigger=pgtrigger.compiler.Trigger(name='erratum_is_mended_in_its_problem', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."revision_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_revision AS wrong\n                    JOIN curation_revision AS mended ON mended.problem_id = wrong.problem_id\n                    JOIN curation_errorreport AS report ON report.revision_id = wrong.id\n                    WHERE wrong.id = NEW.revision_id AND mended.id = NEW.corrected_by_id\n                    AND report.id = NEW.report_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: erratum_is_mended_in_its_problem';\n            END IF;\n            RETURN NEW;\n        ", hash='ccf90fdd92cc1710f18f4d7c304a73e5a6c04240', operation='INSERT OR UPDATE', pgid='pgtrigger_erratum_is_mended_in_its_problem_0d04a', table='curation_erratum', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='contribution',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['AUTHORED', 'SUPPLIED', 'REVISED', 'REVIEWED', 'SOLVED', 'TRANSLATED', 'FOUND_ERROR'])), name='contribution_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='contribution',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ('AUTHORED', 'SUPPLIED')), ('revision', None)), models.Q(models.Q(('kind__in', ('AUTHORED', 'SUPPLIED')), _negated=True), ('revision__isnull', False)), _connector='OR'), name='contribution_to_a_problem_or_a_revision'),
        ),
        migrations.AddConstraint(
            model_name='contribution',
            constraint=models.UniqueConstraint(condition=models.Q(('revision', None)), fields=('person', 'kind', 'problem'), name='one_contribution_a_problem'),
        ),
        migrations.AddConstraint(
            model_name='contribution',
            constraint=models.UniqueConstraint(condition=models.Q(('revision__isnull', False)), fields=('person', 'kind', 'revision', 'note'), name='one_contribution_a_revision'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contribution',
            trigger=pgtrigger.compiler.Trigger(name='contribution_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='5ba13f3cc0545223d1649dd485c9d099c3be3833', operation='UPDATE OR DELETE', pgid='pgtrigger_contribution_is_append_only_312b3', table='curation_contribution', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contribution',
            trigger=pgtrigger.compiler.Trigger(name='contribution_is_to_its_problems_revision', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."revision_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_revision\n                    WHERE id = NEW.revision_id AND problem_id = NEW.problem_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: contribution_is_to_its_problems_revision';\n            END IF;\n            RETURN NEW;\n        ", hash='8cc78b4de75f573839340b2c4f31aec625d6098c', operation='INSERT OR UPDATE', pgid='pgtrigger_contribution_is_to_its_problems_revision_9bd1f', table='curation_contribution', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='rounddisagreement',
            index=models.Index(models.OrderBy(models.F('total'), descending=True), models.OrderBy(models.F('round'), descending=True), name='most_disagreement_first'),
        ),
        migrations.AddConstraint(
            model_name='rounddisagreement',
            constraint=models.CheckConstraint(condition=models.Q(('answers__range', (0, 100)), ('recommendations__range', (0, 100)), ('solves__range', (0, 100))), name='parts_of_disagreement_are_percentages'),
        ),
        migrations.AddConstraint(
            model_name='setaside',
            constraint=models.UniqueConstraint(fields=('round', 'person'), name='set_aside_once_a_round_and_person'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='setaside',
            trigger=pgtrigger.compiler.Trigger(name='set_aside_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='3319d117b6e41c50aa04756cb4c3f44db45996b9', operation='UPDATE OR DELETE', pgid='pgtrigger_set_aside_is_append_only_f159a', table='curation_setaside', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='setaside',
            trigger=pgtrigger.compiler.Trigger(name='set_aside_while_its_round_is_open', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."round_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n            SELECT FROM curation_reviewround\n            WHERE id = NEW.round_id AND (closed_at IS NULL OR closed_at >= NEW.at)\n        )\n            THEN RAISE EXCEPTION 'pgtrigger: set_aside_while_its_round_is_open';\n            END IF;\n            RETURN NEW;\n        ", hash='9623fae1cd14db6318e555cd574d7914a513530a', operation='INSERT OR UPDATE', pgid='pgtrigger_set_aside_while_its_round_is_open_5a9bb', table='curation_setaside', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_blind', True), ('rule', 'BLIND_SOLVES'), ('solves_needed__gte', 1)), models.Q(models.Q(('rule', 'BLIND_SOLVES'), _negated=True), ('solves_needed', 0)), _connector='OR'), name='stage_solves_are_counted_where_they_are_made', violation_error_message='A rule that counts blind solves needs a blind stage and at least one agreeing solve. With another rule, enter 0.'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('shows_key', True), models.Q(('is_blind', False), ('shows_answers', False)), _connector='OR'), name='stage_shows_the_key_where_it_is_needed', violation_error_message='A blind stage, and one that shows models’ answers, shows answer and solution as well.'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(fields=('pipeline', 'place'), name='one_stage_a_place'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('reviews_needed', None), ('reviews_needed__gte', 1), _connector='OR'), name='stage_needs_a_review'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('stage', 'place'), name='one_question_a_place'),
        ),
        migrations.AddConstraint(
            model_name='stageversion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('is_blind', True), ('rule', 'BLIND_SOLVES'), ('solves_needed__gte', 1)), models.Q(models.Q(('rule', 'BLIND_SOLVES'), _negated=True), ('solves_needed', 0)), _connector='OR'), name='stageversion_solves_are_counted_where_they_are_made', violation_error_message='A rule that counts blind solves needs a blind stage and at least one agreeing solve. With another rule, enter 0.'),
        ),
        migrations.AddConstraint(
            model_name='stageversion',
            constraint=models.CheckConstraint(condition=models.Q(('shows_key', True), models.Q(('is_blind', False), ('shows_answers', False)), _connector='OR'), name='stageversion_shows_the_key_where_it_is_needed', violation_error_message='A blind stage, and one that shows models’ answers, shows answer and solution as well.'),
        ),
        migrations.AddConstraint(
            model_name='stageversion',
            constraint=models.UniqueConstraint(fields=('stage', 'number'), name='one_version_a_number'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='stageversion',
            trigger=pgtrigger.compiler.Trigger(name='stage_version_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='1fb42ff87489828a2eb4a3d33c488d80f00cabb5', operation='UPDATE OR DELETE', pgid='pgtrigger_stage_version_is_frozen_1f2f0', table='curation_stageversion', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='reviewround',
            constraint=models.UniqueConstraint(fields=('revision', 'number'), name='one_round_a_revision_and_stage'),
        ),
        migrations.AddConstraint(
            model_name='reviewround',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('revision',), name='one_open_round_a_revision'),
        ),
        migrations.AddConstraint(
            model_name='reviewround',
            constraint=models.CheckConstraint(condition=models.Q(('reviews_needed__gte', 1)), name='round_needs_a_review'),
        ),
        migrations.AddConstraint(
            model_name='reviewround',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('decision', '')), models.Q(('closed_at__isnull', False), ('decision__in', ['PASS', 'ACCEPT', 'RETURN', 'REJECT', 'WITHDRAW'])), _connector='OR'), name='round_closed_with_a_decision'),
        ),
        migrations.AddConstraint(
            model_name='reviewround',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_by', None), ('override_reason', '')), models.Q(('closed_at__isnull', False), ('decided_by__isnull', False), models.Q(('override_reason', ''), _negated=True)), _connector='OR'), name='override_says_who_and_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reviewround',
            trigger=pgtrigger.compiler.Trigger(name='closed_round_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."closed_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='68f1e5714be7cf543dfa007889bafcf78683c477', operation='UPDATE OR DELETE', pgid='pgtrigger_closed_round_is_frozen_2428a', table='curation_reviewround', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reviewround',
            trigger=pgtrigger.compiler.Trigger(name='no_rule_rejects', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."decided_by_id" IS NULL AND NEW."decision" = \'REJECT\')', func="RAISE EXCEPTION 'pgtrigger: Cannot insert or update rows from % table', TG_TABLE_NAME;", hash='ab221b8948b69dcc7ca5eff7e8c34e57a228c624', operation='INSERT OR UPDATE', pgid='pgtrigger_no_rule_rejects_f7828', table='curation_reviewround', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reviewround',
            trigger=pgtrigger.compiler.Trigger(name='round_stays_where_it_was_opened', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."revision_id" IS DISTINCT FROM (NEW."revision_id") OR OLD."version_id" IS DISTINCT FROM (NEW."version_id") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ab73e1a26dc326211b411c6b74cbe7219cad5c8a', operation='UPDATE', pgid='pgtrigger_round_stays_where_it_was_opened_ad1ef', table='curation_reviewround', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reviewround',
            trigger=pgtrigger.compiler.Trigger(name='passing_is_carried_over_within_a_problem', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."carried_from_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_reviewround AS earlier\n                    JOIN curation_revision AS before ON before.id = earlier.revision_id\n                    JOIN curation_revision AS this ON this.problem_id = before.problem_id\n                    WHERE earlier.id = NEW.carried_from_id AND this.id = NEW.revision_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: passing_is_carried_over_within_a_problem';\n            END IF;\n            RETURN NEW;\n        ", hash='1d674d256b93bb296fd46fa01ef05991e5559131', operation='INSERT OR UPDATE', pgid='pgtrigger_passing_is_carried_over_within_a_problem_805f8', table='curation_reviewround', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='submitrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('problem',), name='one_open_submit_request_a_problem'),
        ),
        migrations.AddConstraint(
            model_name='submitrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('outcome', '')), models.Q(('ended_at__isnull', False), ('lease_until', None), models.Q(('outcome', ''), _negated=True)), _connector='OR'), name='ended_submit_request_has_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='thread',
            constraint=models.CheckConstraint(condition=models.Q(('part__in', ['PROBLEM', 'STATEMENT', 'ANSWER', 'SOLUTION'])), name='thread_part_is_known'),
        ),
        migrations.AddConstraint(
            model_name='thread',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('part__in', ('STATEMENT', 'SOLUTION')), models.Q(('quote', ''), _negated=True)), models.Q(models.Q(('part__in', ('STATEMENT', 'SOLUTION')), _negated=True), ('end', 0), ('prefix', ''), ('quote', ''), ('start', 0), ('suffix', '')), _connector='OR'), name='thread_quotes_where_there_are_passages'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='thread',
            trigger=pgtrigger.compiler.Trigger(name='thread_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='1ddd46b7a20eef2238732ca75cb26943083038f3', operation='UPDATE OR DELETE', pgid='pgtrigger_thread_is_append_only_24bd0', table='curation_thread', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='comment',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='comment_says_something'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='comment',
            trigger=pgtrigger.compiler.Trigger(name='comment_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='43ddca76aba880275142e45d5b3b665e9cd58da8', operation='UPDATE OR DELETE', pgid='pgtrigger_comment_is_append_only_3d02d', table='curation_comment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='comment',
            trigger=pgtrigger.compiler.Trigger(name='comment_is_of_a_round_over_its_threads_problem', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."round_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_thread AS thread\n                    JOIN curation_reviewround AS begun ON begun.id = thread.round_id\n                    JOIN curation_revision AS first ON first.id = begun.revision_id\n                    JOIN curation_revision AS this ON this.problem_id = first.problem_id\n                    JOIN curation_reviewround AS round ON round.revision_id = this.id\n                    WHERE thread.id = NEW.thread_id AND round.id = NEW.round_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: comment_is_of_a_round_over_its_threads_problem';\n            END IF;\n            RETURN NEW;\n        ", hash='bb693cd9fc7f27044213f4eb0a5d2dddcb05da0a', operation='INSERT OR UPDATE', pgid='pgtrigger_comment_is_of_a_round_over_its_threads_problem_955d8', table='curation_comment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='threadstep',
            trigger=pgtrigger.compiler.Trigger(name='thread_step_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='bd7b495d7bf4361be45cb1efb1b0d6372daf620f', operation='UPDATE OR DELETE', pgid='pgtrigger_thread_step_is_append_only_a265b', table='curation_threadstep', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='translation',
            constraint=models.UniqueConstraint(fields=('revision', 'language'), name='one_translation_a_language'),
        ),
        migrations.AddConstraint(
            model_name='translation',
            constraint=models.CheckConstraint(condition=models.Q(('language__in', ['en', 'zh'])), name='translation_language_is_known'),
        ),
        migrations.AddConstraint(
            model_name='translation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('checked_at', None), ('checked_by', None)), models.Q(('checked_at__isnull', False), ('checked_by__isnull', False), models.Q(('statement', ''), _negated=True)), _connector='OR'), name='checked_translation_says_by_whom'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='translation',
            trigger=pgtrigger.compiler.Trigger(name='checked_translation_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."checked_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='13a5e6cab6090818a5515573e948118b775609fc', operation='UPDATE OR DELETE', pgid='pgtrigger_checked_translation_is_frozen_9df72', table='curation_translation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='translation',
            trigger=pgtrigger.compiler.Trigger(name='translation_is_made_for_its_problem', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."made_for_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_revision AS this\n                    JOIN curation_revision AS earlier ON earlier.problem_id = this.problem_id\n                    WHERE this.id = NEW.revision_id AND earlier.id = NEW.made_for_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: translation_is_made_for_its_problem';\n            END IF;\n            RETURN NEW;\n        ", hash='4a61db43fa9f4e1a1f4f625aebd0cca69386c26f', operation='INSERT OR UPDATE', pgid='pgtrigger_translation_is_made_for_its_problem_5e82d', table='curation_translation', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='versionitem',
            constraint=models.UniqueConstraint(fields=('version', 'problem'), name='one_item_a_problem'),
        ),
        migrations.AddConstraint(
            model_name='versionitem',
            constraint=models.UniqueConstraint(fields=('version', 'identifier'), name='one_item_a_name'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionitem',
            trigger=pgtrigger.compiler.Trigger(name='item_is_of_its_versions_benchmark', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."version_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_benchmarkversion version\n                    JOIN curation_problem problem USING (benchmark_id)\n                    JOIN curation_revision revision ON revision.problem_id = problem.id\n                    WHERE version.id = NEW.version_id AND problem.id = NEW.problem_id\n                        AND revision.id = NEW.revision_id AND revision.submitted_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: item_is_of_its_versions_benchmark';\n            END IF;\n            RETURN NEW;\n        ", hash='4d6445266a1b1c2f14a8664adcd16a6e1f81a571', operation='INSERT OR UPDATE', pgid='pgtrigger_item_is_of_its_versions_benchmark_8a1ed', table='curation_versionitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionitem',
            trigger=pgtrigger.compiler.Trigger(name='item_of_a_published_version_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (\n                        SELECT FROM curation_benchmarkversion\n                        WHERE published_at IS NOT NULL AND id IN (OLD.version_id, NEW.version_id)\n                    )\n                    THEN RAISE EXCEPTION 'pgtrigger: the version is published';\n                    END IF;\n                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n                    RETURN NEW;\n                ", hash='a0e2651d4bdad4505df853546957845c324c796e', operation='INSERT OR UPDATE OR DELETE', pgid='pgtrigger_item_of_a_published_version_is_frozen_1a91e', table='curation_versionitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='itemwithdrawal',
            trigger=pgtrigger.compiler.Trigger(name='withdrawal_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='dc9a09ddcd42b7eb734557f034e99ecefc57fef7', operation='UPDATE OR DELETE', pgid='pgtrigger_withdrawal_is_append_only_84534', table='curation_itemwithdrawal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='itemwithdrawal',
            trigger=pgtrigger.compiler.Trigger(name='withdrawn_item_was_published', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_versionitem item\n                    JOIN curation_benchmarkversion version ON version.id = item.version_id\n                    WHERE item.id = NEW.item_id AND version.published_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: withdrawn_item_was_published';\n            END IF;\n            RETURN NEW;\n        ", hash='bd387d9133e2ea31ef7e30d2ca3f972eb702bbc1', operation='INSERT OR UPDATE', pgid='pgtrigger_withdrawn_item_was_published_dcb0f', table='curation_itemwithdrawal', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='versionquestion',
            constraint=models.UniqueConstraint(fields=('version', 'place'), name='one_version_question_a_place'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionquestion',
            trigger=pgtrigger.compiler.Trigger(name='version_question_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='c50a15269ca664403ccfefc749ebcd20c036a391', operation='UPDATE OR DELETE', pgid='pgtrigger_version_question_is_frozen_9080e', table='curation_versionquestion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionquestion',
            trigger=pgtrigger.compiler.Trigger(name='no_question_is_added_to_a_version_in_use', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (SELECT FROM curation_reviewround WHERE version_id = NEW.version_id)\n                    THEN RAISE EXCEPTION 'pgtrigger: a round goes by this version already';\n                    END IF;\n                    RETURN NEW;\n                ", hash='5b931d8b450430814ca0cdd3c89b524df8316b66', operation='INSERT', pgid='pgtrigger_no_question_is_added_to_a_version_in_use_1826d', table='curation_versionquestion', when='BEFORE')),
        ),
        *AFTER,
    ]
