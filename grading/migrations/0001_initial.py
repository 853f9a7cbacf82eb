from decimal import Decimal

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.utils.timezone
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

import grading.judging.prompts.models
import phybench.pages.sentences
from phybench.work.made_at_once import MadeAtOnce


class Migration(MadeAtOnce):

    initial = True

    dependencies = [
        ('curation', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('RUNNING', 'running'), ('PAUSED', 'paused'), ('CANCELLED', 'cancelled'), ('ENDED', 'ended')], default='RUNNING', max_length=10)),
                ('paused_for', models.CharField(blank=True, max_length=40)),
                ('paused_message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('started_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Which submission of this solver to this benchmark it is, from 1; withdrawn ones count.')),
                ('is_named', models.BooleanField(default=False, help_text='Whether it was chosen to be ranked before it was graded.')),
                ('file_name', models.CharField(help_text='Of several files, the first.', max_length=200)),
                ('file_sha256', models.CharField(help_text='Of several files: the hash of their hashes in hexadecimal, one a line, sorted.', max_length=64)),
                ('left_out', models.JSONField(blank=True, default=list, help_text='Rows of the file that are not attempts: row, id, message, whether it is empty.')),
                ('expected', models.PositiveIntegerField(help_text='How many problems could be answered when this was submitted.')),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_at', models.DateTimeField(blank=True, help_text='Since when its answers that wait are not graded; empty where they are.', null=True)),
                ('is_untold', models.BooleanField(default=False, help_text='Whether it was cancelled before any of its answers was graded.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='curation.benchmark')),
                ('cancelled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='TrialAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('number', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(8)])),
                ('state', models.CharField(choices=[('QUEUED', 'waiting'), ('CALLING', 'the model is asked'), ('REPLIED', 'not graded yet'), ('GRADING', 'being graded'), ('GRADED', 'graded'), ('FAILED', 'undecided'), ('CANCELLED', 'cancelled')], default='QUEUED', max_length=10)),
                ('failures', models.JSONField(blank=True, default=list, help_text='Calls that failed: reason, retry_after.')),
                ('first_call_at', models.DateTimeField(blank=True, null=True)),
                ('failure_reason', models.CharField(blank=True, max_length=40)),
                ('failure_message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('replied_at', models.DateTimeField(blank=True, null=True)),
                ('response', models.TextField(blank=True)),
                ('reasoning', models.TextField(blank=True, help_text='Told apart by the endpoint; not graded.')),
                ('finish_reason', models.CharField(blank=True, max_length=60)),
                ('model_reported', models.CharField(blank=True, max_length=200)),
                ('judge_version', models.CharField(blank=True, max_length=40)),
                ('verdict', models.CharField(blank=True, choices=[('CORRECT', 'correct'), ('PARTIAL', 'partial'), ('INCORRECT', 'incorrect'), ('UNREADABLE', 'could not be read')], max_length=20)),
                ('eed', models.FloatField(blank=True, null=True, verbose_name='EED')),
                ('answer_read', models.TextField(blank=True)),
                ('answer_typed', models.TextField(blank=True)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('graded_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('origin', models.CharField(choices=[('FILE', 'a submission'), ('OUTSIDE', 'a person, outside studies'), ('STUDY', 'a person, in a session of a study')], editable=False, max_length=7)),
                ('sample', models.PositiveIntegerField(default=1)),
                ('response', models.TextField(help_text='The whole response, as submitted.')),
                ('finish_reason', models.CharField(blank=True, help_text='Why the model stopped, as its file says.', max_length=40)),
                ('tokens', models.PositiveBigIntegerField(blank=True, help_text='That the model wrote, as its file says.', null=True)),
                ('latency', models.FloatField(blank=True, help_text='Seconds, as its file says.', null=True)),
                ('status', models.CharField(choices=[('QUEUED', 'queued'), ('GRADING', 'being graded'), ('GRADED', 'graded'), ('FAILED', 'not graded'), ('CANCELLED', 'cancelled')], default='QUEUED', max_length=10)),
                ('failure_reason', models.CharField(blank=True, max_length=40)),
                ('failure_message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('wrong_at', models.DateTimeField(blank=True, editable=False, help_text='When it was found to be wrong; how far it is from right may not be known yet.', null=True)),
                ('told_at', models.DateTimeField(blank=True, editable=False, help_text='Since when the study it is of tells its person how it was graded.', null=True)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='curation.revision')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='AuditItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField()),
                ('stratum', models.CharField(choices=[('ACCEPTED', 'accepted'), ('REJECTED', 'rejected')], max_length=10)),
                ('verdict', models.CharField(blank=True, choices=[('CORRECT', 'correct'), ('PARTIAL', 'partial'), ('INCORRECT', 'incorrect'), ('UNREADABLE', 'could not be read')], help_text='When it was drawn; a hidden answer is only accepted or not.', max_length=20)),
                ('outcome', models.CharField(blank=True, choices=[('RIGHT', 'right'), ('WRONG', 'wrong'), ('CANT_TELL', 'can’t tell')], help_text='The label that both gave, or the adjudicated one.', max_length=10)),
                ('attempt', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_items', to='grading.attempt')),
                ('key', models.ForeignKey(help_text='By which it was graded.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision')),
                ('revision', models.ForeignKey(help_text='What it answers.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision')),
            ],
            options={
                'ordering': ['sample', 'place'],
            },
        ),
        migrations.CreateModel(
            name='AuditLabel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Of the two that an answer gets.')),
                ('given_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_back_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('choice', models.CharField(choices=[('RIGHT', 'right'), ('WRONG', 'wrong'), ('CANT_TELL', 'can’t tell')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='labels', to='grading.audititem')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_labels', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='AuditSample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.BigIntegerField(editable=False, help_text='With it the same answers are drawn again.')),
                ('why', models.CharField(blank=True, help_text='Why it was drawn.', max_length=300)),
                ('drawn_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('completed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('why_ended', models.CharField(blank=True, max_length=300)),
                ('grader_version', models.CharField(max_length=40)),
                ('size', models.PositiveIntegerField(help_text='How many answers were asked for.')),
                ('left_out', models.PositiveIntegerField(default=0, help_text='Answers that another version of the grader graded.')),
                ('drawn_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_samples', to='curation.benchmarkversion')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='AuditLabeller',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_off_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='asked_to_label', to=settings.AUTH_USER_MODEL)),
                ('sample', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='labellers', to='grading.auditsample')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='audititem',
            name='sample',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='grading.auditsample'),
        ),
        migrations.CreateModel(
            name='AuditStratum',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('ACCEPTED', 'accepted'), ('REJECTED', 'rejected')], max_length=10)),
                ('population', models.PositiveIntegerField()),
                ('verdicts', models.JSONField(default=dict, help_text='How many by verdict; of hidden answers only their number.')),
                ('sample', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='strata', to='grading.auditsample')),
            ],
            options={
                'verbose_name_plural': 'audit strata',
                'ordering': ['sample', 'kind'],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('graded_at', models.DateTimeField(blank=True, editable=False, help_text='When its answers were queued.', null=True)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='curation.benchmark')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(help_text='The version that its answers are to: the newest when it was begun.', on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='curation.benchmarkversion')),
            ],
            options={
                'verbose_name': 'draft of a submission',
                'verbose_name_plural': 'drafts of submissions',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='DraftFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('name', models.CharField(max_length=200)),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes, as it came.')),
                ('format', models.CharField(blank=True, max_length=10)),
                ('fields', models.JSONField(blank=True, default=list, help_text='What its rows have: path, example, in how many.')),
                ('field_map', models.JSONField(blank=True, default=dict, help_text='Which field holds what.')),
                ('is_map_chosen', models.BooleanField(default=False, help_text='Whether a person chose the fields, and they were not guessed.')),
                ('mapped_at', models.DateTimeField(blank=True, editable=False, help_text='Empty until it is known what to read.', null=True)),
                ('read_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('consumed', models.PositiveBigIntegerField(default=0, help_text='Bytes of it that have been read.')),
                ('rows', models.PositiveIntegerField(default=0, help_text='That have been read.')),
                ('characters', models.PositiveBigIntegerField(default=0, help_text='Of the responses that are kept of it.')),
                ('left_out', models.JSONField(blank=True, default=list, help_text='The first rows that are not answers: row, id, message, model, reason.')),
                ('counts', models.JSONField(blank=True, default=dict, help_text='How many rows are not answers, by model and reason.')),
                ('broken_off', models.TextField(blank=True, help_text='Why it can’t be read to its end.')),
                ('added_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='grading.draft')),
            ],
            options={
                'verbose_name': 'file of a draft',
                'verbose_name_plural': 'files of drafts',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='DraftAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row', models.PositiveIntegerField()),
                ('model', models.CharField(max_length=120)),
                ('identifier', models.CharField(max_length=200)),
                ('sample', models.PositiveIntegerField(help_text='From 1.')),
                ('response', models.TextField()),
                ('is_boxed', models.BooleanField(help_text='Whether it contains a \\boxed{}.')),
                ('finish_reason', models.CharField(blank=True, max_length=40)),
                ('tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('latency', models.FloatField(blank=True, help_text='Seconds.', null=True)),
                ('file', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='grading.draftfile')),
            ],
            options={
                'verbose_name': 'answer of a draft',
                'verbose_name_plural': 'answers of drafts',
                'ordering': ['file_id', 'row', 'sample'],
            },
        ),
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('base_url', models.CharField(max_length=500, verbose_name='base URL')),
                ('key_encrypted', models.TextField(blank=True, editable=False)),
                ('key_hint', models.CharField(blank=True, editable=False, max_length=10)),
                ('key_fingerprint', models.CharField(blank=True, editable=False, max_length=12)),
                ('offered', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None, verbose_name='models')),
                ('is_active', models.BooleanField(default=True, verbose_name='may be called')),
                ('price_prompt', models.DecimalField(decimal_places=4, default=Decimal('0'), max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('10000'))], verbose_name='price of a million tokens sent')),
                ('price_completion', models.DecimalField(decimal_places=4, default=Decimal('0'), max_digits=12, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('10000'))], verbose_name='price of a million tokens received')),
                ('currency', models.CharField(default='USD', max_length=8, verbose_name='currency')),
                ('daily_calls', models.PositiveIntegerField(blank=True, default=500, null=True, verbose_name='calls a day')),
                ('daily_tokens', models.PositiveBigIntegerField(blank=True, null=True, verbose_name='tokens a day')),
                ('daily_money', models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='cost a day')),
                ('requests_a_minute', models.PositiveIntegerField(blank=True, null=True, verbose_name='calls a minute')),
                ('tokens_a_minute', models.PositiveIntegerField(blank=True, null=True, verbose_name='tokens a minute')),
                ('calls_at_once', models.PositiveIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1)], verbose_name='calls at the same time')),
                ('seconds_a_call', models.PositiveIntegerField(default=300, validators=[django.core.validators.MinValueValidator(1)], verbose_name='seconds for one call')),
                ('longest_reply', models.PositiveIntegerField(default=16000, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000)], verbose_name='tokens of the longest reply')),
                ('limiter', models.JSONField(blank=True, default=dict, editable=False)),
                ('capabilities', models.JSONField(blank=True, default=dict, editable=False, help_text='What is known of each model.')),
                ('failing_for', models.CharField(blank=True, editable=False, max_length=40)),
                ('failing_streak', models.PositiveIntegerField(default=0, editable=False)),
                ('open_for', models.CharField(blank=True, editable=False, help_text='Why it is not called any more.', max_length=40)),
                ('probed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('probe_reason', models.CharField(blank=True, editable=False, max_length=40)),
                ('probe_detail', models.TextField(blank=True, editable=False)),
                ('models_found', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, editable=False, size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('key_encrypted', ''), ('key_fingerprint', ''), ('key_hint', '')), models.Q(models.Q(('key_encrypted', ''), _negated=True), models.Q(('key_fingerprint', ''), _negated=True)), _connector='OR'), name='key_comes_with_its_fingerprint'), models.CheckConstraint(condition=models.Q(('price_completion__gte', 0), ('price_prompt__gte', 0), models.Q(('daily_money', None), ('daily_money__gte', 0), _connector='OR')), name='endpoint_costs_nothing_or_something'), models.CheckConstraint(condition=models.Q(('calls_at_once__gte', 1), ('longest_reply__gte', 1), ('seconds_a_call__gte', 1)), name='endpoint_takes_a_call')],
            },
        ),
        migrations.CreateModel(
            name='CallUnderWay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=200)),
                ('tokens', models.PositiveIntegerField()),
                ('money', models.DecimalField(decimal_places=6, max_digits=16)),
                ('until', models.DateTimeField()),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='under_way', to='grading.endpoint')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FilePiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='From 0.')),
                ('content', models.BinaryField()),
                ('file', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='grading.draftfile')),
            ],
            options={
                'verbose_name': 'piece of a file',
                'verbose_name_plural': 'pieces of files',
                'ordering': ['file_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='FirstErrorItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField()),
                ('outcome', models.CharField(blank=True, choices=[('PERCEPTION', 'physical perception'), ('SEMANTICS', 'robust reasoning: semantic'), ('SYMBOLIC', 'robust reasoning: symbolic'), ('NO_ERROR', 'no error found: the answer is right'), ('KEY_WRONG', 'the problem or its reference answer is wrong'), ('CANT_TELL', 'can’t tell')], help_text='The label that both gave, or the adjudicated one.', max_length=10)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_error_items', to='grading.attempt')),
                ('key', models.ForeignKey(help_text='By which it was graded.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision')),
                ('revision', models.ForeignKey(help_text='What it answers.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision')),
            ],
            options={
                'ordering': ['sample', 'place'],
            },
        ),
        migrations.CreateModel(
            name='FirstErrorAdjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choice', models.CharField(choices=[('PERCEPTION', 'physical perception'), ('SEMANTICS', 'robust reasoning: semantic'), ('SYMBOLIC', 'robust reasoning: symbolic'), ('NO_ERROR', 'no error found: the answer is right'), ('KEY_WRONG', 'the problem or its reference answer is wrong'), ('CANT_TELL', 'can’t tell')], max_length=10, verbose_name='first error')),
                ('passage', models.TextField(blank=True, max_length=1000, verbose_name='passage')),
                ('start', models.PositiveIntegerField(blank=True, help_text='Where in the response it begins, in characters.', null=True)),
                ('reason', models.TextField(max_length=2000, verbose_name='why')),
                ('given_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_error_adjudications', to=settings.AUTH_USER_MODEL)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='adjudication', to='grading.firsterroritem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FirstErrorLabel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='Of the two that an answer gets.')),
                ('given_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_back_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('choice', models.CharField(choices=[('PERCEPTION', 'physical perception'), ('SEMANTICS', 'robust reasoning: semantic'), ('SYMBOLIC', 'robust reasoning: symbolic'), ('NO_ERROR', 'no error found: the answer is right'), ('KEY_WRONG', 'the problem or its reference answer is wrong'), ('CANT_TELL', 'can’t tell')], max_length=10, verbose_name='first error')),
                ('passage', models.TextField(blank=True, max_length=1000, verbose_name='passage')),
                ('start', models.PositiveIntegerField(blank=True, help_text='Where in the response it begins, in characters.', null=True)),
                ('comment', models.TextField(blank=True, max_length=1000)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='labels', to='grading.firsterroritem')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_error_labels', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FirstErrorSample',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.BigIntegerField(editable=False, help_text='With it the same answers are drawn again.')),
                ('why', models.CharField(blank=True, help_text='Why it was drawn.', max_length=300)),
                ('drawn_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('completed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('why_ended', models.CharField(blank=True, max_length=300)),
                ('grader_version', models.CharField(max_length=40)),
                ('size', models.PositiveIntegerField(help_text='How many problems were asked for.')),
                ('drawn_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_error_samples', to='curation.benchmarkversion')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='FirstErrorLabeller',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_off_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='asked_for_first_errors', to=settings.AUTH_USER_MODEL)),
                ('sample', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='labellers', to='grading.firsterrorsample')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='firsterroritem',
            name='sample',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='grading.firsterrorsample'),
        ),
        migrations.CreateModel(
            name='FirstErrorDomain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(choices=[('MECHANICS', 'mechanics'), ('ELECTRICITY', 'electricity'), ('THERMODYNAMICS', 'thermodynamics'), ('OPTICS', 'optics'), ('MODERN', 'modern physics'), ('ADVANCED', 'advanced physics'), ('OTHER', 'other')], max_length=20)),
                ('problems', models.PositiveIntegerField(help_text='Of the public part.')),
                ('eligible', models.PositiveIntegerField(help_text='To which every solver of the sample has a wrong answer.')),
                ('asked', models.PositiveIntegerField(help_text='Its even share of the problems asked for.')),
                ('drawn', models.PositiveIntegerField()),
                ('sample', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='domains', to='grading.firsterrorsample')),
            ],
            options={
                'verbose_name': 'domain of a first-error sample',
                'verbose_name_plural': 'domains of first-error samples',
                'ordering': ['sample', 'domain'],
            },
        ),
        migrations.CreateModel(
            name='FirstErrorSolver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField(help_text='Among the solvers of the sample, from 1.')),
                ('accuracy', models.FloatField(help_text='As the board had it, 0 to 100.')),
                ('accuracy_low', models.FloatField(blank=True, help_text='One end of its 95 % interval; empty if there was none.', null=True)),
                ('accuracy_high', models.FloatField(blank=True, null=True)),
                ('problems', models.PositiveIntegerField(help_text='That its accuracy is the mean over.')),
                ('wrong', models.PositiveIntegerField(help_text='Public problems to which any of its answers was graded wrong.')),
                ('sample', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='solvers', to='grading.firsterrorsample')),
            ],
            options={
                'verbose_name': 'solver of a first-error sample',
                'verbose_name_plural': 'solvers of first-error samples',
                'ordering': ['sample', 'place'],
            },
        ),
        migrations.AddField(
            model_name='firsterroritem',
            name='solver',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='grading.firsterrorsolver'),
        ),
        migrations.CreateModel(
            name='GradingRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('grader_version', models.CharField(help_text='That of its beginning; each grade says its own.', max_length=40)),
                ('why', models.CharField(help_text='Why it was made.', max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('adopted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('why_adopted', models.TextField(blank=True)),
                ('set_aside_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('discarded_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('why_discarded', models.TextField(blank=True)),
                ('adopted_by', models.ForeignKey(blank=True, help_text='Empty if a command did it, or if it was the first of a benchmark.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('base', models.ForeignKey(blank=True, help_text='The run that counted when this one was made. This run can only replace that one.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.gradingrun')),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grading_runs', to='curation.benchmark')),
                ('discarded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_by', models.ForeignKey(blank=True, help_text='Empty if a worker or a command did it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='firsterrorsample',
            name='run',
            field=models.ForeignKey(help_text='The run that the benchmark used when the sample was drawn.', on_delete=django.db.models.deletion.PROTECT, related_name='first_error_samples', to='grading.gradingrun'),
        ),
        migrations.AddField(
            model_name='auditsample',
            name='run',
            field=models.ForeignKey(help_text='The run that the benchmark used when the sample was drawn.', on_delete=django.db.models.deletion.PROTECT, related_name='audit_samples', to='grading.gradingrun'),
        ),
        migrations.CreateModel(
            name='Analysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('kind', models.CharField(help_text='What was asked: its name in the code.', max_length=40)),
                ('query', models.JSONField(default=dict, help_text='What the address says of the board: version, domain, …')),
                ('question_sha256', models.CharField(help_text='Of all of the above.', max_length=64)),
                ('state_sha256', models.CharField(help_text='Of the scores that it is of, and of the code’s version.', max_length=64)),
                ('result', models.JSONField(blank=True, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why there is no result.')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('done_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='curation.benchmark')),
                ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='curation.benchmarkversion')),
                ('run', models.ForeignKey(blank=True, help_text='By whose grades; empty for those that count.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='analyses', to='grading.gradingrun')),
            ],
            options={
                'verbose_name': 'analysis',
                'verbose_name_plural': 'analyses',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='HiddenAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('sample', models.PositiveIntegerField(default=1)),
                ('response', models.TextField()),
                ('status', models.CharField(choices=[('QUEUED', 'queued'), ('GRADING', 'being graded'), ('GRADED', 'graded'), ('FAILED', 'not graded')], default='QUEUED', max_length=10)),
                ('accuracy', models.FloatField(blank=True, help_text='0 or 100', null=True)),
                ('failure_reason', models.CharField(blank=True, max_length=40)),
                ('judge_version', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hidden_answers', to='curation.revision')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='audititem',
            name='hidden_answer',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_items', to='grading.hiddenanswer'),
        ),
        migrations.CreateModel(
            name='HiddenBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('figure', models.PositiveSmallIntegerField(blank=True, help_text='Per cent: its accuracy, or the figure that it does not beat. Empty if that figure belongs to another team.', null=True)),
                ('is_better', models.BooleanField(blank=True, help_text='Whether the figure is its own.', null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'batch of hidden answers',
                'verbose_name_plural': 'batches of hidden answers',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='hiddenanswer',
            name='batch',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='grading.hiddenbatch'),
        ),
        migrations.CreateModel(
            name='ItemAssessment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.CharField(choices=[('STATEMENT', 'statement'), ('ANSWER', 'reference answer'), ('SOLUTION', 'solution')], max_length=10, verbose_name='part')),
                ('soundness', models.CharField(choices=[('SOUND', 'sound'), ('REPAIRED', 'repaired'), ('UNCERTAIN', 'uncertain')], max_length=10, verbose_name='assessment')),
                ('reason', models.TextField(max_length=1000, verbose_name='why')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assessments', to='curation.revision')),
            ],
            options={
                'verbose_name': 'assessment of a problem',
                'verbose_name_plural': 'assessments of problems',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='JudgeConfiguration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=grading.judging.prompts.models.list_kinds, max_length=10)),
                ('sha256', models.CharField(help_text='Of all of `described`.', max_length=64, unique=True)),
                ('name', models.CharField(max_length=300)),
                ('document', models.JSONField(help_text='As `judging.engine.configuration` reads it.')),
                ('described', models.JSONField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='JudgeItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('canary', models.CharField(blank=True, max_length=40)),
                ('given', models.JSONField(blank=True, help_text='Of a file: the item, as its line was read.', null=True)),
                ('state', models.CharField(choices=[('QUEUED', 'waiting'), ('JUDGING', 'being judged'), ('SCORED', 'has a verdict'), ('UNSCORED', 'no verdict'), ('SKIPPED', 'left out'), ('CANCELLED', 'cancelled')], default='QUEUED', max_length=10)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('round', models.PositiveIntegerField(default=1)),
                ('reserved_calls', models.PositiveIntegerField(default=0)),
                ('reserved_tokens', models.PositiveIntegerField(default=0)),
                ('reserved_money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
                ('attempt', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judge_items', to='grading.attempt')),
                ('other', models.ForeignKey(blank=True, help_text='What it is compared with, of a pair.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judge_items_as_other', to='grading.attempt')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='JudgeCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveIntegerField()),
                ('judge', models.CharField(max_length=300)),
                ('repeat', models.PositiveIntegerField()),
                ('order', models.CharField(blank=True, max_length=20)),
                ('attempt', models.PositiveIntegerField()),
                ('purpose', models.CharField(max_length=20)),
                ('template', models.CharField(max_length=100)),
                ('template_sha256', models.CharField(max_length=64)),
                ('request_sha256', models.CharField(max_length=64)),
                ('token', models.CharField(blank=True, help_text='The code that the reply has to bear.', max_length=20)),
                ('reply', models.JSONField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, help_text='Why the call failed.', max_length=40)),
                ('retry_after', models.FloatField(blank=True, null=True)),
                ('read_path', models.CharField(blank=True, max_length=100)),
                ('read_reason', models.CharField(blank=True, max_length=40)),
                ('read_preference', models.CharField(blank=True, help_text='Of a pair: the place that it prefers, or TIE.', max_length=3)),
                ('says_right', models.BooleanField(blank=True, help_text='Whether it says that the answer is right; empty where it does not say.', null=True)),
                ('read_flags', models.JSONField(blank=True, default=list)),
                ('calls', models.PositiveIntegerField(default=1)),
                ('tokens', models.PositiveIntegerField(default=0)),
                ('money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
                ('estimated', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='grading.judgeitem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('SCORED', 'has a verdict'), ('UNSCORED', 'no verdict'), ('SKIPPED', 'left out')], max_length=10)),
                ('verdict', models.JSONField(blank=True, null=True)),
                ('is_right', models.BooleanField(blank=True, help_text='Whether the verdict is that the answer is right.', null=True)),
                ('value', models.FloatField(blank=True, help_text='The verdict as a number.', null=True)),
                ('has_passed', models.BooleanField(blank=True, help_text='For a trap item: whether the verdict is the known one.', null=True)),
                ('stage', models.CharField(blank=True, max_length=10)),
                ('rule', models.JSONField(blank=True, null=True)),
                ('path', models.CharField(blank=True, help_text='How the reply was read.', max_length=100)),
                ('flags', models.JSONField(blank=True, default=list)),
                ('doubts', models.JSONField(blank=True, default=list, help_text='Why a person should check it.')),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('votes', models.JSONField(blank=True, default=list)),
                ('symbolic_verdict', models.CharField(blank=True, max_length=20)),
                ('other_symbolic_verdict', models.CharField(blank=True, help_text='Of a pair: that of the other answer.', max_length=20)),
                ('calls', models.PositiveIntegerField(default=0)),
                ('tokens', models.PositiveIntegerField(default=0)),
                ('money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
                ('estimated', models.PositiveIntegerField(default=0)),
                ('input_sha256', models.CharField(max_length=64)),
                ('versions', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('attempt', models.ForeignKey(blank=True, help_text='Empty for a trap item and for a pair: the verdict is not about one answer alone.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judgements', to='grading.attempt')),
                ('configuration', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgements', to='grading.judgeconfiguration')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='judgements', to='grading.judgeitem')),
                ('reused', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.judgement')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='JudgePrompt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('version', models.CharField(max_length=40)),
                ('sha256', models.CharField(max_length=64)),
                ('text', models.TextField()),
                ('kind', models.CharField(choices=grading.judging.prompts.models.list_kinds, max_length=10)),
                ('language', models.CharField(max_length=5)),
                ('with_reference', models.BooleanField(default=True)),
                ('is_built_in', models.BooleanField(default=False)),
                ('released_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('brought_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('released_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='judgeconfiguration',
            name='prompt',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='configurations', to='grading.judgeprompt'),
        ),
        migrations.CreateModel(
            name='JudgeRun',
            fields=[
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='judge_run', serialize=False, to='grading.run')),
                ('purpose', models.CharField(help_text='Why it was started.', max_length=300)),
                ('is_fresh', models.BooleanField(default=False, help_text='Whether it asks again what the same judge has already answered.')),
                ('most_calls', models.PositiveIntegerField(blank=True, null=True)),
                ('most_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('most_money', models.DecimalField(blank=True, decimal_places=4, max_digits=12, null=True)),
                ('lost_calls', models.PositiveIntegerField(default=0)),
                ('lost_tokens', models.PositiveBigIntegerField(default=0)),
                ('lost_money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
            ],
            options={
                'ordering': ['-pk'],
            },
            bases=('grading.run',),
        ),
        migrations.CreateModel(
            name='ModelRun',
            fields=[
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='model_run', serialize=False, to='grading.run')),
                ('model', models.CharField(max_length=200)),
                ('host', models.CharField(help_text='Where the texts were agreed to go.', max_length=300)),
                ('name', models.CharField(help_text='The name under which its answers are submitted.', max_length=120)),
                ('samples', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(16)])),
                ('temperature', models.FloatField(blank=True, null=True)),
                ('max_tokens', models.PositiveIntegerField()),
                ('reasoning_effort', models.CharField(blank=True, max_length=20)),
                ('includes_hidden', models.BooleanField(help_text='Whether the hidden part is asked as well.')),
                ('prompt_name', models.CharField(max_length=40)),
                ('prompt_sha256', models.CharField(max_length=64)),
                ('prompt_words', models.TextField(help_text='Ours, with the places that a problem fills.')),
                ('handed_over_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'verbose_name': 'run of a model',
                'verbose_name_plural': 'runs of models',
                'ordering': ['-pk'],
            },
            bases=('grading.run', models.Model),
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='trial', serialize=False, to='grading.run')),
                ('model', models.CharField(max_length=200)),
                ('host', models.CharField(help_text='Where the text was agreed to go.', max_length=300)),
                ('times', models.PositiveIntegerField()),
                ('text_sha256', models.CharField(help_text='Of statement, symbols and answer: tells texts apart.', max_length=64)),
                ('prompt_name', models.CharField(max_length=40)),
                ('prompt_sha256', models.CharField(max_length=64)),
                ('prompt', models.TextField(help_text='What was sent.')),
                ('answer', models.TextField(verbose_name='reference answer')),
                ('declarations', models.JSONField(blank=True, default=list)),
                ('wanted', models.JSONField(blank=True, default=dict, help_text='What is asked: quantity, unit, terms, conditions.')),
                ('statement', models.TextField(blank=True, verbose_name='statement')),
                ('longest_reply', models.PositiveIntegerField()),
            ],
            options={
                'ordering': ['-pk'],
            },
            bases=('grading.run',),
        ),
        migrations.CreateModel(
            name='KeptReply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text='As the program chose it.', max_length=200)),
                ('path', models.CharField(max_length=500)),
                ('sha256', models.CharField(help_text='Of what was sent.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('reply', models.JSONField(blank=True, null=True)),
                ('made_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'answer of the API',
                'verbose_name_plural': 'answers of the API',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='KeyCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('doubts', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('OTHER_LEADS', 'more solvers agree on another answer than on the reference answer'), ('NOBODY_RIGHT', 'no solver has given the reference answer'), ('STRONG_FAIL', 'strong solvers do worse on it than weak ones'), ('TWO_READINGS', 'the reference answer can be read in more than one way')], max_length=20), blank=True, default=list, size=None)),
                ('groups', models.JSONField(default=list, help_text='Equal answers: latex, solvers, blind_solves, answers, is_key; of a reference answer with several readings these, the standard one first.')),
                ('strong', models.FloatField(help_text='Mean accuracy of the strong half.', null=True)),
                ('weak', models.FloatField(help_text='Mean accuracy of the weak half.', null=True)),
                ('in_half', models.PositiveIntegerField(default=0)),
                ('solvers', models.PositiveIntegerField(default=0, help_text='Models, participants, and reviewers who solved it blind.')),
                ('blind_solves', models.PositiveIntegerField(default=0, help_text='Reviewers among the solvers: those who solved it blind.')),
                ('unread', models.PositiveIntegerField(default=0, help_text='Answers that are in no group.')),
                ('last_grade', models.PositiveBigIntegerField(help_text='The newest grade it takes into account.')),
                ('computed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('revision', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='key_check', to='curation.revision')),
            ],
            options={
                'ordering': ['-computed_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='KeyDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choice', models.CharField(blank=True, choices=[('KEY_RIGHT', 'the reference answer is right'), ('KEY_WRONG', 'the reference answer is wrong'), ('AMBIGUOUS', 'the problem is ambiguous'), ('NEEDS_WORK', 'needs more work')], help_text='Empty where a reference answer was only checked, before there were decisions.', max_length=10, verbose_name='decision')),
                ('note', models.TextField(verbose_name='what was found')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('last_grade', models.PositiveBigIntegerField(help_text='The newest grade that it takes into account.')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('key_check', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='grading.keycheck')),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='key_decisions', to='curation.errorreport')),
            ],
            options={
                'verbose_name': 'decision on a reference answer in doubt',
                'verbose_name_plural': 'decisions on reference answers in doubt',
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='keycheck',
            name='last_decision',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.keydecision'),
        ),
        migrations.CreateModel(
            name='LabelFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=200)),
                ('sha256', models.CharField(help_text='Of the file, byte for byte.', max_length=64)),
                ('origin', models.CharField(help_text='Who labelled, when and by what instructions.', max_length=500)),
                ('rows', models.JSONField(help_text='As they were read.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('brought_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='label_files', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ModelCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.PositiveBigIntegerField(blank=True, help_text='Number of the answer, or of the question to a judge, that it was made for.', null=True)),
                ('model', models.CharField(blank=True, help_text='As it was asked for.', max_length=200)),
                ('url', models.CharField(max_length=600)),
                ('request', models.TextField(blank=True)),
                ('status', models.PositiveIntegerField(blank=True, help_text='Empty if no response came.', null=True)),
                ('headers', models.JSONField(blank=True, default=dict)),
                ('body', models.TextField(blank=True, help_text='As it came, up to a limit.')),
                ('is_cut', models.BooleanField(default=False, help_text='Whether more came than is kept.')),
                ('reason', models.CharField(blank=True, help_text='Why it failed.', max_length=40)),
                ('model_reported', models.CharField(blank=True, max_length=200)),
                ('fingerprint', models.CharField(blank=True, max_length=200)),
                ('prompt_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('completion_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('reasoning_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('tokens', models.PositiveIntegerField(default=0, help_text='Those that the budget counts.')),
                ('money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
                ('is_estimated', models.BooleanField(default=False, help_text='Whether the endpoint did not tell what it used.')),
                ('seconds', models.FloatField()),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='grading.endpoint')),
                ('run', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='grading.run')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ModelRunAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('sample', models.PositiveIntegerField(help_text='From 1.')),
                ('state', models.CharField(choices=[('QUEUED', 'waiting'), ('CALLING', 'the model is asked'), ('ANSWERED', 'answered'), ('FAILED', 'the call failed'), ('CANCELLED', 'cancelled')], default='QUEUED', max_length=10)),
                ('failures', models.JSONField(blank=True, default=list, help_text='Calls that failed: reason, retry_after.')),
                ('first_call_at', models.DateTimeField(blank=True, null=True)),
                ('failure_reason', models.CharField(blank=True, max_length=40)),
                ('failure_message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('response', models.TextField(blank=True)),
                ('reasoning', models.TextField(blank=True, help_text='Told apart by the endpoint; not graded.')),
                ('remark', models.CharField(blank=True, choices=[('truncated', 'cut off'), ('refusal', 'refused'), ('content_filtered', 'filtered'), ('empty', 'no text')], max_length=20)),
                ('finish_reason', models.CharField(blank=True, max_length=60)),
                ('model_reported', models.CharField(blank=True, max_length=200)),
                ('prompt_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('completion_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('reasoning_tokens', models.PositiveIntegerField(blank=True, null=True)),
                ('latency', models.FloatField(blank=True, help_text='Seconds of the call that returned it.', null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('calls_made', models.PositiveIntegerField(default=0)),
                ('tokens', models.PositiveBigIntegerField(default=0)),
                ('money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
                ('estimated', models.PositiveIntegerField(default=0, help_text='Of the calls, those whose tokens the endpoint did not tell.')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.versionitem')),
            ],
            options={
                'verbose_name': 'answer of a run of a model',
                'verbose_name_plural': 'answers of runs of models',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('way', models.CharField(choices=[('MAIL', 'e-mail'), ('WEBHOOK', 'webhook')], max_length=10)),
                ('address', models.CharField(blank=True, help_text='Of a webhook.', max_length=500)),
                ('sent_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failed_at', models.DateTimeField(blank=True, editable=False, help_text='When it was given up.', null=True)),
                ('failure', models.TextField(blank=True, help_text='Why the last try failed.')),
                ('draft', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='grading.draft')),
                ('person', models.ForeignKey(help_text='Who asked for it.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'notice that answers are graded',
                'verbose_name_plural': 'notices that answers are graded',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Organisation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('is_demo', models.BooleanField(default=False, verbose_name='made by the demo')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='grading.organisation')),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('joined_at', models.DateTimeField(blank=True, null=True)),
                ('left_at', models.DateTimeField(blank=True, help_text='When they left, or were not taken.', null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='grading.organisation')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='JudgeFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=200)),
                ('sha256', models.CharField(help_text='Of the file, byte for byte.', max_length=64)),
                ('content', models.BinaryField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('uploaded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('organisation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judge_files', to='grading.organisation')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='hiddenbatch',
            name='organisation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hidden_batches', to='grading.organisation'),
        ),
        migrations.AddField(
            model_name='draft',
            name='organisation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='grading.organisation'),
        ),
        migrations.CreateModel(
            name='Override',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('response', models.TextField(help_text='The words that it is about, as submitted.')),
                ('kind', models.CharField(choices=[('RIGHT', 'the answer is right'), ('WRONG', 'the answer is wrong'), ('READ_AS', 'the answer is to be read as')], max_length=10)),
                ('read_as', models.TextField(blank=True, help_text='LaTeX that is graded in place of the words.', max_length=4000)),
                ('key_sha256', models.CharField(help_text='The reference answer that the ruling used: right and wrong hold for that one only.', max_length=64)),
                ('why', models.TextField()),
                ('ruled_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to='curation.revision')),
                ('ruled_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'ruling that counts',
                'verbose_name_plural': 'rulings that count',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='gradingrun',
            name='overrides',
            field=models.ManyToManyField(blank=True, help_text='Rulings that it takes up.', related_name='runs', to='grading.override'),
        ),
        migrations.CreateModel(
            name='Grade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('judge', models.CharField(max_length=40)),
                ('judge_version', models.CharField(max_length=40)),
                ('verdict', models.CharField(choices=[('CORRECT', 'correct'), ('PARTIAL', 'partial'), ('INCORRECT', 'incorrect'), ('UNREADABLE', 'could not be read')], max_length=20)),
                ('accuracy', models.FloatField(help_text='0 or 100')),
                ('eed', models.FloatField(help_text='0 to 100', verbose_name='EED')),
                ('distance', models.FloatField(blank=True, null=True)),
                ('size', models.FloatField(blank=True, null=True)),
                ('relative', models.FloatField(blank=True, null=True)),
                ('reference_read', models.TextField(blank=True)),
                ('answer_read', models.TextField(blank=True)),
                ('reference_typed', models.TextField(blank=True)),
                ('answer_typed', models.TextField(blank=True)),
                ('notes', models.JSONField(blank=True, default=list)),
                ('edits', models.JSONField(blank=True, default=list)),
                ('trees', models.JSONField(blank=True, help_text='Both trees with the edits on them; empty where no distance was measured.', null=True)),
                ('answer_start', models.PositiveIntegerField(blank=True, help_text='Where in the response the graded part begins.', null=True)),
                ('answer_end', models.PositiveIntegerField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('sympy_version', models.CharField(max_length=20)),
                ('seconds', models.FloatField()),
                ('automatic_verdict', models.CharField(blank=True, help_text='Where a person ruled: what the grader said, or NOT_GRADED.', max_length=20)),
                ('automatic_eed', models.FloatField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grades', to='grading.attempt')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='grades', to='grading.gradingrun')),
                ('override', models.ForeignKey(blank=True, help_text='The ruling by a person that decides this grade; empty where the grader decided.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='grades', to='grading.override')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Contest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('MISREAD', 'the answer was misread'), ('EQUIVALENT', 'the answer has the value of the reference answer in another form'), ('KEY_WRONG', 'the reference answer is wrong')], max_length=12, verbose_name='what is wrong')),
                ('text', models.TextField(max_length=4000, verbose_name='why')),
                ('contested_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('taken_back_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('fault', models.CharField(blank=True, choices=[('GRADER', 'the grader is at fault'), ('KEY', 'the reference answer is at fault'), ('MODEL', 'the answer is at fault: the grade is right'), ('CANT_TELL', 'can’t tell')], max_length=10, verbose_name='ruling')),
                ('why', models.TextField(blank=True, help_text='Why it was ruled so.')),
                ('ruled_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('told_at', models.DateTimeField(blank=True, editable=False, help_text='When the outcome was read.', null=True)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='contests', to='grading.attempt')),
                ('contested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='contests', to=settings.AUTH_USER_MODEL)),
                ('report', models.ForeignKey(blank=True, help_text='Where the reference answer is at fault: the error report about it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='contests', to='curation.errorreport')),
                ('ruled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ruled_contests', to=settings.AUTH_USER_MODEL)),
                ('grade', models.ForeignKey(blank=True, help_text='What is contested; empty where the answer could not be graded.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='contests', to='grading.grade')),
                ('organisation', models.ForeignKey(blank=True, help_text='Whose answer it is; empty for a participant’s own.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='contests', to='grading.organisation')),
                ('override', models.OneToOneField(blank=True, help_text='Where the grader is at fault: what the answer is instead.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='contest', to='grading.override')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Panel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('size', models.PositiveIntegerField(help_text='Number of models in it.', validators=[django.core.validators.MinValueValidator(5)])),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('made_by', models.ForeignKey(blank=True, help_text='Empty if a worker did it.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='panels', to='curation.benchmarkversion')),
            ],
            options={
                'verbose_name': 'panel of models',
                'verbose_name_plural': 'panels of models',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Participation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pseudonym', models.CharField(max_length=12)),
                ('consent_version', models.PositiveSmallIntegerField()),
                ('consent_sha256', models.CharField(help_text='Of the text consented to.', max_length=64)),
                ('consented_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('answers', models.JSONField(blank=True, default=dict, help_text='To the questions of eligibility and background.')),
                ('attested_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('practised_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='participations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['study', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Exclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.CharField(max_length=500)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('participation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='exclusion', to='grading.participation')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PublishedColumn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('published_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('benchmark', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='curation.benchmark')),
                ('configuration', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='published_columns', to='grading.judgeconfiguration')),
                ('published_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RegradedSolve',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('AGREES', 'agrees with the reference answer'), ('DISAGREES', 'differs from the reference answer'), ('NOT_TOLD', 'undecided'), ('NO_ANSWER', 'no answer was given')], max_length=20)),
                ('eed', models.FloatField(blank=True, null=True)),
                ('not_told_reason', models.CharField(blank=True, max_length=40)),
                ('grader_version', models.CharField(max_length=20)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='solves', to='grading.gradingrun')),
                ('solve', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='regraded', to='curation.blindsolve')),
            ],
            options={
                'verbose_name': 'blind solve graded anew',
                'verbose_name_plural': 'blind solves graded anew',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RegradePart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('number', models.PositiveIntegerField(help_text='Of this run’s parts, from 1.')),
                ('first', models.PositiveBigIntegerField(help_text='Its first answer.')),
                ('last', models.PositiveBigIntegerField(help_text='Its last answer.')),
                ('is_of_solves', models.BooleanField(default=False, help_text='Whether these are answers of reviewers who solved blind.')),
                ('done_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='parts', to='grading.gradingrun')),
            ],
            options={
                'verbose_name': 'part of a regrade',
                'verbose_name_plural': 'parts of regrades',
                'ordering': ['run', 'number'],
            },
        ),
        migrations.CreateModel(
            name='ReportedScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('solver', models.CharField(help_text='As the source calls it.', max_length=120, verbose_name='Solver')),
                ('kind', models.CharField(choices=[('MODEL', 'model'), ('HUMAN', 'people')], default='MODEL', max_length=10, verbose_name='Kind')),
                ('item_set', models.CharField(help_text='Which problems, for example: 575 problems, 500 of them published.', max_length=200, verbose_name='Measured on')),
                ('n', models.PositiveIntegerField(blank=True, help_text='Number of problems or answers that the figures cover.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='n')),
                ('accuracy', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='Accuracy, %')),
                ('accuracy_pm', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='± of the accuracy')),
                ('eed', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='Mean EED')),
                ('eed_pm', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='± of the EED')),
                ('pm_is', models.CharField(blank=True, choices=[('SE', 'one standard error'), ('CI95', 'half of a 95 % interval'), ('SD', 'one standard deviation'), ('UNSAID', 'not stated')], max_length=10, verbose_name='± is')),
                ('citation', models.CharField(help_text='Who published it, where, and in which table.', max_length=500, verbose_name='Source')),
                ('url', models.CharField(help_text='It begins with https://.', max_length=500, validators=[django.core.validators.URLValidator(message='Write a full address that begins with https://.', schemes=['https'])], verbose_name='Address of the source')),
                ('reported_on', models.DateField(help_text='For example 2025-04-22.', verbose_name='Published on')),
                ('note', models.CharField(blank=True, help_text='What readers need to know to compare it. This is public.', max_length=500, verbose_name='Note')),
                ('added_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('withdrawn_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('why_withdrawn', models.CharField(blank=True, max_length=500)),
                ('added_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('benchmark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reported_scores', to='curation.benchmark')),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Reservation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('calls', models.PositiveIntegerField()),
                ('tokens', models.PositiveBigIntegerField()),
                ('money', models.DecimalField(decimal_places=6, max_digits=16)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reservations', to='grading.endpoint')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reservations', to='grading.run')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choice', models.CharField(choices=[('RIGHT', 'right'), ('WRONG', 'wrong'), ('CANT_TELL', 'can’t tell')], max_length=10, verbose_name='ruling')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('labeller', models.CharField(blank=True, help_text='As the file names who labelled.', max_length=120)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='grading.attempt')),
                ('label_file', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='labels', to='grading.labelfile')),
                ('ruled_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RunJudge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=300)),
                ('model', models.CharField(max_length=200)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.endpoint')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RunKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(help_text='Of the answer, its symbols and their conditions.', max_length=64)),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.revision')),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='run_keys', to='curation.revision')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='keys', to='grading.gradingrun')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('seed', models.BigIntegerField(editable=False, help_text='With it the same problems come in the same order.')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ends_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ending', models.CharField(blank=True, choices=[('HANDED_IN', 'submitted in time'), ('STOPPED', 'stopped early'), ('TIME_UP', 'time was up')], max_length=10)),
                ('tab', models.CharField(blank=True, help_text='The one tab that may save.', max_length=40)),
                ('seen_at', models.DateTimeField(default=django.utils.timezone.now, help_text='Last heard of its browser.')),
                ('kept_to_aids', models.BooleanField(blank=True, help_text='What they said afterwards; empty where not asked.', null=True)),
                ('participation', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='session', to='grading.participation')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Extension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minutes', models.PositiveSmallIntegerField()),
                ('why', models.CharField(max_length=500)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='extensions', to='grading.session')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='SessionItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('opened_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('is_marked', models.BooleanField(default=False)),
                ('seen_before_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('gave_up_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('why_gave_up', models.CharField(blank=True, max_length=500)),
                ('outcome', models.CharField(blank=True, choices=[('ANSWERED', 'answered'), ('EMPTY', 'left empty'), ('GAVE_UP', 'gave up'), ('SEEN', 'had seen it before')], max_length=10)),
                ('attempt', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sat', to='grading.attempt')),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='grading.session')),
            ],
            options={
                'ordering': ['session', 'place'],
            },
        ),
        migrations.CreateModel(
            name='Save',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='In the order of typing, over all tabs.')),
                ('kind', models.CharField(choices=[('ANSWER', 'answer'), ('NOTES', 'notes')], max_length=6)),
                ('text', models.TextField(blank=True)),
                ('tab', models.CharField(max_length=40)),
                ('arrived_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('is_late', models.BooleanField(default=False, help_text='It came after the deadline and its grace, and is not graded.')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='saves', to='grading.sessionitem')),
            ],
            options={
                'ordering': ['item', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Repair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('meant', models.TextField(blank=True)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('state', models.CharField(choices=[('QUEUED', 'queued'), ('GRADED', 'graded'), ('FAILED', 'not graded'), ('HOPELESS', 'can’t be made out')], default='QUEUED', max_length=8)),
                ('verdict', models.CharField(blank=True, choices=[('CORRECT', 'correct'), ('PARTIAL', 'partial'), ('INCORRECT', 'incorrect'), ('UNREADABLE', 'could not be read')], max_length=20)),
                ('accuracy', models.FloatField(blank=True, help_text='0 or 100', null=True)),
                ('eed', models.FloatField(blank=True, help_text='0 to 100', null=True, verbose_name='EED')),
                ('judge_version', models.CharField(blank=True, max_length=40)),
                ('failure_reason', models.CharField(blank=True, max_length=40)),
                ('failure_message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='repair', to='grading.sessionitem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Debriefing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clarity', models.PositiveSmallIntegerField(blank=True, choices=[(1, '1, poor'), (2, '2'), (3, '3'), (4, '4'), (5, '5, very good')], null=True, verbose_name='How clear is the statement?')),
                ('rigour', models.PositiveSmallIntegerField(blank=True, choices=[(1, '1, poor'), (2, '2'), (3, '3'), (4, '4'), (5, '5, very good')], null=True, verbose_name='How rigorous is it: does it say all that the answer needs?')),
                ('key_opinion', models.CharField(blank=True, choices=[('RIGHT', 'right'), ('WRONG', 'wrong'), ('UNSURE', 'not sure')], max_length=6, verbose_name='The reference answer is')),
                ('cause', models.CharField(blank=True, choices=[('SLIP', 'a slip: I knew how, and made a mistake on the way'), ('BELIEF', 'a belief: I took something wrong to be true, or did not know how')], max_length=6, verbose_name='Your answer is wrong because of')),
                ('comment', models.TextField(blank=True, max_length=2000, verbose_name='Comment')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='debriefing', to='grading.sessionitem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Solver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('kind', models.CharField(choices=[('MODEL', 'model'), ('HUMAN', 'person')], max_length=10)),
                ('is_demo', models.BooleanField(default=False, verbose_name='made by the demo')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('organisation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='solvers', to='grading.organisation')),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='solver', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Description',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Of this model’s descriptions, from 1.')),
                ('kind', models.CharField(blank=True, choices=[('REASONING', 'reasoning'), ('GENERAL', 'general')], max_length=10, verbose_name='Kind')),
                ('parameters', models.PositiveBigIntegerField(blank=True, null=True, verbose_name='Parameters')),
                ('developer', models.CharField(blank=True, max_length=120, verbose_name='Developer')),
                ('weights', models.CharField(blank=True, choices=[('OPEN', 'open weights'), ('CLOSED', 'closed weights')], max_length=10, verbose_name='Weights')),
                ('released_on', models.DateField(blank=True, null=True, verbose_name='Released on')),
                ('link', models.CharField(blank=True, max_length=300, verbose_name='Link')),
                ('inference', models.CharField(blank=True, max_length=200, verbose_name='Inference parameters')),
                ('tools', models.CharField(blank=True, max_length=100, verbose_name='Tools')),
                ('harness', models.CharField(blank=True, max_length=100, verbose_name='Harness')),
                ('described_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('described_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('solver', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='descriptions', to='grading.solver')),
            ],
            options={
                'ordering': ['-number', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='attempt',
            name='solver',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='grading.solver'),
        ),
        migrations.CreateModel(
            name='Spending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=200)),
                ('day', models.DateField()),
                ('calls', models.PositiveIntegerField(default=0)),
                ('tokens', models.PositiveBigIntegerField(default=0)),
                ('money', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=16)),
                ('estimated', models.PositiveIntegerField(default=0, help_text='Of the calls, those whose tokens the endpoint did not tell.')),
                ('endpoint', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='spending', to='grading.endpoint')),
            ],
            options={
                'ordering': ['-day', 'model'],
            },
        ),
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('population', models.TextField(blank=True, max_length=2000, verbose_name='population')),
                ('recruitment', models.TextField(blank=True, max_length=2000, verbose_name='recruitment')),
                ('pay', models.TextField(blank=True, max_length=2000, verbose_name='pay and bonus')),
                ('ethics', models.TextField(blank=True, max_length=2000, verbose_name='ethics approval')),
                ('authors_part', models.CharField(choices=[('NO', 'no'), ('YES', 'yes, some took part'), ('UNKNOWN', 'not known')], default='UNKNOWN', max_length=7, verbose_name='authors of problems took part')),
                ('pilot', models.TextField(blank=True, help_text='Whether the design was tried with some people first, and what that changed.', max_length=2000, verbose_name='pilot')),
                ('ai_tools', models.TextField(blank=True, help_text='Name them with their versions, or say that there were none.', max_length=2000, verbose_name='AI tools that people might use')),
                ('training_pay', models.TextField(blank=True, max_length=2000, verbose_name='pay for the practice problem')),
                ('bonus', models.TextField(blank=True, help_text='Say how much and for what, or that there was none.', max_length=2000, verbose_name='bonus for correct answers')),
                ('pay_alike', models.TextField(blank=True, help_text='If not, say what the pay depended on.', max_length=2000, verbose_name='whether all were paid alike')),
                ('paper', models.CharField(blank=True, max_length=500, verbose_name='link to the paper')),
                ('venue', models.CharField(blank=True, max_length=500, verbose_name='where the paper is published')),
                ('data', models.CharField(choices=[('UNKNOWN', 'not said yet'), ('SINGLE', 'public, for each person without the name'), ('SUMS', 'public, only as totals over people'), ('CLOSED', 'not public')], default='UNKNOWN', max_length=7, verbose_name='data of the people')),
                ('data_where', models.TextField(blank=True, max_length=2000, verbose_name='where the data are, or why they are not public')),
                ('materials', models.TextField(blank=True, help_text='The problems, the instructions for people, and this page.', max_length=2000, verbose_name='where the materials are')),
                ('code', models.TextField(blank=True, max_length=2000, verbose_name='where the code of the analysis is')),
                ('title', models.CharField(max_length=120, verbose_name='title')),
                ('language', models.CharField(choices=[('en', 'English'), ('zh', 'Chinese')], default='en', max_length=10, verbose_name='language of the statements')),
                ('problems', models.PositiveSmallIntegerField(default=8, verbose_name='problems in a session')),
                ('minutes', models.PositiveSmallIntegerField(default=180, verbose_name='minutes for a session')),
                ('opens_at', models.DateTimeField(blank=True, null=True, verbose_name='first day')),
                ('closes_at', models.DateTimeField(blank=True, null=True, verbose_name='last day')),
                ('joining', models.CharField(choices=[('LIST', 'people on a list'), ('LINK', 'everybody with the link'), ('OPEN', 'every participant of this site')], default='LIST', max_length=5, verbose_name='who may join')),
                ('link_secret', models.CharField(editable=False, max_length=40, unique=True)),
                ('most_people', models.PositiveIntegerField(default=81, verbose_name='maximum number of people')),
                ('consent', models.TextField(blank=True, max_length=20000, verbose_name='consent')),
                ('consent_version', models.PositiveSmallIntegerField(default=1, editable=False)),
                ('questions', models.JSONField(blank=True, default=list, help_text='About eligibility and background.')),
                ('allowed_aids', models.TextField(blank=True, max_length=2000, verbose_name='allowed aids')),
                ('attestation', models.TextField(blank=True, help_text='For example: “I used no AI.”', max_length=2000, verbose_name='what people attest')),
                ('pauses', models.TextField(blank=True, max_length=2000, verbose_name='rule for pauses')),
                ('completion_code', models.CharField(blank=True, max_length=60, verbose_name='completion code')),
                ('shows_results', models.BooleanField(default=False, verbose_name='people see their own results')),
                ('shows_keys', models.BooleanField(default=False, verbose_name='people see the reference answers afterwards')),
                ('shows_at_once', models.BooleanField(default=False, help_text='People who have not started yet may then hear about the answers.', verbose_name='people see this directly after their session, before the study has ended')),
                ('hypothesis', models.TextField(blank=True, max_length=4000, verbose_name='hypothesis')),
                ('exclusions', models.TextField(blank=True, max_length=4000, verbose_name='exclusion rules')),
                ('rules', models.JSONField(blank=True, default=dict, help_text='Rules that leave people out, with the number of minutes where a rule has one.')),
                ('analysis', models.TextField(blank=True, max_length=4000, verbose_name='analysis')),
                ('expected_accuracy', models.FloatField(default=60.0, verbose_name='expected accuracy, %')),
                ('person_correlation', models.FloatField(default=0.1, verbose_name='correlation of the answers of one person')),
                ('problem_correlation', models.FloatField(default=0.2, verbose_name='correlation of the answers to one problem')),
                ('detectable', models.FloatField(blank=True, editable=False, help_text='Smallest difference that the planned study can detect, in points.', null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('opened_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('opened_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='studies', to='curation.benchmarkversion')),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Preregistration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.JSONField()),
                ('sha256', models.CharField(help_text='Of the content, as it is downloaded.', max_length=64)),
                ('frozen_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='preregistration', to='grading.study')),
            ],
        ),
        migrations.AddField(
            model_name='participation',
            name='study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='participations', to='grading.study'),
        ),
        migrations.CreateModel(
            name='LettersOff',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='letters_off', to='grading.study')),
            ],
            options={
                'verbose_name_plural': 'letters off',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('kind', models.CharField(choices=[('INVITATION', 'invitation'), ('REMINDER', 'reminder')], max_length=10)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('sent_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('failure', models.TextField(blank=True, help_text='Why the last try failed.')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to='grading.study')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('invited_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='grading.study')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='HumanBaseline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('named_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('ended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('named_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='baselines', to='curation.benchmarkversion')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='baselines', to='grading.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Deviation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('field', models.CharField(max_length=40)),
                ('before', models.JSONField(null=True)),
                ('after', models.JSONField(null=True)),
                ('why', models.CharField(max_length=500)),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deviations', to='grading.study')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='StudyItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('statement', models.TextField(help_text='Exactly as people see it.')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='curation.versionitem')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='grading.study')),
            ],
            options={
                'ordering': ['study', 'item'],
            },
        ),
        migrations.AddField(
            model_name='sessionitem',
            name='study_item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sat', to='grading.studyitem'),
        ),
        migrations.CreateModel(
            name='SubmissionTally',
            fields=[
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='tally', serialize=False, to='grading.submission')),
                ('waiting', models.PositiveIntegerField(default=0)),
                ('graded', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('cancelled', models.PositiveIntegerField(default=0)),
                ('graded_at', models.DateTimeField(blank=True, help_text='When the last of its answers was graded, or graded anew.', null=True)),
                ('scores', models.JSONField(blank=True, help_text='What they come to; empty while one may be graded.', null=True)),
            ],
            options={
                'verbose_name': 'tally of a submission',
                'verbose_name_plural': 'tallies of submissions',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='submission',
            name='solver',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='grading.solver'),
        ),
        migrations.AddField(
            model_name='submission',
            name='uploaded_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='submission',
            name='version',
            field=models.ForeignKey(blank=True, help_text='Empty if it was submitted before there were versions.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='curation.benchmarkversion'),
        ),
        migrations.CreateModel(
            name='PanelMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('panel', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='members', to='grading.panel')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='in_panels', to='grading.submission')),
            ],
            options={
                'verbose_name': 'model in a panel',
                'verbose_name_plural': 'models in panels',
                'ordering': ['panel', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='hiddenbatch',
            name='submission',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='hidden', to='grading.submission'),
        ),
        migrations.AddField(
            model_name='firsterrorsolver',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_error_solvers', to='grading.submission'),
        ),
        migrations.CreateModel(
            name='DraftSubmission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='grading.draft')),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='made_from', to='grading.submission')),
            ],
            options={
                'verbose_name': 'submission of a draft',
                'verbose_name_plural': 'submissions of drafts',
                'ordering': ['submission_id'],
            },
        ),
        migrations.AddField(
            model_name='attempt',
            name='submission',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='grading.submission'),
        ),
        migrations.CreateModel(
            name='AnswerSorting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('groups', models.JSONField(blank=True, default=list, help_text='Lists of answers, by number, that are equal.')),
                ('not_compared', models.PositiveIntegerField(default=0, help_text='Answers for which it is unclear whether they equal others; each is separate.')),
                ('stopped', models.CharField(blank=True, help_text='Why comparing ended early; empty where it did not.', max_length=20)),
                ('done_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sortings', to='curation.revision')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='sortings', to='grading.gradingrun')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sortings', to='grading.submission')),
            ],
            options={
                'verbose_name': 'sorting of answers',
                'verbose_name_plural': 'sortings of answers',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('SHOWN', 'time on the problem'), ('FOCUS', 'time on it with the focus'), ('AWAY', 'the page lost the focus'), ('PASTE', 'something was pasted')], max_length=5)),
                ('moment', models.BigIntegerField(help_text='Milliseconds on the browser’s clock: what is sent twice is kept once.')),
                ('amount', models.PositiveIntegerField(default=0, help_text='Milliseconds; of a paste, characters.')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='traces', to='grading.sessionitem')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Ungraded',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=40)),
                ('message', phybench.pages.sentences.SentenceField(blank=True, null=True)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ungraded_in', to='grading.attempt')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ungraded', to='grading.gradingrun')),
            ],
            options={
                'verbose_name': 'answer not graded',
                'verbose_name_plural': 'answers not graded',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='UnorderedPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('priority', models.PositiveSmallIntegerField(default=2, editable=False)),
                ('queued_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('next_at', models.DateTimeField(blank=True, help_text='Earliest time of the next try.', null=True)),
                ('tries', models.PositiveIntegerField(default=0, help_text='Number of times a worker started it.')),
                ('lost', models.PositiveIntegerField(default=0, help_text='Number of workers that gave it up.')),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('first', models.PositiveBigIntegerField(help_text='Its first grade.')),
                ('last', models.PositiveBigIntegerField(help_text='Its last grade.')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='unordered_parts', to='grading.gradingrun')),
            ],
            options={
                'verbose_name': 'part to be measured without order',
                'verbose_name_plural': 'parts to be measured without order',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='UnorderedScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(help_text='Of the metric.', max_length=20)),
                ('distance', models.FloatField(blank=True, null=True)),
                ('score', models.FloatField(blank=True, help_text='0 to 60; empty: see the reason.', null=True)),
                ('reason', models.CharField(blank=True, choices=[('timeout', 'it took too long'), ('memory', 'it took too much memory'), ('crashed', 'the process that measured it stopped'), ('worker_lost', 'the worker stopped while measuring it'), ('error', 'an error in our program: see the log')], max_length=20)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('grade', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='unordered', to='grading.grade')),
            ],
            options={
                'verbose_name': 'unordered score',
                'verbose_name_plural': 'unordered scores',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='AuditAdjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choice', models.CharField(choices=[('RIGHT', 'right'), ('WRONG', 'wrong'), ('CANT_TELL', 'can’t tell')], max_length=10, verbose_name='this answer is')),
                ('reason', models.TextField(max_length=2000, verbose_name='why')),
                ('given_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_adjudications', to=settings.AUTH_USER_MODEL)),
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='adjudication', to='grading.audititem')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='adjudication_has_a_reason')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditadjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudication_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d1e78ad64b06bb4b571dd8dec60f6771f265340d', operation='UPDATE OR DELETE', pgid='pgtrigger_adjudication_is_append_only_4a969', table='grading_auditadjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditadjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudication_is_of_an_open_sample', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_audititem item\n    JOIN grading_auditsample sample ON sample.id = item.sample_id\n    WHERE item.id = NEW.item_id\n        AND sample.completed_at IS NULL AND sample.ended_at IS NULL\n)\n            THEN RAISE EXCEPTION 'pgtrigger: adjudication_is_of_an_open_sample';\n            END IF;\n            RETURN NEW;\n        ", hash='2f6b42c4bff93cc2bc14e75a018814df441ab981', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudication_is_of_an_open_sample_c9605', table='grading_auditadjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditadjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudicator_gave_no_label', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_auditlabel\n                        WHERE item_id = NEW.item_id AND person_id = NEW.person_id\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicator_gave_no_label';\n            END IF;\n            RETURN NEW;\n        ", hash='a3622f1135fd4cbec2c635c3c481d119a3b0190d', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicator_gave_no_label_98d24', table='grading_auditadjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditadjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudicated_labels_differ', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_auditlabel\n                    WHERE item_id = NEW.item_id AND taken_back_at IS NULL\n                    HAVING count(*) = 2 AND min(choice) <> max(choice)\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicated_labels_differ';\n            END IF;\n            RETURN NEW;\n        ", hash='27dcbb13969e54e80a9485b2e14fa4dce6bf128b', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicated_labels_differ_9491b', table='grading_auditadjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditadjudication',
            trigger=pgtrigger.compiler.Trigger(name='hidden_answer_is_adjudicated_by_admins', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_audititem item, phybench_user person\n    WHERE item.id = NEW.item_id AND person.id = NEW.person_id\n        AND (item.hidden_answer_id IS NULL OR 'ADMIN' = ANY(person.roles))\n)\n            THEN RAISE EXCEPTION 'pgtrigger: hidden_answer_is_adjudicated_by_admins';\n            END IF;\n            RETURN NEW;\n        ", hash='02079e6556b410261bab5b4c072b31e5af1d6835', operation='INSERT OR UPDATE', pgid='pgtrigger_hidden_answer_is_adjudicated_by_admins_20865', table='grading_auditadjudication', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='auditlabel',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at', None)), fields=('item', 'number'), name='one_audit_label_a_number'),
        ),
        migrations.AddConstraint(
            model_name='auditlabel',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at', None)), fields=('item', 'person'), name='one_audit_label_a_person'),
        ),
        migrations.AddConstraint(
            model_name='auditlabel',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 2)), name='at_most_two_audit_labels'),
        ),
        migrations.AddConstraint(
            model_name='auditlabel',
            constraint=models.CheckConstraint(condition=models.Q(('taken_back_at', None), ('taken_back_at__gte', models.F('given_at')), _connector='OR'), name='audit_label_is_taken_back_later'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabel',
            trigger=pgtrigger.compiler.Trigger(name='audit_label_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='7d09ac717ab7054e46cbca245f7eaea7cf91ac9c', operation='DELETE', pgid='pgtrigger_audit_label_stays_d2bb0', table='grading_auditlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabel',
            trigger=pgtrigger.compiler.Trigger(name='audit_label_is_only_taken_back', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."choice" IS DISTINCT FROM (NEW."choice") OR OLD."given_at" IS DISTINCT FROM (NEW."given_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."note" IS DISTINCT FROM (NEW."note") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9702d34230647e43bfcbb84a579a74aa0f089e83', operation='UPDATE', pgid='pgtrigger_audit_label_is_only_taken_back_5023a', table='grading_auditlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabel',
            trigger=pgtrigger.compiler.Trigger(name='audit_label_is_taken_back_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."taken_back_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a1abf52db11b951fb19c4d7db07650ed25c5869c', operation='UPDATE', pgid='pgtrigger_audit_label_is_taken_back_for_good_ef52d', table='grading_auditlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabel',
            trigger=pgtrigger.compiler.Trigger(name='audit_label_is_of_an_open_sample', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_audititem item\n    JOIN grading_auditsample sample ON sample.id = item.sample_id\n    WHERE item.id = NEW.item_id\n        AND sample.completed_at IS NULL AND sample.ended_at IS NULL\n)\n            THEN RAISE EXCEPTION 'pgtrigger: audit_label_is_of_an_open_sample';\n            END IF;\n            RETURN NEW;\n        ", hash='64b39c86824a80e255a2fd07bb4b337c1fbd5314', operation='INSERT OR UPDATE', pgid='pgtrigger_audit_label_is_of_an_open_sample_c8664', table='grading_auditlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabel',
            trigger=pgtrigger.compiler.Trigger(name='adjudicated_label_is_not_taken_back', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."taken_back_at" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_auditadjudication WHERE item_id = NEW.item_id\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicated_label_is_not_taken_back';\n            END IF;\n            RETURN NEW;\n        ", hash='92887a52468727e3b7f1db5173cdfb6b6e90dbbd', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicated_label_is_not_taken_back_69e84', table='grading_auditlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabel',
            trigger=pgtrigger.compiler.Trigger(name='hidden_answer_is_labelled_by_admins', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_audititem item, phybench_user person\n    WHERE item.id = NEW.item_id AND person.id = NEW.person_id\n        AND (item.hidden_answer_id IS NULL OR 'ADMIN' = ANY(person.roles))\n)\n            THEN RAISE EXCEPTION 'pgtrigger: hidden_answer_is_labelled_by_admins';\n            END IF;\n            RETURN NEW;\n        ", hash='82bf484f180032c32bb52227d8684eeae679f890', operation='INSERT OR UPDATE', pgid='pgtrigger_hidden_answer_is_labelled_by_admins_81e4e', table='grading_auditlabel', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='auditlabeller',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_off_at', None)), fields=('sample', 'person'), name='asked_once_to_label'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditlabeller',
            trigger=pgtrigger.compiler.Trigger(name='audit_labeller_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='8aaabeafb9d9ef872dd3c92c182cab27c38ad89c', operation='DELETE', pgid='pgtrigger_audit_labeller_stays_54cb1', table='grading_auditlabeller', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='auditstratum',
            constraint=models.UniqueConstraint(fields=('sample', 'kind'), name='one_stratum_a_kind'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditstratum',
            trigger=pgtrigger.compiler.Trigger(name='audit_stratum_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='001da57d3dfcabfa2bc5317909be6a42675041ac', operation='UPDATE OR DELETE', pgid='pgtrigger_audit_stratum_is_append_only_2fc03', table='grading_auditstratum', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='draftanswer',
            constraint=models.UniqueConstraint(fields=('file', 'model', 'identifier', 'sample'), include=('is_boxed',), name='one_draft_answer_a_sample'),
        ),
        migrations.AddIndex(
            model_name='callunderway',
            index=models.Index(fields=['endpoint', 'until'], name='grading_cal_endpoin_622c63_idx'),
        ),
        migrations.AddConstraint(
            model_name='filepiece',
            constraint=models.UniqueConstraint(fields=('file', 'number'), name='one_piece_a_number'),
        ),
        migrations.AddConstraint(
            model_name='firsterroradjudication',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='first_error_adjudication_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='firsterroradjudication',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('passage', ''), _negated=True), ('start__isnull', False)), models.Q(('passage', ''), ('start', None), models.Q(('choice__in', ['PERCEPTION', 'SEMANTICS', 'SYMBOLIC']), _negated=True)), _connector='OR'), name='adjudicated_error_has_a_passage'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroradjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudication_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='4fc72fdf07b2a0eca06612267d5dfc7e98c563ad', operation='UPDATE OR DELETE', pgid='pgtrigger_adjudication_is_append_only_e9ef9', table='grading_firsterroradjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroradjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudication_is_of_an_open_sample', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_firsterroritem item\n    JOIN grading_firsterrorsample sample ON sample.id = item.sample_id\n    WHERE item.id = NEW.item_id\n        AND sample.completed_at IS NULL AND sample.ended_at IS NULL\n)\n            THEN RAISE EXCEPTION 'pgtrigger: adjudication_is_of_an_open_sample';\n            END IF;\n            RETURN NEW;\n        ", hash='e92c6a1f7f04aa8d03d3e3f0e8f2715b1664b699', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudication_is_of_an_open_sample_179f9', table='grading_firsterroradjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroradjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudicator_gave_no_label', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_firsterrorlabel\n                        WHERE item_id = NEW.item_id AND person_id = NEW.person_id\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicator_gave_no_label';\n            END IF;\n            RETURN NEW;\n        ", hash='a4fbb17d2253131aa3c81472c7764b78c261d237', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicator_gave_no_label_ef65d', table='grading_firsterroradjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroradjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudicated_labels_differ', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_firsterrorlabel\n                    WHERE item_id = NEW.item_id AND taken_back_at IS NULL\n                    HAVING count(*) = 2 AND min(choice) <> max(choice)\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicated_labels_differ';\n            END IF;\n            RETURN NEW;\n        ", hash='2e307b8029aba3f8e46abf9eaae2f826ace7c97e', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicated_labels_differ_40c21', table='grading_firsterroradjudication', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroradjudication',
            trigger=pgtrigger.compiler.Trigger(name='adjudicated_passage_stands_in_the_response', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NOT (NEW."passage" = \'\'))', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_firsterroritem item\n    JOIN grading_attempt attempt ON attempt.id = item.attempt_id\n    WHERE item.id = NEW.item_id\n        AND substr(attempt.response, NEW.start + 1, length(NEW.passage)) = NEW.passage\n)\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicated_passage_stands_in_the_response';\n            END IF;\n            RETURN NEW;\n        ", hash='ed264a9b648737963de35ff4120cb6cea57b234b', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicated_passage_stands_in_the_response_3eb97', table='grading_firsterroradjudication', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='firsterrorlabel',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at', None)), fields=('item', 'number'), name='one_first_error_label_a_number'),
        ),
        migrations.AddConstraint(
            model_name='firsterrorlabel',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at', None)), fields=('item', 'person'), name='one_first_error_label_a_person'),
        ),
        migrations.AddConstraint(
            model_name='firsterrorlabel',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 2)), name='at_most_two_first_error_labels'),
        ),
        migrations.AddConstraint(
            model_name='firsterrorlabel',
            constraint=models.CheckConstraint(condition=models.Q(('taken_back_at', None), ('taken_back_at__gte', models.F('given_at')), _connector='OR'), name='first_error_label_is_taken_back_later'),
        ),
        migrations.AddConstraint(
            model_name='firsterrorlabel',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('passage', ''), _negated=True), ('start__isnull', False)), models.Q(('passage', ''), ('start', None), models.Q(('choice__in', ['PERCEPTION', 'SEMANTICS', 'SYMBOLIC']), _negated=True)), _connector='OR'), name='labelled_error_has_a_passage'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabel',
            trigger=pgtrigger.compiler.Trigger(name='first_error_label_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='42519dc16abf843db8f4182fd954cee052306a89', operation='DELETE', pgid='pgtrigger_first_error_label_stays_7cf38', table='grading_firsterrorlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabel',
            trigger=pgtrigger.compiler.Trigger(name='first_error_label_is_only_taken_back', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."choice" IS DISTINCT FROM (NEW."choice") OR OLD."comment" IS DISTINCT FROM (NEW."comment") OR OLD."given_at" IS DISTINCT FROM (NEW."given_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."passage" IS DISTINCT FROM (NEW."passage") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."start" IS DISTINCT FROM (NEW."start"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e1c93ce1778b525864839df4d8a0c29e6f71c784', operation='UPDATE', pgid='pgtrigger_first_error_label_is_only_taken_back_a256b', table='grading_firsterrorlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabel',
            trigger=pgtrigger.compiler.Trigger(name='first_error_label_is_taken_back_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."taken_back_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='6210d44ba4b9af8f77e40f8c08206d9f28bb5ec7', operation='UPDATE', pgid='pgtrigger_first_error_label_is_taken_back_for_good_ed38f', table='grading_firsterrorlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabel',
            trigger=pgtrigger.compiler.Trigger(name='first_error_label_is_of_an_open_sample', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_firsterroritem item\n    JOIN grading_firsterrorsample sample ON sample.id = item.sample_id\n    WHERE item.id = NEW.item_id\n        AND sample.completed_at IS NULL AND sample.ended_at IS NULL\n)\n            THEN RAISE EXCEPTION 'pgtrigger: first_error_label_is_of_an_open_sample';\n            END IF;\n            RETURN NEW;\n        ", hash='726f1d216d480fc098c74439fcf2604b5ee5bbd5', operation='INSERT OR UPDATE', pgid='pgtrigger_first_error_label_is_of_an_open_sample_fd30b', table='grading_firsterrorlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabel',
            trigger=pgtrigger.compiler.Trigger(name='adjudicated_label_is_not_taken_back', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."taken_back_at" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_firsterroradjudication WHERE item_id = NEW.item_id\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: adjudicated_label_is_not_taken_back';\n            END IF;\n            RETURN NEW;\n        ", hash='a5229fd07f83aed4af875345e3d41091ad47ed3d', operation='INSERT OR UPDATE', pgid='pgtrigger_adjudicated_label_is_not_taken_back_ad6ba', table='grading_firsterrorlabel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabel',
            trigger=pgtrigger.compiler.Trigger(name='labelled_passage_stands_in_the_response', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NOT (NEW."passage" = \'\'))', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_firsterroritem item\n    JOIN grading_attempt attempt ON attempt.id = item.attempt_id\n    WHERE item.id = NEW.item_id\n        AND substr(attempt.response, NEW.start + 1, length(NEW.passage)) = NEW.passage\n)\n            THEN RAISE EXCEPTION 'pgtrigger: labelled_passage_stands_in_the_response';\n            END IF;\n            RETURN NEW;\n        ", hash='dbcfb28a14be4cebb9d5b69c166f7335958d01b5', operation='INSERT OR UPDATE', pgid='pgtrigger_labelled_passage_stands_in_the_response_30654', table='grading_firsterrorlabel', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='firsterrorlabeller',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_off_at', None)), fields=('sample', 'person'), name='asked_once_for_first_errors'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorlabeller',
            trigger=pgtrigger.compiler.Trigger(name='first_error_labeller_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='6ffcd277f205d7aaa31efc781f1f8a6912ec6ba9', operation='DELETE', pgid='pgtrigger_first_error_labeller_stays_0ee58', table='grading_firsterrorlabeller', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='firsterrordomain',
            constraint=models.UniqueConstraint(fields=('sample', 'domain'), name='one_row_a_domain'),
        ),
        migrations.AddConstraint(
            model_name='firsterrordomain',
            constraint=models.CheckConstraint(condition=models.Q(('drawn__lte', models.F('eligible')), ('eligible__lte', models.F('problems'))), name='no_more_problems_are_drawn_than_there_are'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrordomain',
            trigger=pgtrigger.compiler.Trigger(name='first_error_domain_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='03a0b52bac13e8d9d2692279cb15d60b9712b204', operation='UPDATE OR DELETE', pgid='pgtrigger_first_error_domain_is_append_only_9ded6', table='grading_firsterrordomain', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='firsterroritem',
            constraint=models.UniqueConstraint(fields=('sample', 'place'), name='one_first_error_a_place'),
        ),
        migrations.AddConstraint(
            model_name='firsterroritem',
            constraint=models.UniqueConstraint(fields=('solver', 'revision'), name='one_first_error_a_solver_and_problem'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroritem',
            trigger=pgtrigger.compiler.Trigger(name='first_error_item_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='d6f8a70778af668b42c8b23184a4ac57894fef0b', operation='DELETE', pgid='pgtrigger_first_error_item_stays_70ccf', table='grading_firsterroritem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroritem',
            trigger=pgtrigger.compiler.Trigger(name='first_error_item_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."attempt_id" IS DISTINCT FROM (NEW."attempt_id") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."key_id" IS DISTINCT FROM (NEW."key_id") OR OLD."place" IS DISTINCT FROM (NEW."place") OR OLD."revision_id" IS DISTINCT FROM (NEW."revision_id") OR OLD."sample_id" IS DISTINCT FROM (NEW."sample_id") OR OLD."solver_id" IS DISTINCT FROM (NEW."solver_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='171a181c1b6665d65640c45a4354d3f511a253a9', operation='UPDATE', pgid='pgtrigger_first_error_item_is_frozen_3a5c8', table='grading_firsterroritem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroritem',
            trigger=pgtrigger.compiler.Trigger(name='first_error_outcome_is_of_an_open_sample', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."sample_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_firsterrorsample WHERE id = NEW.sample_id\n                        AND completed_at IS NULL AND ended_at IS NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: first_error_outcome_is_of_an_open_sample';\n            END IF;\n            RETURN NEW;\n        ", hash='521522b8cab543ade58f000afe9e6d9444f6817e', operation='INSERT OR UPDATE', pgid='pgtrigger_first_error_outcome_is_of_an_open_sample_2018e', table='grading_firsterroritem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroritem',
            trigger=pgtrigger.compiler.Trigger(name='first_error_outcome_is_what_people_said', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NOT (NEW."outcome" = \'\'))', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_firsterroritem WHERE id = NEW.id AND outcome = ''\n                    UNION ALL\n                    SELECT FROM grading_firsterroradjudication\n                    WHERE item_id = NEW.id AND choice = NEW.outcome\n                    UNION ALL\n                    SELECT FROM grading_firsterrorlabel\n                    WHERE item_id = NEW.id AND taken_back_at IS NULL\n                    HAVING count(*) = 2 AND min(choice) = NEW.outcome\n                        AND max(choice) = NEW.outcome\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: first_error_outcome_is_what_people_said';\n            END IF;\n            RETURN NEW;\n        ", hash='c78b18d8d588142b83d4b382ee978670131ce84a', operation='INSERT OR UPDATE', pgid='pgtrigger_first_error_outcome_is_what_people_said_d2ec9', table='grading_firsterroritem', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterroritem',
            trigger=pgtrigger.compiler.Trigger(name='first_error_item_was_graded_wrong', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."outcome" = \'\')', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_attempt attempt\n                    JOIN grading_firsterrorsolver solver\n                        ON solver.id = NEW.solver_id AND solver.sample_id = NEW.sample_id\n                        AND solver.submission_id = attempt.submission_id\n                    JOIN grading_firsterrorsample sample ON sample.id = NEW.sample_id\n                    JOIN grading_grade grade\n                        ON grade.attempt_id = attempt.id AND grade.run_id = sample.run_id\n                    WHERE attempt.id = NEW.attempt_id AND attempt.revision_id = NEW.revision_id\n                        AND grade.verdict IN ('PARTIAL', 'INCORRECT')\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: first_error_item_was_graded_wrong';\n            END IF;\n            RETURN NEW;\n        ", hash='c5f228b5ab7c216a1e031fb05897cd1919f4d921', operation='INSERT OR UPDATE', pgid='pgtrigger_first_error_item_was_graded_wrong_3e604', table='grading_firsterroritem', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='firsterrorsample',
            constraint=models.UniqueConstraint(condition=models.Q(('completed_at', None), ('ended_at', None)), fields=('version',), name='one_open_first_error_sample_a_version'),
        ),
        migrations.AddConstraint(
            model_name='firsterrorsample',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None), ('why_ended', '')), models.Q(('completed_at', None), ('ended_at__isnull', False), ('ended_by__isnull', False), models.Q(('why_ended', ''), _negated=True)), _connector='OR'), name='first_error_sample_is_ended_with_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsample',
            trigger=pgtrigger.compiler.Trigger(name='first_error_sample_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='62cf1ba901cbd5c253db0b355a6e03c7bae8246f', operation='DELETE', pgid='pgtrigger_first_error_sample_stays_0029f', table='grading_firsterrorsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsample',
            trigger=pgtrigger.compiler.Trigger(name='first_error_sample_is_only_ended', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."drawn_at" IS DISTINCT FROM (NEW."drawn_at") OR OLD."drawn_by_id" IS DISTINCT FROM (NEW."drawn_by_id") OR OLD."grader_version" IS DISTINCT FROM (NEW."grader_version") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."run_id" IS DISTINCT FROM (NEW."run_id") OR OLD."seed" IS DISTINCT FROM (NEW."seed") OR OLD."size" IS DISTINCT FROM (NEW."size") OR OLD."version_id" IS DISTINCT FROM (NEW."version_id") OR OLD."why" IS DISTINCT FROM (NEW."why"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='2e8b7b18f682e551da8a6c3a70e18129b65ed2b7', operation='UPDATE', pgid='pgtrigger_first_error_sample_is_only_ended_8c1ae', table='grading_firsterrorsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsample',
            trigger=pgtrigger.compiler.Trigger(name='first_error_sample_ends_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."completed_at" IS NOT NULL OR OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='cf4310d3845f6e28f8d1bca21451af50af98bbc5', operation='UPDATE', pgid='pgtrigger_first_error_sample_ends_once_24c2b', table='grading_firsterrorsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsample',
            trigger=pgtrigger.compiler.Trigger(name='complete_sample_is_settled', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."completed_at" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_firsterroritem WHERE sample_id = NEW.id AND outcome = ''\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: complete_sample_is_settled';\n            END IF;\n            RETURN NEW;\n        ", hash='643fb7aef9e15039b249b71acf0b196d3a8f6cde', operation='INSERT OR UPDATE', pgid='pgtrigger_complete_sample_is_settled_0c104', table='grading_firsterrorsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsample',
            trigger=pgtrigger.compiler.Trigger(name='first_error_sample_is_of_a_published_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."version_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_benchmarkversion version\n                    JOIN grading_gradingrun run USING (benchmark_id)\n                    WHERE version.id = NEW.version_id AND run.id = NEW.run_id\n                        AND version.published_at IS NOT NULL AND run.adopted_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: first_error_sample_is_of_a_published_version';\n            END IF;\n            RETURN NEW;\n        ", hash='fccbf121f1d7833b6e1871c1139b726556ccc6bf', operation='INSERT OR UPDATE', pgid='pgtrigger_first_error_sample_is_of_a_published_version_8c7fe', table='grading_firsterrorsample', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='auditsample',
            constraint=models.UniqueConstraint(condition=models.Q(('completed_at', None), ('ended_at', None)), fields=('version', 'grader_version'), name='one_open_sample_a_version_and_grader'),
        ),
        migrations.AddConstraint(
            model_name='auditsample',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None), ('why_ended', '')), models.Q(('completed_at', None), ('ended_at__isnull', False), ('ended_by__isnull', False), models.Q(('why_ended', ''), _negated=True)), _connector='OR'), name='sample_is_ended_with_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditsample',
            trigger=pgtrigger.compiler.Trigger(name='audit_sample_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='87d454b5074bc05c23dc18b69256c8b27e741915', operation='DELETE', pgid='pgtrigger_audit_sample_stays_48f56', table='grading_auditsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditsample',
            trigger=pgtrigger.compiler.Trigger(name='audit_sample_is_only_ended', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."drawn_at" IS DISTINCT FROM (NEW."drawn_at") OR OLD."drawn_by_id" IS DISTINCT FROM (NEW."drawn_by_id") OR OLD."grader_version" IS DISTINCT FROM (NEW."grader_version") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."left_out" IS DISTINCT FROM (NEW."left_out") OR OLD."run_id" IS DISTINCT FROM (NEW."run_id") OR OLD."seed" IS DISTINCT FROM (NEW."seed") OR OLD."size" IS DISTINCT FROM (NEW."size") OR OLD."version_id" IS DISTINCT FROM (NEW."version_id") OR OLD."why" IS DISTINCT FROM (NEW."why"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='d2ae08c0a54802d813d96b11639f65ca51047058', operation='UPDATE', pgid='pgtrigger_audit_sample_is_only_ended_50cdd', table='grading_auditsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditsample',
            trigger=pgtrigger.compiler.Trigger(name='audit_sample_ends_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."completed_at" IS NOT NULL OR OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='072d06e4671803c1b9a52e5e4335f7c926266fa5', operation='UPDATE', pgid='pgtrigger_audit_sample_ends_once_41f3a', table='grading_auditsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditsample',
            trigger=pgtrigger.compiler.Trigger(name='complete_sample_is_settled', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."completed_at" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_audititem WHERE sample_id = NEW.id AND outcome = ''\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: complete_sample_is_settled';\n            END IF;\n            RETURN NEW;\n        ", hash='e74ef311b2ec51a29c8d5732f08b68e50a34c59c', operation='INSERT OR UPDATE', pgid='pgtrigger_complete_sample_is_settled_6c35e', table='grading_auditsample', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditsample',
            trigger=pgtrigger.compiler.Trigger(name='audit_sample_is_of_a_published_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."version_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_benchmarkversion version\n                    JOIN grading_gradingrun run USING (benchmark_id)\n                    WHERE version.id = NEW.version_id AND run.id = NEW.run_id\n                        AND version.published_at IS NOT NULL AND run.adopted_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: audit_sample_is_of_a_published_version';\n            END IF;\n            RETURN NEW;\n        ", hash='782a24afe708d5de04ac6f0b0e354ea3acdfdec0', operation='INSERT OR UPDATE', pgid='pgtrigger_audit_sample_is_of_a_published_version_8c41f', table='grading_auditsample', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='analysis',
            index=models.Index(condition=models.Q(('done_at', None)), fields=['priority', 'queued_at', 'id'], name='analyses_not_done'),
        ),
        migrations.AddConstraint(
            model_name='analysis',
            constraint=models.UniqueConstraint(fields=('question_sha256', 'state_sha256'), name='one_analysis_a_state'),
        ),
        migrations.AddConstraint(
            model_name='analysis',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('done_at', None), ('failure', ''), ('result', None)), models.Q(('done_at__isnull', False), ('failure', ''), ('result__isnull', False)), models.Q(('done_at__isnull', False), ('result', None), models.Q(('failure', ''), _negated=True)), _connector='OR'), name='analysis_is_done_with_a_result_or_a_failure'),
        ),
        migrations.AddConstraint(
            model_name='audititem',
            constraint=models.UniqueConstraint(fields=('sample', 'place'), name='one_audit_item_a_place'),
        ),
        migrations.AddConstraint(
            model_name='audititem',
            constraint=models.UniqueConstraint(condition=models.Q(('attempt__isnull', False)), fields=('sample', 'attempt'), name='attempt_is_once_in_a_sample'),
        ),
        migrations.AddConstraint(
            model_name='audititem',
            constraint=models.UniqueConstraint(condition=models.Q(('hidden_answer__isnull', False)), fields=('sample', 'hidden_answer'), name='hidden_answer_is_once_in_a_sample'),
        ),
        migrations.AddConstraint(
            model_name='audititem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt__isnull', False), ('hidden_answer', None), models.Q(('verdict', ''), _negated=True)), models.Q(('attempt', None), ('hidden_answer__isnull', False), ('verdict', '')), _connector='OR'), name='audit_item_is_one_answer'),
        ),
        migrations.AddConstraint(
            model_name='audititem',
            constraint=models.CheckConstraint(condition=models.Q(('verdict', ''), models.Q(('stratum', 'ACCEPTED'), ('verdict', 'CORRECT')), models.Q(('stratum', 'REJECTED'), models.Q(('verdict', 'CORRECT'), _negated=True)), _connector='OR'), name='stratum_is_that_of_the_verdict'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='audititem',
            trigger=pgtrigger.compiler.Trigger(name='audit_item_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='053ac985fd75dc07dfe8ca8d3cde8f8433e9946a', operation='DELETE', pgid='pgtrigger_audit_item_stays_cb5ce', table='grading_audititem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='audititem',
            trigger=pgtrigger.compiler.Trigger(name='audit_item_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."attempt_id" IS DISTINCT FROM (NEW."attempt_id") OR OLD."hidden_answer_id" IS DISTINCT FROM (NEW."hidden_answer_id") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."key_id" IS DISTINCT FROM (NEW."key_id") OR OLD."place" IS DISTINCT FROM (NEW."place") OR OLD."revision_id" IS DISTINCT FROM (NEW."revision_id") OR OLD."sample_id" IS DISTINCT FROM (NEW."sample_id") OR OLD."stratum" IS DISTINCT FROM (NEW."stratum") OR OLD."verdict" IS DISTINCT FROM (NEW."verdict"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='0d1ab85940ffc90990b4853e60553ee171fce09c', operation='UPDATE', pgid='pgtrigger_audit_item_is_frozen_b59c9', table='grading_audititem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='audititem',
            trigger=pgtrigger.compiler.Trigger(name='audit_outcome_is_of_an_open_sample', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."sample_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_auditsample WHERE id = NEW.sample_id\n                        AND completed_at IS NULL AND ended_at IS NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: audit_outcome_is_of_an_open_sample';\n            END IF;\n            RETURN NEW;\n        ", hash='39afde047a95267532d68d8f82c6c7490cb1e2ce', operation='INSERT OR UPDATE', pgid='pgtrigger_audit_outcome_is_of_an_open_sample_0eaf4', table='grading_audititem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='audititem',
            trigger=pgtrigger.compiler.Trigger(name='audit_outcome_is_what_people_said', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NOT (NEW."outcome" = \'\'))', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_audititem WHERE id = NEW.id AND outcome = ''\n                    UNION ALL\n                    SELECT FROM grading_auditadjudication\n                    WHERE item_id = NEW.id AND choice = NEW.outcome\n                    UNION ALL\n                    SELECT FROM grading_auditlabel\n                    WHERE item_id = NEW.id AND taken_back_at IS NULL\n                    HAVING count(*) = 2 AND min(choice) = NEW.outcome\n                        AND max(choice) = NEW.outcome\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: audit_outcome_is_what_people_said';\n            END IF;\n            RETURN NEW;\n        ", hash='6d3bb3c69095f9a1abdeb9128c116c698a02d4fb', operation='INSERT OR UPDATE', pgid='pgtrigger_audit_outcome_is_what_people_said_d365a', table='grading_audititem', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='hiddenanswer',
            index=models.Index(condition=models.Q(('status__in', ['QUEUED', 'GRADING'])), fields=['priority', 'queued_at', 'id'], name='hidden_answers_not_done'),
        ),
        migrations.AddConstraint(
            model_name='hiddenanswer',
            constraint=models.UniqueConstraint(fields=('batch', 'revision', 'sample'), name='one_hidden_answer_a_sample'),
        ),
        migrations.AddConstraint(
            model_name='hiddenanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accuracy__in', [0, 100]), ('failure_reason', ''), ('status', 'GRADED')), models.Q(('accuracy', None), ('status', 'FAILED'), models.Q(('failure_reason', ''), _negated=True)), models.Q(('accuracy', None), ('failure_reason', ''), ('status__in', ['QUEUED', 'GRADING'])), _connector='OR'), name='hidden_answer_is_graded_or_not'),
        ),
        migrations.AddConstraint(
            model_name='hiddenanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'GRADING')), models.Q(models.Q(('status', 'GRADING'), _negated=True), ('lease_until', None)), _connector='OR'), name='hidden_answer_leased_while_graded'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenanswer',
            trigger=pgtrigger.compiler.Trigger(name='hidden_answer_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='93864718a041eb7912f37e41610015b27ae9f8d0', operation='DELETE', pgid='pgtrigger_hidden_answer_stays_c3c25', table='grading_hiddenanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenanswer',
            trigger=pgtrigger.compiler.Trigger(name='hidden_answer_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."batch_id" IS DISTINCT FROM (NEW."batch_id") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."response" IS DISTINCT FROM (NEW."response") OR OLD."revision_id" IS DISTINCT FROM (NEW."revision_id") OR OLD."sample" IS DISTINCT FROM (NEW."sample"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='2654ad9337019441b3fe8cd5aab68d4d44acfaad', operation='UPDATE', pgid='pgtrigger_hidden_answer_is_frozen_9289e', table='grading_hiddenanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenanswer',
            trigger=pgtrigger.compiler.Trigger(name='hidden_grade_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."status" = \'GRADED\')', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4c54626fe29a603ecaee2618f64c7f22f3322a58', operation='UPDATE', pgid='pgtrigger_hidden_grade_is_final_cc491', table='grading_hiddenanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenanswer',
            trigger=pgtrigger.compiler.Trigger(name='hidden_answer_is_to_a_hidden_item', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."batch_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_hiddenbatch batch\n                    JOIN grading_submission submission ON submission.id = batch.submission_id\n                    JOIN curation_versionitem item USING (version_id)\n                    WHERE batch.id = NEW.batch_id AND item.revision_id = NEW.revision_id\n                        AND item.is_hidden\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: hidden_answer_is_to_a_hidden_item';\n            END IF;\n            RETURN NEW;\n        ", hash='2a0d3b1b71789ca59df3513c68603a70dd69f816', operation='INSERT OR UPDATE', pgid='pgtrigger_hidden_answer_is_to_a_hidden_item_fd51f', table='grading_hiddenanswer', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='itemassessment',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='item_assessment_has_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='itemassessment',
            trigger=pgtrigger.compiler.Trigger(name='item_assessment_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d6e3d9309c70c34a3827b7cb489a8f6993ff5ee6', operation='UPDATE OR DELETE', pgid='pgtrigger_item_assessment_is_append_only_1d686', table='grading_itemassessment', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='judgecall',
            constraint=models.UniqueConstraint(fields=('item', 'round', 'judge', 'repeat', 'order', 'attempt'), name='one_judge_call_an_attempt'),
        ),
        migrations.AddConstraint(
            model_name='judgecall',
            constraint=models.CheckConstraint(condition=models.Q(('reply__isnull', False), models.Q(('reason', ''), _negated=True), _connector='OR'), name='judge_call_has_a_reply_or_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='judgecall',
            constraint=models.CheckConstraint(condition=models.Q(('estimated__lte', models.F('calls'))), name='no_more_of_a_judge_call_is_estimated'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgecall',
            trigger=pgtrigger.compiler.Trigger(name='judge_call_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='8d17358ed375f677cf0a25ae52a879ccf2fafe45', operation='UPDATE OR DELETE', pgid='pgtrigger_judge_call_is_append_only_440a1', table='grading_judgecall', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='judgement',
            index=models.Index(fields=['configuration', 'input_sha256'], name='judgement_reuse'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.UniqueConstraint(fields=('item', 'round'), name='one_judgement_a_round'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), ('status', 'SCORED'), ('verdict__isnull', False)), models.Q(models.Q(('status', 'SCORED'), _negated=True), ('is_right', None), ('value', None), ('verdict__isnull', True), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='judgement_has_a_verdict_or_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.CheckConstraint(condition=models.Q(('status', 'SCORED'), ('has_passed', None), ('has_passed', False), _connector='OR'), name='judgement_without_verdict_passed_nothing'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgement',
            trigger=pgtrigger.compiler.Trigger(name='judgement_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='c0e48a35d3168d2a0b9882a20e62bcca08d14c43', operation='UPDATE OR DELETE', pgid='pgtrigger_judgement_is_append_only_1bcee', table='grading_judgement', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='judgeprompt',
            constraint=models.UniqueConstraint(fields=('sha256', 'kind', 'language', 'with_reference', 'is_built_in'), name='one_prompt_a_text'),
        ),
        migrations.AddConstraint(
            model_name='judgeprompt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('brought_by', None), ('is_built_in', True)), models.Q(('brought_by__isnull', False), ('is_built_in', False)), _connector='OR'), name='brought_prompt_has_an_owner'),
        ),
        migrations.AddConstraint(
            model_name='judgeprompt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('released_at', None), ('released_by', None)), models.Q(('released_at__isnull', False), ('released_by__isnull', False)), _connector='OR'), name='prompt_is_released_by_somebody'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeprompt',
            trigger=pgtrigger.compiler.Trigger(name='prompt_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='3c29eca225f81a9f16e62920c87997be82def744', operation='DELETE', pgid='pgtrigger_prompt_stays_1a9c8', table='grading_judgeprompt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeprompt',
            trigger=pgtrigger.compiler.Trigger(name='prompt_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."brought_by_id" IS DISTINCT FROM (NEW."brought_by_id") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."is_built_in" IS DISTINCT FROM (NEW."is_built_in") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."language" IS DISTINCT FROM (NEW."language") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."text" IS DISTINCT FROM (NEW."text") OR OLD."version" IS DISTINCT FROM (NEW."version") OR OLD."with_reference" IS DISTINCT FROM (NEW."with_reference"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='84e77c53fc92985d8078f50eeb622c3db2f09666', operation='UPDATE', pgid='pgtrigger_prompt_is_frozen_a498c', table='grading_judgeprompt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeprompt',
            trigger=pgtrigger.compiler.Trigger(name='prompt_is_released_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."released_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='75383f11f12471a7917f3b3e28200b70392c4bfe', operation='UPDATE', pgid='pgtrigger_prompt_is_released_once_a95a1', table='grading_judgeprompt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeconfiguration',
            trigger=pgtrigger.compiler.Trigger(name='judge_configuration_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='e0ce27d308a3178210c5db8c9c4a3783763178ba', operation='UPDATE OR DELETE', pgid='pgtrigger_judge_configuration_is_append_only_00197', table='grading_judgeconfiguration', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='runjudge',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judges', to='grading.judgerun'),
        ),
        migrations.AddField(
            model_name='judgerun',
            name='configuration',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='grading.judgeconfiguration'),
        ),
        migrations.AddField(
            model_name='judgerun',
            name='file',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judge_runs', to='grading.judgefile'),
        ),
        migrations.AddField(
            model_name='judgerun',
            name='other',
            field=models.ForeignKey(blank=True, help_text='What it is compared with, by a judge that compares two.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judge_runs_as_other', to='grading.submission'),
        ),
        migrations.AddField(
            model_name='judgerun',
            name='submission',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='judge_runs', to='grading.submission'),
        ),
        migrations.AddField(
            model_name='judgeitem',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='grading.judgerun'),
        ),
        migrations.AddField(
            model_name='modelrunanswer',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='grading.modelrun'),
        ),
        migrations.AddField(
            model_name='modelrun',
            name='endpoint',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='model_runs', to='grading.endpoint'),
        ),
        migrations.AddField(
            model_name='modelrun',
            name='organisation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='model_runs', to='grading.organisation'),
        ),
        migrations.AddField(
            model_name='modelrun',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='model_runs', to='curation.benchmarkversion'),
        ),
        migrations.AddField(
            model_name='draftfile',
            name='model_run',
            field=models.OneToOneField(blank=True, help_text='The run whose answers it holds; empty for a file.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='file', to='grading.modelrun'),
        ),
        migrations.AddField(
            model_name='trialanswer',
            name='trial',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='grading.trial'),
        ),
        migrations.AddField(
            model_name='trial',
            name='endpoint',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='trials', to='grading.endpoint'),
        ),
        migrations.AddField(
            model_name='trial',
            name='problem',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='curation.problem'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'PAUSED'), models.Q(('paused_for', ''), _negated=True)), models.Q(models.Q(('state', 'PAUSED'), _negated=True), ('paused_for', '')), _connector='OR'), name='run_is_paused_for_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='run',
            trigger=pgtrigger.compiler.Trigger(name='run_stays_whose_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."started_by_id" IS DISTINCT FROM (NEW."started_by_id") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='d9618daa415b4c439d8ceb3db8d35ca1ccd3a6a6', operation='UPDATE', pgid='pgtrigger_run_stays_whose_it_is_5da6d', table='grading_run', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='keptreply',
            constraint=models.UniqueConstraint(fields=('person', 'key'), name='one_reply_a_key'),
        ),
        migrations.AddConstraint(
            model_name='keydecision',
            constraint=models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='key_decision_says_what_was_found'),
        ),
        migrations.AddConstraint(
            model_name='keydecision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('choice__in', ['KEY_WRONG', 'AMBIGUOUS']), ('report__isnull', False)), models.Q(models.Q(('choice__in', ['KEY_WRONG', 'AMBIGUOUS']), _negated=True), ('report', None)), _connector='OR'), name='key_decision_against_a_key_has_a_report'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='keydecision',
            trigger=pgtrigger.compiler.Trigger(name='key_decision_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='30287b28ed8438114855815e576de80d67767b51', operation='UPDATE OR DELETE', pgid='pgtrigger_key_decision_is_append_only_85311', table='grading_keydecision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='keydecision',
            trigger=pgtrigger.compiler.Trigger(name='key_decision_has_a_report_on_its_revision', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."report_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_keycheck\n                    JOIN curation_errorreport report USING (revision_id)\n                    WHERE grading_keycheck.id = NEW.key_check_id AND report.id = NEW.report_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: key_decision_has_a_report_on_its_revision';\n            END IF;\n            RETURN NEW;\n        ", hash='05fd450f8c93640299fd131763a9eb4447d9ba0c', operation='INSERT OR UPDATE', pgid='pgtrigger_key_decision_has_a_report_on_its_revision_471e7', table='grading_keydecision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='keycheck',
            trigger=pgtrigger.compiler.Trigger(name='last_decision_on_a_key_is_its_last', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."last_decision_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_keydecision last\n                    WHERE last.id = NEW.last_decision_id AND last.key_check_id = NEW.id\n                        AND NOT EXISTS (\n                            SELECT FROM grading_keydecision\n                            WHERE key_check_id = NEW.id AND id > last.id\n                        )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: last_decision_on_a_key_is_its_last';\n            END IF;\n            RETURN NEW;\n        ", hash='0168ff8dc99f8df4a5bd16ef6e3d744f0204d7d8', operation='INSERT OR UPDATE', pgid='pgtrigger_last_decision_on_a_key_is_its_last_25cc1', table='grading_keycheck', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='labelfile',
            trigger=pgtrigger.compiler.Trigger(name='label_file_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."brought_by_id" IS DISTINCT FROM (NEW."brought_by_id") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."file_name" IS DISTINCT FROM (NEW."file_name") OR OLD."origin" IS DISTINCT FROM (NEW."origin") OR OLD."rows" IS DISTINCT FROM (NEW."rows") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4c7cda531b9fcf0287c36225dd60dfec0e034e93', operation='UPDATE', pgid='pgtrigger_label_file_is_frozen_9f128', table='grading_labelfile', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='labelfile',
            trigger=pgtrigger.compiler.Trigger(name='label_file_is_taken_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."taken_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='5ddd45ebcaf509f427ff1a5039a1dc7f1d4515ae', operation='UPDATE', pgid='pgtrigger_label_file_is_taken_once_b0d46', table='grading_labelfile', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='labelfile',
            trigger=pgtrigger.compiler.Trigger(name='taken_label_file_stays', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."taken_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='4af26912b920d87856c6a7bd254c7fc726c365c5', operation='DELETE', pgid='pgtrigger_taken_label_file_stays_0722d', table='grading_labelfile', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='modelcall',
            index=models.Index(fields=['run', 'item'], name='calls_of_an_item'),
        ),
        migrations.AddConstraint(
            model_name='modelcall',
            constraint=models.CheckConstraint(condition=models.Q(('status__isnull', False), models.Q(('reason', ''), _negated=True), _connector='OR'), name='call_that_brought_nothing_says_why'),
        ),
        migrations.AddConstraint(
            model_name='modelcall',
            constraint=models.CheckConstraint(condition=models.Q(('item', None), ('run__isnull', False), _connector='OR'), name='call_for_an_item_is_of_a_run'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelcall',
            trigger=pgtrigger.compiler.Trigger(name='call_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='f4624ebc3f7dad584fd40bc11b8a5e77a51fc345', operation='UPDATE', pgid='pgtrigger_call_is_append_only_82647', table='grading_modelcall', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelcall',
            trigger=pgtrigger.compiler.Trigger(name='call_is_for_an_item_of_its_run', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."item" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_modelrunanswer\n                    WHERE id = NEW.item AND run_id = NEW.run_id\n                    UNION ALL\n                    SELECT FROM grading_trialanswer\n                    WHERE id = NEW.item AND trial_id = NEW.run_id\n                    UNION ALL\n                    SELECT FROM grading_judgecall call\n                    JOIN grading_judgeitem item ON item.id = call.item_id\n                    WHERE call.id = NEW.item AND item.run_id = NEW.run_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: call_is_for_an_item_of_its_run';\n            END IF;\n            RETURN NEW;\n        ", hash='d1d6960c53dd09e0e2d30a9c5cfd0edf4170d81d', operation='INSERT OR UPDATE', pgid='pgtrigger_call_is_for_an_item_of_its_run_b191a', table='grading_modelcall', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelcall',
            trigger=pgtrigger.compiler.Trigger(name='call_stays_while_what_it_was_for_does', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF NOT EXISTS (\n                        SELECT 1 FROM grading_trial AS trial\n                        WHERE trial.run_id = OLD.run_id\n                        AND NOT EXISTS (\n                            SELECT 1 FROM curation_revision\n                            WHERE problem_id = trial.problem_id AND submitted_at IS NOT NULL\n                        )\n                    )\n                    THEN RAISE EXCEPTION 'pgtrigger: Cannot delete from %', TG_TABLE_NAME;\n                    END IF;\n                    RETURN OLD;\n                ", hash='68d218cd602a5b215b2069e1210a2db521be72fc', operation='DELETE', pgid='pgtrigger_call_stays_while_what_it_was_for_does_d85f5', table='grading_modelcall', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('failed_at', None), ('sent_at', None)), fields=['priority', 'queued_at', 'id'], name='notices_not_sent'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('draft', 'way'), name='one_notice_a_way'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('address', ''), ('way', 'MAIL')), models.Q(('way', 'WEBHOOK'), models.Q(('address', ''), _negated=True)), _connector='OR'), name='webhook_has_an_address'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(('sent_at', None), ('failed_at', None), _connector='OR'), name='notice_is_sent_or_failed'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='notice',
            trigger=pgtrigger.compiler.Trigger(name='notice_stays_to_whom_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."draft_id" IS DISTINCT FROM (NEW."draft_id") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."way" IS DISTINCT FROM (NEW."way") OR OLD."address" IS DISTINCT FROM (NEW."address"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='14f52a7c5e21052954e8a3a57897d0b09814b3cd', operation='UPDATE', pgid='pgtrigger_notice_stays_to_whom_it_is_a0a78', table='grading_notice', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='organisation',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('name'), condition=models.Q(('merged_into', None)), name='one_organisation_a_name'),
        ),
        migrations.AddConstraint(
            model_name='organisation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_by', None)), models.Q(('confirmed_at__isnull', False), ('confirmed_by__isnull', False)), _connector='OR'), name='confirmed_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('organisation', 'person'), name='one_membership_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accepted_by', None), ('joined_at', None)), models.Q(('accepted_by__isnull', False), ('joined_at__isnull', False)), _connector='OR'), name='joined_by_somebodys_word'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='membership',
            trigger=pgtrigger.compiler.Trigger(name='membership_is_kept', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='a480ccbb8fb9acd4c2344c0a66a809ab36f5e7ec', operation='DELETE', pgid='pgtrigger_membership_is_kept_856b9', table='grading_membership', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='membership',
            trigger=pgtrigger.compiler.Trigger(name='membership_ends_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."left_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='0e9a5fc9a1c85cce269117e3dff04d073f2b7413', operation='UPDATE', pgid='pgtrigger_membership_ends_for_good_9f371', table='grading_membership', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgefile',
            trigger=pgtrigger.compiler.Trigger(name='judge_file_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='212a04d1849201d199f56659a014b86d353f37b2', operation='DELETE', pgid='pgtrigger_judge_file_stays_c368c', table='grading_judgefile', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgefile',
            trigger=pgtrigger.compiler.Trigger(name='judge_file_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."content" IS DISTINCT FROM (NEW."content") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."file_name" IS DISTINCT FROM (NEW."file_name") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."uploaded_by_id" IS DISTINCT FROM (NEW."uploaded_by_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='1e890d27f13d9c8f5e7fadc44aaa89c17274bd7b', operation='UPDATE', pgid='pgtrigger_judge_file_is_frozen_c7b36', table='grading_judgefile', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draft',
            trigger=pgtrigger.compiler.Trigger(name='draft_stays_whose_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id") OR OLD."made_by_id" IS DISTINCT FROM (NEW."made_by_id") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='359cc51be99b4ff81380433f1bb13e2430bb28ab', operation='UPDATE', pgid='pgtrigger_draft_stays_whose_it_is_03d17', table='grading_draft', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draft',
            trigger=pgtrigger.compiler.Trigger(name='draft_is_to_a_published_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."version_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_benchmarkversion\n                    WHERE id = NEW.version_id AND benchmark_id = NEW.benchmark_id\n                        AND published_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: draft_is_to_a_published_version';\n            END IF;\n            RETURN NEW;\n        ", hash='47d583b2eb62c9cf6ca08ac5ae2194b0f22688a0', operation='INSERT OR UPDATE', pgid='pgtrigger_draft_is_to_a_published_version_c9d05', table='grading_draft', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draft',
            trigger=pgtrigger.compiler.Trigger(name='draft_is_graded_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."graded_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='db25ebe07cd8ee65d499f3ae3c59fe61a2fb8861', operation='UPDATE OR DELETE', pgid='pgtrigger_draft_is_graded_once_2374e', table='grading_draft', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='override',
            index=models.Index(models.F('revision'), django.db.models.functions.text.MD5('response'), name='overrides_by_their_words'),
        ),
        migrations.AddConstraint(
            model_name='override',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'READ_AS'), models.Q(('read_as', ''), _negated=True)), models.Q(models.Q(('kind', 'READ_AS'), _negated=True), ('read_as', '')), _connector='OR'), name='override_says_what_is_read_where_it_is_read'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='override',
            trigger=pgtrigger.compiler.Trigger(name='override_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='7be47d25e3e3877a854434ae91628ff77fae56e5', operation='UPDATE OR DELETE', pgid='pgtrigger_override_is_append_only_ac706', table='grading_override', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='override',
            trigger=pgtrigger.compiler.Trigger(name='override_is_a_contests', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."kind" IS NOT NULL)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (SELECT FROM grading_contest WHERE override_id = NEW.id)\n            THEN RAISE EXCEPTION 'pgtrigger: override_is_a_contests';\n            END IF;\n            RETURN NEW;\n        ", hash='fb6dc09453ce3be3c11ba150b7b8ccaba1511f92', operation='INSERT OR UPDATE', pgid='pgtrigger_override_is_a_contests_c5f8a', table='grading_override', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='gradingrun',
            constraint=models.UniqueConstraint(condition=models.Q(('adopted_at__isnull', False), ('set_aside_at', None)), fields=('benchmark',), name='one_adopted_run_a_benchmark'),
        ),
        migrations.AddConstraint(
            model_name='gradingrun',
            constraint=models.CheckConstraint(condition=models.Q(('set_aside_at', None), models.Q(('adopted_at__isnull', False), ('set_aside_at__gte', models.F('adopted_at'))), _connector='OR'), name='run_is_set_aside_after_it_was_adopted'),
        ),
        migrations.AddConstraint(
            model_name='gradingrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('discarded_at', None), ('discarded_by', None), ('why_discarded', '')), models.Q(('adopted_at', None), ('discarded_at__isnull', False), models.Q(('why_discarded', ''), _negated=True)), _connector='OR'), name='run_is_adopted_or_discarded_with_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gradingrun',
            trigger=pgtrigger.compiler.Trigger(name='run_stays_as_it_was_made', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id") OR OLD."grader_version" IS DISTINCT FROM (NEW."grader_version") OR OLD."why" IS DISTINCT FROM (NEW."why") OR OLD."made_by_id" IS DISTINCT FROM (NEW."made_by_id") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."base_id" IS DISTINCT FROM (NEW."base_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='05f6c28a73b3813639f703d1c7da9c7b8be51d5d', operation='UPDATE', pgid='pgtrigger_run_stays_as_it_was_made_f2d54', table='grading_gradingrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gradingrun',
            trigger=pgtrigger.compiler.Trigger(name='run_that_was_set_aside_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."set_aside_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='db984c4323ae36aaf2f3cd237a23fd48ba0caf83', operation='UPDATE', pgid='pgtrigger_run_that_was_set_aside_is_frozen_61c14', table='grading_gradingrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gradingrun',
            trigger=pgtrigger.compiler.Trigger(name='run_that_was_discarded_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."discarded_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4217c0e6a246ade830031c5a76d962c73a873981', operation='UPDATE', pgid='pgtrigger_run_that_was_discarded_is_frozen_35bbf', table='grading_gradingrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gradingrun',
            trigger=pgtrigger.compiler.Trigger(name='run_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='30ec824860a82b2ea7f260d6d3a4c8cb813f6abb', operation='DELETE', pgid='pgtrigger_run_stays_43a28', table='grading_gradingrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gradingrun',
            trigger=pgtrigger.compiler.Trigger(name='run_is_adopted_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."adopted_at" IS NOT NULL AND OLD."adopted_at" IS DISTINCT FROM (NEW."adopted_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='13a86c62779bed738640fd1bff557c39980dbee0', operation='UPDATE', pgid='pgtrigger_run_is_adopted_once_6ad29', table='grading_gradingrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gradingrun',
            trigger=pgtrigger.compiler.Trigger(name='another_run_is_adopted_instead', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."set_aside_at" IS NOT NULL)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_gradingrun WHERE benchmark_id = NEW.benchmark_id\n                        AND adopted_at IS NOT NULL AND set_aside_at IS NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: another_run_is_adopted_instead';\n            END IF;\n            RETURN NEW;\n        ", hash='9425548f65b32aa798a7ccbe34367cd505e457f4', operation='INSERT OR UPDATE', pgid='pgtrigger_another_run_is_adopted_instead_1d5fb', table='grading_gradingrun', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='grade',
            constraint=models.UniqueConstraint(fields=('run', 'attempt'), include=('verdict', 'accuracy', 'eed', 'reason'), name='one_grade_a_run'),
        ),
        migrations.AddConstraint(
            model_name='grade',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accuracy', 100), ('eed', 100), ('verdict', 'CORRECT')), models.Q(('accuracy', 0), ('eed__gt', 0), ('eed__lt', 100), ('verdict', 'PARTIAL')), models.Q(('accuracy', 0), ('eed', 0), ('verdict', 'INCORRECT')), models.Q(('accuracy', 0), ('eed', 0), ('verdict', 'UNREADABLE'), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='verdict_agrees_with_scores'),
        ),
        migrations.AddConstraint(
            model_name='grade',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('automatic_eed', None), ('automatic_verdict', ''), ('override', None)), models.Q(('automatic_eed', None), ('automatic_verdict', 'NOT_GRADED'), ('override__isnull', False)), models.Q(('automatic_eed__isnull', False), ('automatic_verdict__in', ['CORRECT', 'PARTIAL', 'INCORRECT', 'UNREADABLE']), ('override__isnull', False)), _connector='OR'), name='override_stands_beside_what_the_grader_said'),
        ),
        migrations.AddConstraint(
            model_name='grade',
            constraint=models.CheckConstraint(condition=models.Q(('relative', None), models.Q(('distance__gte', 0), ('relative__gte', 0), ('size__gt', 0), ('relative__lte', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('distance'), '/', models.F('size')), '+', models.Value(1e-09))), ('relative__gte', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('distance'), '/', models.F('size')), '-', models.Value(1e-09)))), _connector='OR'), name='relative_distance_comes_with_both'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='grade',
            trigger=pgtrigger.compiler.Trigger(name='grade_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='5b74153ce475547d673f85319cdeddf8dab3b4c2', operation='UPDATE OR DELETE', pgid='pgtrigger_grade_is_append_only_8fa6a', table='grading_grade', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='grade',
            trigger=pgtrigger.compiler.Trigger(name='grade_is_of_its_runs_benchmark', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."run_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n            SELECT FROM grading_gradingrun run\n            JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id\n            JOIN curation_revision revision ON revision.problem_id = problem.id\n            JOIN grading_attempt attempt ON attempt.revision_id = revision.id\n            WHERE run.id = NEW.run_id AND attempt.id = NEW.attempt_id\n                AND run.set_aside_at IS NULL\n        )\n            THEN RAISE EXCEPTION 'pgtrigger: grade_is_of_its_runs_benchmark';\n            END IF;\n            RETURN NEW;\n        ", hash='1eab4121bb1d7bb34070e3c09b3cb9722d86b65e', operation='INSERT OR UPDATE', pgid='pgtrigger_grade_is_of_its_runs_benchmark_b6f31', table='grading_grade', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.UniqueConstraint(condition=models.Q(('ruled_at', None), ('taken_back_at', None)), fields=('attempt',), name='one_open_contest_an_answer'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.UniqueConstraint(condition=models.Q(('ruled_at__isnull', False), models.Q(('fault', 'CANT_TELL'), _negated=True)), fields=('grade',), name='one_ruling_a_grade'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('fault', ''), ('report', None), ('ruled_at', None), ('ruled_by', None), ('why', '')), models.Q(models.Q(('fault', ''), _negated=True), models.Q(('why', ''), _negated=True), ('ruled_at__isnull', False), ('ruled_by__isnull', False), ('taken_back_at', None)), _connector='OR'), name='contest_is_ruled_on_by_somebody_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.CheckConstraint(condition=models.Q(('report', None), ('fault', 'KEY'), _connector='OR'), name='contest_has_a_report_where_the_key_is_at_fault'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('fault', 'GRADER'), ('override__isnull', False)), models.Q(('override', None), models.Q(('fault', 'GRADER'), _negated=True)), _connector='OR'), name='contest_has_an_override_where_the_grader_is_at_fault'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contest',
            trigger=pgtrigger.compiler.Trigger(name='contest_stays_as_it_was_written', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."attempt_id" IS DISTINCT FROM (NEW."attempt_id") OR OLD."grade_id" IS DISTINCT FROM (NEW."grade_id") OR OLD."reason" IS DISTINCT FROM (NEW."reason") OR OLD."text" IS DISTINCT FROM (NEW."text") OR OLD."contested_by_id" IS DISTINCT FROM (NEW."contested_by_id") OR OLD."contested_at" IS DISTINCT FROM (NEW."contested_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='f63ba59dffb78eea7341629d5134db00738f192b', operation='UPDATE', pgid='pgtrigger_contest_stays_as_it_was_written_12327', table='grading_contest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contest',
            trigger=pgtrigger.compiler.Trigger(name='contest_is_ruled_on_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ruled_at" IS NOT NULL AND (OLD."ruled_at" IS DISTINCT FROM (NEW."ruled_at") OR OLD."ruled_by_id" IS DISTINCT FROM (NEW."ruled_by_id") OR OLD."fault" IS DISTINCT FROM (NEW."fault") OR OLD."why" IS DISTINCT FROM (NEW."why") OR OLD."override_id" IS DISTINCT FROM (NEW."override_id") OR OLD."report_id" IS DISTINCT FROM (NEW."report_id")))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='5e6c06fb0a403267dac911b142901a797f0013ef', operation='UPDATE', pgid='pgtrigger_contest_is_ruled_on_once_02669', table='grading_contest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contest',
            trigger=pgtrigger.compiler.Trigger(name='contest_is_taken_back_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."taken_back_at" IS NOT NULL AND (OLD."taken_back_at" IS DISTINCT FROM (NEW."taken_back_at") OR NEW."ruled_at" IS NOT NULL))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='486b09e007795bab988f9d8de8c79ed06d2bd242', operation='UPDATE', pgid='pgtrigger_contest_is_taken_back_for_good_e909b', table='grading_contest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contest',
            trigger=pgtrigger.compiler.Trigger(name='contest_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='7b5b8c790806fb3855a68702cdb3f891e8eb90de', operation='DELETE', pgid='pgtrigger_contest_stays_866bf', table='grading_contest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contest',
            trigger=pgtrigger.compiler.Trigger(name='contested_grade_is_the_attempts', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."grade_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_grade\n                    WHERE id = NEW.grade_id AND attempt_id = NEW.attempt_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: contested_grade_is_the_attempts';\n            END IF;\n            RETURN NEW;\n        ", hash='359be57a666118783c3a32a70c74ee714aab9fba', operation='INSERT OR UPDATE', pgid='pgtrigger_contested_grade_is_the_attempts_da29d', table='grading_contest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='contest',
            trigger=pgtrigger.compiler.Trigger(name='override_is_of_its_contest', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."override_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_override override\n                    JOIN grading_attempt attempt USING (revision_id, response)\n                    WHERE override.id = NEW.override_id AND attempt.id = NEW.attempt_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: override_is_of_its_contest';\n            END IF;\n            RETURN NEW;\n        ", hash='23824026a25d2d383a3109d36f9fa978305d3f5b', operation='INSERT OR UPDATE', pgid='pgtrigger_override_is_of_its_contest_de835', table='grading_contest', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='panel',
            constraint=models.UniqueConstraint(fields=('version', 'name'), name='one_panel_a_name'),
        ),
        migrations.AddConstraint(
            model_name='panel',
            constraint=models.CheckConstraint(condition=models.Q(('size__gte', 5)), name='panel_has_five_models'),
        ),
        migrations.AddConstraint(
            model_name='panel',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='panel_has_a_name'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='panel',
            trigger=pgtrigger.compiler.Trigger(name='panel_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='db770664b586332ccf6d09128eae049207bd5d81', operation='UPDATE OR DELETE', pgid='pgtrigger_panel_is_append_only_0a12d', table='grading_panel', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='panel',
            trigger=pgtrigger.compiler.Trigger(name='panel_is_as_large_as_it_says', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."version_id" IS NOT NULL)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_panel panel\n    WHERE panel.id = NEW.id AND panel.size = (\n        SELECT count(*) FROM grading_panelmember WHERE panel_id = panel.id\n    )\n)\n            THEN RAISE EXCEPTION 'pgtrigger: panel_is_as_large_as_it_says';\n            END IF;\n            RETURN NEW;\n        ", hash='f0ba4905e5228b51a5985b527da9b1b7f11063ef', operation='INSERT OR UPDATE', pgid='pgtrigger_panel_is_as_large_as_it_says_67922', table='grading_panel', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='exclusion',
            constraint=models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='exclusion_says_why'),
        ),
        migrations.AddConstraint(
            model_name='publishedcolumn',
            constraint=models.UniqueConstraint(fields=('benchmark', 'configuration'), name='one_column_a_judge'),
        ),
        migrations.AddConstraint(
            model_name='regradedsolve',
            constraint=models.UniqueConstraint(fields=('run', 'solve'), name='one_outcome_a_run_and_solve'),
        ),
        migrations.AddConstraint(
            model_name='regradedsolve',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'NOT_TOLD'), models.Q(('not_told_reason', ''), _negated=True)), models.Q(models.Q(('outcome', 'NOT_TOLD'), _negated=True), ('not_told_reason', '')), _connector='OR'), name='regraded_solve_that_is_not_told_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='regradedsolve',
            trigger=pgtrigger.compiler.Trigger(name='regraded_solve_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='1a2bbb7b6d34d7382fec12f9b9907d3b5757f7ad', operation='UPDATE OR DELETE', pgid='pgtrigger_regraded_solve_is_append_only_dae56', table='grading_regradedsolve', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='regradedsolve',
            trigger=pgtrigger.compiler.Trigger(name='regraded_solve_is_of_its_runs_benchmark', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."run_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_gradingrun run\n                    JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id\n                    JOIN curation_revision revision ON revision.problem_id = problem.id\n                    JOIN curation_reviewround round ON round.revision_id = revision.id\n                    JOIN curation_blindsolve solve ON solve.round_id = round.id\n                    WHERE run.id = NEW.run_id AND solve.id = NEW.solve_id\n                        AND run.set_aside_at IS NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: regraded_solve_is_of_its_runs_benchmark';\n            END IF;\n            RETURN NEW;\n        ", hash='e8179342c4ac913181fdebc2df32a794f110eb3b', operation='INSERT OR UPDATE', pgid='pgtrigger_regraded_solve_is_of_its_runs_benchmark_d85f6', table='grading_regradedsolve', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='regradepart',
            index=models.Index(condition=models.Q(('done_at', None)), fields=['priority', 'queued_at', 'id'], name='regrade_parts_not_done'),
        ),
        migrations.AddConstraint(
            model_name='regradepart',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='one_part_a_run_and_number'),
        ),
        migrations.AddConstraint(
            model_name='regradepart',
            constraint=models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='part_of_a_run_has_an_answer'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.UniqueConstraint(models.F('benchmark'), django.db.models.functions.text.Lower('solver'), django.db.models.functions.text.Lower('item_set'), django.db.models.functions.text.MD5('url'), models.F('reported_on'), condition=models.Q(('withdrawn_at', None)), name='one_reported_score_a_source'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.CheckConstraint(condition=models.Q(('accuracy__isnull', False), ('eed__isnull', False), _connector='OR'), name='reported_score_has_a_figure'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accuracy', None), models.Q(('accuracy__gte', 0), ('accuracy__lte', 100)), _connector='OR'), models.Q(('eed', None), models.Q(('eed__gte', 0), ('eed__lte', 100)), _connector='OR'), models.Q(('accuracy_pm', None), models.Q(('accuracy_pm__gte', 0), ('accuracy_pm__lte', 100)), _connector='OR'), models.Q(('eed_pm', None), models.Q(('eed_pm__gte', 0), ('eed_pm__lte', 100)), _connector='OR')), name='reported_figures_are_in_per_cent'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accuracy_pm', None), ('accuracy__isnull', False), _connector='OR'), models.Q(('eed_pm', None), ('eed__isnull', False), _connector='OR')), name='reported_spread_has_its_figure'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accuracy_pm', None), ('eed_pm', None), ('pm_is', '')), models.Q(models.Q(('accuracy_pm', None), ('eed_pm', None), _negated=True), models.Q(('pm_is', ''), _negated=True)), _connector='OR'), name='reported_spread_says_what_it_is'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.CheckConstraint(condition=models.Q(('url__startswith', 'https://')), name='reported_score_links_by_https'),
        ),
        migrations.AddConstraint(
            model_name='reportedscore',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('why_withdrawn', ''), ('withdrawn_at', None), ('withdrawn_by', None)), models.Q(('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False), models.Q(('why_withdrawn', ''), _negated=True)), _connector='OR'), name='reported_score_withdrawn_with_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reportedscore',
            trigger=pgtrigger.compiler.Trigger(name='reported_score_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='4758a0d845566f68d17a53435dba1174909e25b1', operation='DELETE', pgid='pgtrigger_reported_score_stays_78032', table='grading_reportedscore', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reportedscore',
            trigger=pgtrigger.compiler.Trigger(name='reported_score_is_only_withdrawn', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."accuracy" IS DISTINCT FROM (NEW."accuracy") OR OLD."accuracy_pm" IS DISTINCT FROM (NEW."accuracy_pm") OR OLD."added_at" IS DISTINCT FROM (NEW."added_at") OR OLD."added_by_id" IS DISTINCT FROM (NEW."added_by_id") OR OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id") OR OLD."citation" IS DISTINCT FROM (NEW."citation") OR OLD."eed" IS DISTINCT FROM (NEW."eed") OR OLD."eed_pm" IS DISTINCT FROM (NEW."eed_pm") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."item_set" IS DISTINCT FROM (NEW."item_set") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."n" IS DISTINCT FROM (NEW."n") OR OLD."note" IS DISTINCT FROM (NEW."note") OR OLD."pm_is" IS DISTINCT FROM (NEW."pm_is") OR OLD."reported_on" IS DISTINCT FROM (NEW."reported_on") OR OLD."solver" IS DISTINCT FROM (NEW."solver") OR OLD."url" IS DISTINCT FROM (NEW."url"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='063fc68760382d7c8efd2671fceda518e9dba581', operation='UPDATE', pgid='pgtrigger_reported_score_is_only_withdrawn_e9d71', table='grading_reportedscore', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='reportedscore',
            trigger=pgtrigger.compiler.Trigger(name='reported_score_is_withdrawn_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."withdrawn_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='34e5f862b4ff81ab7b8e405748a9a577ac249c1c', operation='UPDATE', pgid='pgtrigger_reported_score_is_withdrawn_for_good_f5084', table='grading_reportedscore', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='reservation',
            constraint=models.UniqueConstraint(fields=('run', 'endpoint'), name='run_reserves_once'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.UniqueConstraint(condition=models.Q(('label_file', None)), fields=('attempt', 'ruled_by'), name='one_ruling_a_person'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.UniqueConstraint(condition=models.Q(('label_file__isnull', False)), fields=('attempt', 'labeller'), name='one_label_a_labeller'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('label_file', None), ('labeller', ''), models.Q(('reason', ''), _negated=True)), models.Q(('label_file__isnull', False), models.Q(('labeller', ''), _negated=True)), _connector='OR'), name='ruling_has_a_reason_or_a_labeller'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='ruling_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='b4ecb44516cd84dfde13c0d0f79b413baccd68bc', operation='UPDATE OR DELETE', pgid='pgtrigger_ruling_is_append_only_e933b', table='grading_ruling', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='runkey',
            constraint=models.UniqueConstraint(fields=('run', 'revision'), name='one_key_a_run_and_revision'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='runkey',
            trigger=pgtrigger.compiler.Trigger(name='run_key_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='24eab412ceed5c3be9ff1e810300ad95f964df5b', operation='UPDATE OR DELETE', pgid='pgtrigger_run_key_is_append_only_ecf96', table='grading_runkey', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='runkey',
            trigger=pgtrigger.compiler.Trigger(name='run_key_is_of_its_problem', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."run_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_gradingrun run\n                    JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id\n                    JOIN curation_revision revision ON revision.problem_id = problem.id\n                    JOIN curation_revision key ON key.problem_id = problem.id\n                    WHERE run.id = NEW.run_id AND revision.id = NEW.revision_id\n                        AND key.id = NEW.key_id AND run.set_aside_at IS NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: run_key_is_of_its_problem';\n            END IF;\n            RETURN NEW;\n        ", hash='20645c1c447301bf4b8daddc3e32af0a575ccd09', operation='INSERT OR UPDATE', pgid='pgtrigger_run_key_is_of_its_problem_aaa14', table='grading_runkey', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['priority', 'queued_at', 'id'], name='sessions_not_ended'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('started_at'))), name='session_ends_after_it_starts'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ending', '')), models.Q(('ended_at__isnull', False), models.Q(('ending', ''), _negated=True)), _connector='OR'), name='session_that_ended_says_how'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='session',
            trigger=pgtrigger.compiler.Trigger(name='session_stays_as_it_started', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."participation_id" IS DISTINCT FROM (NEW."participation_id") OR OLD."seed" IS DISTINCT FROM (NEW."seed") OR OLD."started_at" IS DISTINCT FROM (NEW."started_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='daa57dfd3f4f34e4913c894b5b3b502ea1222078', operation='UPDATE', pgid='pgtrigger_session_stays_as_it_started_3713a', table='grading_session', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='session',
            trigger=pgtrigger.compiler.Trigger(name='session_ends_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL AND (OLD."ended_at" IS DISTINCT FROM (NEW."ended_at") OR OLD."ends_at" IS DISTINCT FROM (NEW."ends_at") OR OLD."ending" IS DISTINCT FROM (NEW."ending")))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='cb01c8c1c48a94b815b6d08e1ad45bfe4a73cfdb', operation='UPDATE', pgid='pgtrigger_session_ends_for_good_80642', table='grading_session', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='session',
            trigger=pgtrigger.compiler.Trigger(name='who_sits_a_session_is_written_down', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."participation_id" IS NOT NULL)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_participation own\n                        JOIN phybench_user person ON person.id = own.person_id\n                        WHERE own.id = NEW.participation_id\n                        AND person.sits_until IS DISTINCT FROM (\n                            SELECT max(session.ends_at) FROM grading_session session\n                            JOIN grading_participation part ON part.id = session.participation_id\n                            WHERE part.person_id = person.id AND session.ended_at IS NULL\n                        )\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: who_sits_a_session_is_written_down';\n            END IF;\n            RETURN NEW;\n        ", hash='039ce1d2cc2d635d83a548c22ccc641e50c3708e', operation='INSERT OR UPDATE OF "ends_at", "ended_at"', pgid='pgtrigger_who_sits_a_session_is_written_down_3443d', table='grading_session', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='extension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('why', ''), _negated=True), ('minutes__gte', 1)), name='extension_says_why'),
        ),
        migrations.AddConstraint(
            model_name='save',
            constraint=models.UniqueConstraint(fields=('item', 'number'), name='one_save_a_number'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='save',
            trigger=pgtrigger.compiler.Trigger(name='save_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='638ba81a0f35e4d0396afb55bb4bb2163a4ca192', operation='UPDATE', pgid='pgtrigger_save_stays_6050f', table='grading_save', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='repair',
            index=models.Index(condition=models.Q(('state', 'QUEUED')), fields=['priority', 'queued_at', 'id'], name='repairs_not_graded'),
        ),
        migrations.AddConstraint(
            model_name='repair',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('meant', ''), ('state', 'HOPELESS')), models.Q(models.Q(('state', 'HOPELESS'), _negated=True), models.Q(('meant', ''), _negated=True)), _connector='OR'), name='repair_that_is_hopeless_has_no_text'),
        ),
        migrations.AddConstraint(
            model_name='repair',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accuracy__isnull', False), ('eed__isnull', False), ('state', 'GRADED'), models.Q(('verdict', ''), _negated=True)), models.Q(models.Q(('state', 'GRADED'), _negated=True), ('accuracy', None), ('eed', None), ('verdict', '')), _connector='OR'), name='repair_that_is_graded_has_a_grade'),
        ),
        migrations.AddConstraint(
            model_name='debriefing',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clarity', None), ('clarity__range', (1, 5)), _connector='OR'), models.Q(('rigour', None), ('rigour__range', (1, 5)), _connector='OR')), name='ratings_are_of_the_scale'),
        ),
        migrations.AddConstraint(
            model_name='solver',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'MODEL')), fields=('organisation', 'name'), name='one_model_a_name'),
        ),
        migrations.AddConstraint(
            model_name='solver',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'MODEL'), ('organisation__isnull', False), ('user', None)), models.Q(('kind', 'HUMAN'), ('organisation', None)), _connector='OR'), name='only_people_sign_in'),
        ),
        migrations.AddConstraint(
            model_name='description',
            constraint=models.UniqueConstraint(fields=('solver', 'number'), name='one_description_a_number'),
        ),
        migrations.AddConstraint(
            model_name='description',
            constraint=models.CheckConstraint(condition=models.Q(('link', ''), ('link__startswith', 'https://'), _connector='OR'), name='description_links_by_https'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='description',
            trigger=pgtrigger.compiler.Trigger(name='description_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='4eb216e48552576c4b74fa9bea02cfd08d7fa46c', operation='UPDATE OR DELETE', pgid='pgtrigger_description_is_append_only_c4976', table='grading_description', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='description',
            trigger=pgtrigger.compiler.Trigger(name='description_is_of_a_model', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."solver_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_solver WHERE id = NEW.solver_id AND kind = 'MODEL'\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: description_is_of_a_model';\n            END IF;\n            RETURN NEW;\n        ", hash='c77192b850e536dceef66bbc80806b2cd41acc98', operation='INSERT OR UPDATE', pgid='pgtrigger_description_is_of_a_model_27c88', table='grading_description', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='spending',
            constraint=models.UniqueConstraint(fields=('endpoint', 'model', 'day'), name='one_sum_a_day'),
        ),
        migrations.AddConstraint(
            model_name='spending',
            constraint=models.CheckConstraint(condition=models.Q(('estimated__lte', models.F('calls')), ('money__gte', 0)), name='no_more_is_estimated_than_called'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('minutes__gte', 1), ('most_people__gte', 1), ('problems__gte', 1)), name='study_has_problems_and_time'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at', None), ('closes_at', None), ('opens_at__lt', models.F('closes_at')), _connector='OR'), name='study_closes_after_it_opens'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('opened_at', None), ('opened_by', None)), models.Q(('opened_at__isnull', False), ('opened_by__isnull', False)), _connector='OR'), name='study_is_opened_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False), ('opened_at__isnull', False)), _connector='OR'), name='study_is_ended_by_somebody_after_it_was_opened'),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('expected_accuracy__gte', 1), ('expected_accuracy__lte', 99), ('person_correlation__gte', 0), ('person_correlation__lte', 1), ('problem_correlation__gte', 0), ('problem_correlation__lte', 1)), name='study_assumes_what_can_be'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='study',
            trigger=pgtrigger.compiler.Trigger(name='study_that_was_opened_stays', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."opened_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='d3f566792b2a27de825cc779bbeecab1e8aa0332', operation='DELETE', pgid='pgtrigger_study_that_was_opened_stays_50a28', table='grading_study', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='study',
            trigger=pgtrigger.compiler.Trigger(name='study_ends_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL AND OLD."ended_at" IS DISTINCT FROM (NEW."ended_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9163d1b175187882bc792f8b8d0c220788af865e', operation='UPDATE', pgid='pgtrigger_study_ends_for_good_20706', table='grading_study', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='preregistration',
            trigger=pgtrigger.compiler.Trigger(name='preregistration_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='65e2e9638be61ee6538b083b6ace3a1dee289f4b', operation='UPDATE OR DELETE', pgid='pgtrigger_preregistration_stays_91aee', table='grading_preregistration', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('study', 'person'), name='one_participation_a_person'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('study', 'pseudonym'), name='one_pseudonym_a_study'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.CheckConstraint(condition=models.Q(('consent_sha256', ''), _negated=True), name='consent_is_to_a_text'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('person__isnull', False), ('withdrawn_at', None)), models.Q(('answers', {}), ('person', None), ('withdrawn_at__isnull', False)), _connector='OR'), name='who_withdrew_is_forgotten'),
        ),
        migrations.AddConstraint(
            model_name='lettersoff',
            constraint=models.UniqueConstraint(fields=('study', 'person'), name='letters_are_off_once'),
        ),
        migrations.AddIndex(
            model_name='letter',
            index=models.Index(condition=models.Q(('failed_at', None), ('sent_at', None)), fields=['priority', 'queued_at', 'id'], name='letters_not_sent'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'INVITATION')), fields=('study', 'person'), name='one_invitation_by_mail_a_person'),
        ),
        migrations.AddConstraint(
            model_name='letter',
            constraint=models.CheckConstraint(condition=models.Q(('sent_at', None), ('failed_at', None), _connector='OR'), name='letter_is_sent_or_failed'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='letter',
            trigger=pgtrigger.compiler.Trigger(name='letter_stays_to_whom_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."study_id" IS DISTINCT FROM (NEW."study_id") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ebdfc93776dddaafdb87c516b0c8d8c4b553a9fb', operation='UPDATE', pgid='pgtrigger_letter_stays_to_whom_it_is_2f1d5', table='grading_letter', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(fields=('study', 'person'), name='one_invitation_a_person'),
        ),
        migrations.AddConstraint(
            model_name='humanbaseline',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('version',), name='one_baseline_a_version'),
        ),
        migrations.AddConstraint(
            model_name='humanbaseline',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('ended_by', None)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='baseline_is_ended_by_somebody'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='humanbaseline',
            trigger=pgtrigger.compiler.Trigger(name='baseline_stays_as_it_was_named', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."version_id" IS DISTINCT FROM (NEW."version_id") OR OLD."study_id" IS DISTINCT FROM (NEW."study_id") OR OLD."named_by_id" IS DISTINCT FROM (NEW."named_by_id") OR OLD."named_at" IS DISTINCT FROM (NEW."named_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='f225f7c65a469d483bfbf1b7be8f72c75838c111', operation='UPDATE', pgid='pgtrigger_baseline_stays_as_it_was_named_f11b2', table='grading_humanbaseline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='humanbaseline',
            trigger=pgtrigger.compiler.Trigger(name='baseline_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='692f36fa98c7fdccbe651422b88d8c2c4b90f09d', operation='DELETE', pgid='pgtrigger_baseline_stays_b81ff', table='grading_humanbaseline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='humanbaseline',
            trigger=pgtrigger.compiler.Trigger(name='baseline_ends_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a03e5f55fb6b043e46108e09373e869f2765f5ad', operation='UPDATE', pgid='pgtrigger_baseline_ends_for_good_c698c', table='grading_humanbaseline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='humanbaseline',
            trigger=pgtrigger.compiler.Trigger(name='baseline_is_an_ended_study_of_its_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."study_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_study study\n                    WHERE study.id = NEW.study_id AND study.version_id = NEW.version_id\n                        AND study.ended_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: baseline_is_an_ended_study_of_its_version';\n            END IF;\n            RETURN NEW;\n        ", hash='8c42695062e2dfe8b82156aeb6541f36e711d21f', operation='INSERT OR UPDATE', pgid='pgtrigger_baseline_is_an_ended_study_of_its_version_4a1ce', table='grading_humanbaseline', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='deviation',
            constraint=models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='deviation_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='deviation',
            trigger=pgtrigger.compiler.Trigger(name='deviation_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='ed40fa6e040eda02bbb445ea6774e9a4b14296a0', operation='UPDATE OR DELETE', pgid='pgtrigger_deviation_stays_de575', table='grading_deviation', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='studyitem',
            constraint=models.UniqueConstraint(fields=('study', 'item'), name='one_item_a_study'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='studyitem',
            trigger=pgtrigger.compiler.Trigger(name='study_item_is_public_and_of_its_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."study_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_study study\n                    JOIN curation_versionitem item USING (version_id)\n                    WHERE study.id = NEW.study_id AND item.id = NEW.item_id\n                        AND NOT item.is_hidden\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: study_item_is_public_and_of_its_version';\n            END IF;\n            RETURN NEW;\n        ", hash='c428854be282313f26bacbc6136c255ad8145732', operation='INSERT OR UPDATE', pgid='pgtrigger_study_item_is_public_and_of_its_version_cca78', table='grading_studyitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='studyitem',
            trigger=pgtrigger.compiler.Trigger(name='pool_of_a_frozen_study_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (\n                        SELECT FROM grading_preregistration\n                        WHERE study_id IN (OLD.study_id, NEW.study_id)\n                    )\n                    THEN RAISE EXCEPTION 'pgtrigger: the study is frozen';\n                    END IF;\n                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;\n                    RETURN NEW;\n                ", hash='8ae6aba8dd5babee47cdc8ef26f09b732c6e9050', operation='INSERT OR UPDATE OR DELETE', pgid='pgtrigger_pool_of_a_frozen_study_stays_c977d', table='grading_studyitem', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='sessionitem',
            constraint=models.UniqueConstraint(fields=('session', 'place'), name='one_problem_a_place'),
        ),
        migrations.AddConstraint(
            model_name='sessionitem',
            constraint=models.UniqueConstraint(fields=('session', 'study_item'), name='one_place_a_problem'),
        ),
        migrations.AddConstraint(
            model_name='sessionitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('gave_up_at', None), ('why_gave_up', '')), models.Q(('gave_up_at__isnull', False), models.Q(('why_gave_up', ''), _negated=True)), _connector='OR'), name='who_gives_up_says_why'),
        ),
        migrations.AddConstraint(
            model_name='sessionitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt__isnull', False), ('outcome', 'ANSWERED')), models.Q(models.Q(('outcome', 'ANSWERED'), _negated=True), ('attempt', None)), _connector='OR'), name='what_was_answered_is_graded'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sessionitem',
            trigger=pgtrigger.compiler.Trigger(name='session_item_is_of_its_study', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."session_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_session session\n                    JOIN grading_participation part ON part.id = session.participation_id\n                    JOIN grading_studyitem item ON item.study_id = part.study_id\n                    WHERE session.id = NEW.session_id AND item.id = NEW.study_item_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: session_item_is_of_its_study';\n            END IF;\n            RETURN NEW;\n        ", hash='c3526fbbb1fc41c1b4eaef064ddd5adbffc97bff', operation='INSERT OR UPDATE', pgid='pgtrigger_session_item_is_of_its_study_b0e5f', table='grading_sessionitem', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='submissiontally',
            constraint=models.CheckConstraint(condition=models.Q(('graded', 0), ('graded_at__isnull', False), _connector='OR'), name='tally_says_when_it_was_graded'),
        ),
        migrations.AddConstraint(
            model_name='submissiontally',
            constraint=models.CheckConstraint(condition=models.Q(('scores__isnull', True), models.Q(('cancelled', 0), ('waiting', 0)), _connector='OR'), name='scores_are_of_what_is_settled'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.UniqueConstraint(fields=('solver', 'benchmark', 'number'), name='one_submission_a_number'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('published_at', None), ('published_by', None)), models.Q(('published_at__isnull', False), ('published_by__isnull', False)), _connector='OR'), name='published_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cancelled_at', None), ('cancelled_by', None)), models.Q(('cancelled_at__isnull', False), ('cancelled_by__isnull', False), ('published_at', None)), _connector='OR'), name='cancelled_by_somebody_and_not_published'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submission',
            trigger=pgtrigger.compiler.Trigger(name='submission_is_only_published_and_withdrawn', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."benchmark_id" IS DISTINCT FROM (NEW."benchmark_id") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."expected" IS DISTINCT FROM (NEW."expected") OR OLD."file_name" IS DISTINCT FROM (NEW."file_name") OR OLD."file_sha256" IS DISTINCT FROM (NEW."file_sha256") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."is_named" IS DISTINCT FROM (NEW."is_named") OR OLD."left_out" IS DISTINCT FROM (NEW."left_out") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."solver_id" IS DISTINCT FROM (NEW."solver_id") OR OLD."uploaded_by_id" IS DISTINCT FROM (NEW."uploaded_by_id") OR OLD."version_id" IS DISTINCT FROM (NEW."version_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='da60e05f53ca2c707172179aea0a8d07e37b1118', operation='UPDATE', pgid='pgtrigger_submission_is_only_published_and_withdrawn_66b4f', table='grading_submission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submission',
            trigger=pgtrigger.compiler.Trigger(name='submission_is_to_a_published_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."version_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM curation_benchmarkversion\n                    WHERE id = NEW.version_id AND benchmark_id = NEW.benchmark_id\n                        AND published_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: submission_is_to_a_published_version';\n            END IF;\n            RETURN NEW;\n        ", hash='61ea16f787b5e21c5614bc2e0c62375634cdcfa4', operation='INSERT OR UPDATE', pgid='pgtrigger_submission_is_to_a_published_version_60f28', table='grading_submission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submission',
            trigger=pgtrigger.compiler.Trigger(name='submission_is_published_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."published_at" IS NOT NULL AND (OLD."published_at" IS DISTINCT FROM (NEW."published_at") OR OLD."published_by_id" IS DISTINCT FROM (NEW."published_by_id")))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='22ed8f42e6193a0c80c2a2dc4d3897e528af1f25', operation='UPDATE', pgid='pgtrigger_submission_is_published_for_good_b146c', table='grading_submission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='submission',
            trigger=pgtrigger.compiler.Trigger(name='submission_is_withdrawn_for_good', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."withdrawn_at" IS NOT NULL AND OLD."withdrawn_at" IS DISTINCT FROM (NEW."withdrawn_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='de3eaa9a2fe9ea0cae8f2cf7aff8e4c07395d74b', operation='UPDATE', pgid='pgtrigger_submission_is_withdrawn_for_good_43cf2', table='grading_submission', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='panelmember',
            constraint=models.UniqueConstraint(fields=('panel', 'submission'), name='once_in_a_panel'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='panelmember',
            trigger=pgtrigger.compiler.Trigger(name='panel_member_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='4d9dcc8fb6c6bdf2dbe791f6da66b334decddadf', operation='UPDATE OR DELETE', pgid='pgtrigger_panel_member_is_append_only_717c5', table='grading_panelmember', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='panelmember',
            trigger=pgtrigger.compiler.Trigger(name='panel_member_came_with_its_panel', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."panel_id" IS NOT NULL)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n    SELECT FROM grading_panel panel\n    WHERE panel.id = NEW.panel_id AND panel.size = (\n        SELECT count(*) FROM grading_panelmember WHERE panel_id = panel.id\n    )\n)\n            THEN RAISE EXCEPTION 'pgtrigger: panel_member_came_with_its_panel';\n            END IF;\n            RETURN NEW;\n        ", hash='e6871eef15a3cd40cc2469b656e807bb4d10f67d', operation='INSERT OR UPDATE', pgid='pgtrigger_panel_member_came_with_its_panel_90bfa', table='grading_panelmember', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='panelmember',
            trigger=pgtrigger.compiler.Trigger(name='panel_member_is_of_its_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."panel_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_panel panel\n                    JOIN grading_submission submission USING (version_id)\n                    WHERE panel.id = NEW.panel_id AND submission.id = NEW.submission_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: panel_member_is_of_its_version';\n            END IF;\n            RETURN NEW;\n        ", hash='33389dc87d6d22ca9b54de513047b0ea9683f9cf', operation='INSERT OR UPDATE', pgid='pgtrigger_panel_member_is_of_its_version_97ad7', table='grading_panelmember', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='hiddenbatch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('asked_at', None), ('asked_by', None), ('figure', None), ('is_better', None)), models.Q(('asked_at__isnull', False), ('asked_by__isnull', False), ('is_better', False)), models.Q(('asked_at__isnull', False), ('asked_by__isnull', False), ('figure__lte', 100), ('is_better', True)), _connector='OR'), name='hidden_figure_was_asked_for'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenbatch',
            trigger=pgtrigger.compiler.Trigger(name='hidden_batch_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='3a0c8cda1d1bb59f42bc500928e8130ddfe3896c', operation='DELETE', pgid='pgtrigger_hidden_batch_stays_a0545', table='grading_hiddenbatch', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenbatch',
            trigger=pgtrigger.compiler.Trigger(name='hidden_figure_is_told_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."asked_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='fd499a922fb5e6ca7ab7a8be635cba5445284fab', operation='UPDATE', pgid='pgtrigger_hidden_figure_is_told_once_42daf', table='grading_hiddenbatch', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='hiddenbatch',
            trigger=pgtrigger.compiler.Trigger(name='hidden_batch_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."submission_id" IS DISTINCT FROM (NEW."submission_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a8368edd736661d39a5a88accf439bef2fcd1d71', operation='UPDATE', pgid='pgtrigger_hidden_batch_is_frozen_60674', table='grading_hiddenbatch', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='firsterrorsolver',
            constraint=models.UniqueConstraint(fields=('sample', 'place'), name='one_first_error_solver_a_place'),
        ),
        migrations.AddConstraint(
            model_name='firsterrorsolver',
            constraint=models.UniqueConstraint(fields=('sample', 'submission'), name='submission_is_once_in_a_first_error_sample'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsolver',
            trigger=pgtrigger.compiler.Trigger(name='first_error_solver_is_append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='5c43292c8bd78bde5fdcb497d016b24d6a3265c4', operation='UPDATE OR DELETE', pgid='pgtrigger_first_error_solver_is_append_only_8c1ee', table='grading_firsterrorsolver', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='firsterrorsolver',
            trigger=pgtrigger.compiler.Trigger(name='first_error_solver_is_published', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."sample_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_submission submission\n                    JOIN grading_firsterrorsample sample USING (version_id)\n                    WHERE sample.id = NEW.sample_id AND submission.id = NEW.submission_id\n                        AND submission.published_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: first_error_solver_is_published';\n            END IF;\n            RETURN NEW;\n        ", hash='21433c44bc877202180500f1ed4d3bd32fe84c9a', operation='INSERT OR UPDATE', pgid='pgtrigger_first_error_solver_is_published_b8640', table='grading_firsterrorsolver', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draftsubmission',
            trigger=pgtrigger.compiler.Trigger(name='submission_stays_of_its_draft', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='b539a3dff0dfb0a14bccae2b1f303d55aba2998e', operation='UPDATE OR DELETE', pgid='pgtrigger_submission_stays_of_its_draft_6cfff', table='grading_draftsubmission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draftsubmission',
            trigger=pgtrigger.compiler.Trigger(name='submission_is_to_the_version_of_its_draft', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."draft_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_submission AS submission, grading_draft AS draft\n                    WHERE submission.id = NEW.submission_id AND draft.id = NEW.draft_id\n                        AND (submission.version_id IS NULL\n                            OR submission.version_id = draft.version_id)\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: submission_is_to_the_version_of_its_draft';\n            END IF;\n            RETURN NEW;\n        ", hash='b7c40901409aa38040eafa96b7c5cca040f39620', operation='INSERT OR UPDATE', pgid='pgtrigger_submission_is_to_the_version_of_its_draft_ca22e', table='grading_draftsubmission', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status__in', ['QUEUED', 'GRADING'])), fields=['priority', 'queued_at', 'id'], name='attempts_not_done'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status__in', ['QUEUED', 'GRADING']), ('tries', 0)), fields=['submission'], name='answers_not_begun'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status', 'FAILED')), fields=['submission', 'queued_at'], name='answers_not_graded'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(models.F('revision'), django.db.models.functions.text.MD5('response'), name='attempts_in_the_same_words'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(condition=models.Q(('submission__isnull', False)), fields=('submission', 'revision', 'sample'), include=('id', 'status'), name='one_attempt_a_sample'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(condition=models.Q(('submission', None), models.Q(('status', 'CANCELLED'), _negated=True)), fields=('solver', 'revision'), name='one_attempt_a_person'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'GRADING')), models.Q(models.Q(('status', 'GRADING'), _negated=True), ('lease_until', None)), _connector='OR'), name='leased_while_graded'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'FAILED'), models.Q(('failure_reason', ''), _negated=True)), models.Q(models.Q(('status', 'FAILED'), _negated=True), ('failure_reason', '')), _connector='OR'), name='failed_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('origin', 'FILE'), ('submission__isnull', False)), models.Q(('origin__in', ['OUTSIDE', 'STUDY']), ('submission', None)), _connector='OR'), name='answer_is_of_a_file_or_a_persons'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(('told_at', None), models.Q(('origin', 'STUDY'), models.Q(('status', 'CANCELLED'), _negated=True)), _connector='OR'), name='a_study_tells_of_its_answers_that_count'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='answers_that_come_are_counted', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE one RECORD;', func="\n            FOR one IN\n                SELECT * FROM (\n                    SELECT submission_id, coalesce(sum(change) FILTER (WHERE status = ANY('{QUEUED,GRADING}')), 0) AS waiting, coalesce(sum(change) FILTER (WHERE status = ANY('{GRADED}')), 0) AS graded, coalesce(sum(change) FILTER (WHERE status = ANY('{FAILED}')), 0) AS failed, coalesce(sum(change) FILTER (WHERE status = ANY('{CANCELLED}')), 0) AS cancelled FROM (SELECT submission_id, status, 1 AS change FROM new_rows WHERE submission_id IS NOT NULL) answer GROUP BY submission_id\n                ) found\n                WHERE found.waiting <> 0 OR found.graded <> 0 OR found.failed <> 0 OR found.cancelled <> 0 ORDER BY submission_id\n            LOOP\n                \n                INSERT INTO grading_submissiontally (submission_id, waiting, graded, failed, cancelled)\n                VALUES (one.submission_id, 0, 0, 0, 0)\n                ON CONFLICT DO NOTHING;\n                UPDATE grading_submissiontally SET\n                    waiting = waiting + one.waiting, graded = graded + one.graded, failed = failed + one.failed, cancelled = cancelled + one.cancelled,\n                    graded_at = CASE\n                        WHEN one.graded > 0 THEN clock_timestamp() ELSE graded_at\n                    END,\n                    scores = NULL\n                WHERE submission_id = one.submission_id;\n            END LOOP;\n            RETURN NULL;\n        ", hash='8b076a31a4560dd4a00151f1ae1abfb7010954b0', level='STATEMENT', operation='INSERT', pgid='pgtrigger_answers_that_come_are_counted_a6721', referencing='REFERENCING NEW TABLE AS new_rows ', table='grading_attempt', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='answers_that_change_are_counted', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE one RECORD;', func="\n            FOR one IN\n                SELECT * FROM (\n                    SELECT submission_id, coalesce(sum(change) FILTER (WHERE status = ANY('{QUEUED,GRADING}')), 0) AS waiting, coalesce(sum(change) FILTER (WHERE status = ANY('{GRADED}')), 0) AS graded, coalesce(sum(change) FILTER (WHERE status = ANY('{FAILED}')), 0) AS failed, coalesce(sum(change) FILTER (WHERE status = ANY('{CANCELLED}')), 0) AS cancelled FROM (SELECT submission_id, status, 1 AS change FROM new_rows WHERE submission_id IS NOT NULL UNION ALL SELECT submission_id, status, -1 AS change FROM old_rows WHERE submission_id IS NOT NULL) answer GROUP BY submission_id\n                ) found\n                WHERE found.waiting <> 0 OR found.graded <> 0 OR found.failed <> 0 OR found.cancelled <> 0 ORDER BY submission_id\n            LOOP\n                \n                UPDATE grading_submissiontally SET\n                    waiting = waiting + one.waiting, graded = graded + one.graded, failed = failed + one.failed, cancelled = cancelled + one.cancelled,\n                    graded_at = CASE\n                        WHEN one.graded > 0 THEN clock_timestamp() ELSE graded_at\n                    END,\n                    scores = NULL\n                WHERE submission_id = one.submission_id;\n            END LOOP;\n            RETURN NULL;\n        ", hash='3d1e1ba639eaf90c97dfdddc263864484890a033', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_answers_that_change_are_counted_c6879', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='grading_attempt', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='answers_that_go_are_counted', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE one RECORD;', func="\n            FOR one IN\n                SELECT * FROM (\n                    SELECT submission_id, coalesce(sum(change) FILTER (WHERE status = ANY('{QUEUED,GRADING}')), 0) AS waiting, coalesce(sum(change) FILTER (WHERE status = ANY('{GRADED}')), 0) AS graded, coalesce(sum(change) FILTER (WHERE status = ANY('{FAILED}')), 0) AS failed, coalesce(sum(change) FILTER (WHERE status = ANY('{CANCELLED}')), 0) AS cancelled FROM (SELECT submission_id, status, -1 AS change FROM old_rows WHERE submission_id IS NOT NULL) answer GROUP BY submission_id\n                ) found\n                WHERE found.waiting <> 0 OR found.graded <> 0 OR found.failed <> 0 OR found.cancelled <> 0 ORDER BY submission_id\n            LOOP\n                \n                UPDATE grading_submissiontally SET\n                    waiting = waiting + one.waiting, graded = graded + one.graded, failed = failed + one.failed, cancelled = cancelled + one.cancelled,\n                    graded_at = CASE\n                        WHEN one.graded > 0 THEN clock_timestamp() ELSE graded_at\n                    END,\n                    scores = NULL\n                WHERE submission_id = one.submission_id;\n            END LOOP;\n            RETURN NULL;\n        ", hash='918db80c41d7d7902839f6497279fd8e50dd5d13', level='STATEMENT', operation='DELETE', pgid='pgtrigger_answers_that_go_are_counted_8bc7d', referencing='REFERENCING OLD TABLE AS old_rows ', table='grading_attempt', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='answer_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."created_at" IS DISTINCT FROM (NEW."created_at") OR OLD."finish_reason" IS DISTINCT FROM (NEW."finish_reason") OR OLD."latency" IS DISTINCT FROM (NEW."latency") OR OLD."origin" IS DISTINCT FROM (NEW."origin") OR OLD."response" IS DISTINCT FROM (NEW."response") OR OLD."revision_id" IS DISTINCT FROM (NEW."revision_id") OR OLD."sample" IS DISTINCT FROM (NEW."sample") OR OLD."solver_id" IS DISTINCT FROM (NEW."solver_id") OR OLD."submission_id" IS DISTINCT FROM (NEW."submission_id") OR OLD."tokens" IS DISTINCT FROM (NEW."tokens"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ffc12a006acf239f3ae1283dffe44db92e1c9888', operation='UPDATE', pgid='pgtrigger_answer_is_frozen_042dd', table='grading_attempt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='attempt_is_by_its_submissions_solver', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."submission_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_submission\n                    WHERE id = NEW.submission_id AND solver_id = NEW.solver_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: attempt_is_by_its_submissions_solver';\n            END IF;\n            RETURN NEW;\n        ", hash='66f69e721aabff464ed1c12296a2d00b1fa79849', operation='INSERT OR UPDATE', pgid='pgtrigger_attempt_is_by_its_submissions_solver_c8e18', table='grading_attempt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='attempt_is_on_its_submissions_benchmark', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."submission_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_submission submission\n                    JOIN curation_problem problem USING (benchmark_id)\n                    JOIN curation_revision revision ON revision.problem_id = problem.id\n                    WHERE submission.id = NEW.submission_id AND revision.id = NEW.revision_id\n                        AND revision.submitted_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: attempt_is_on_its_submissions_benchmark';\n            END IF;\n            RETURN NEW;\n        ", hash='8a51756927f90afc29aade974c8b92b3c21ee7e5', operation='INSERT OR UPDATE', pgid='pgtrigger_attempt_is_on_its_submissions_benchmark_cb327', table='grading_attempt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='attempt_is_on_a_public_item_of_its_version', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."submission_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_submission WHERE id = NEW.submission_id\n                        AND version_id IS NULL\n                    UNION ALL\n                    SELECT FROM grading_submission submission\n                    JOIN curation_versionitem item USING (version_id)\n                    WHERE submission.id = NEW.submission_id\n                        AND item.revision_id = NEW.revision_id AND NOT item.is_hidden\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: attempt_is_on_a_public_item_of_its_version';\n            END IF;\n            RETURN NEW;\n        ", hash='2feda36b03c6a44b5e7ffdf6275135694108c53d', operation='INSERT OR UPDATE', pgid='pgtrigger_attempt_is_on_a_public_item_of_its_version_c1179', table='grading_attempt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='attempt_without_submission_is_a_persons', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."submission_id" IS NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_solver solver, curation_revision revision\n                    WHERE solver.id = NEW.solver_id AND solver.kind = 'HUMAN'\n                        AND revision.id = NEW.revision_id AND revision.submitted_at IS NOT NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: attempt_without_submission_is_a_persons';\n            END IF;\n            RETURN NEW;\n        ", hash='c252f89da4990c0a147ee58d51077a98c75749de', operation='INSERT OR UPDATE', pgid='pgtrigger_attempt_without_submission_is_a_persons_f99c9', table='grading_attempt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='graded_attempt_has_a_grade', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."status" = \'GRADED\')', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_attempt WHERE id = NEW.id AND status <> 'GRADED'\n                    UNION ALL\n                    SELECT FROM grading_grade grade JOIN grading_gradingrun run\n                    ON run.id = grade.run_id AND run.adopted_at IS NOT NULL\n                        AND run.set_aside_at IS NULL\n                    WHERE grade.attempt_id = NEW.id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: graded_attempt_has_a_grade';\n            END IF;\n            RETURN NEW;\n        ", hash='6e76aa0703b596cc4330d9976c3d99313ad8e726', operation='INSERT OR UPDATE', pgid='pgtrigger_graded_attempt_has_a_grade_b1be2', table='grading_attempt', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='attempt',
            trigger=pgtrigger.compiler.Trigger(name='failed_attempt_has_no_grade', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."status" = \'FAILED\')', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_attempt WHERE id = NEW.id AND status <> 'FAILED'\n                    UNION ALL\n                    SELECT WHERE NOT EXISTS (\n                        SELECT FROM grading_grade grade JOIN grading_gradingrun run\n                        ON run.id = grade.run_id AND run.adopted_at IS NOT NULL\n                            AND run.set_aside_at IS NULL\n                        WHERE grade.attempt_id = NEW.id\n                    )\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: failed_attempt_has_no_grade';\n            END IF;\n            RETURN NEW;\n        ", hash='c23efd6e0bb6a7b6c6da0669e7f819007c10550b', operation='INSERT OR UPDATE', pgid='pgtrigger_failed_attempt_has_no_grade_27df2', table='grading_attempt', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddIndex(
            model_name='answersorting',
            index=models.Index(condition=models.Q(('done_at', None)), fields=['priority', 'queued_at', 'id'], name='sortings_not_done'),
        ),
        migrations.AddConstraint(
            model_name='answersorting',
            constraint=models.UniqueConstraint(fields=('run', 'submission', 'revision'), name='one_sorting_a_run_and_problem'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answersorting',
            trigger=pgtrigger.compiler.Trigger(name='sorting_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='bc9435f13f6281d60031d2e50a50bc681e0f198f', operation='DELETE', pgid='pgtrigger_sorting_stays_a3088', table='grading_answersorting', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answersorting',
            trigger=pgtrigger.compiler.Trigger(name='sorting_that_is_done_is_frozen', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."done_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e2c1e39252547600af4c4064af4d5dcb3600d966', operation='UPDATE', pgid='pgtrigger_sorting_that_is_done_is_frozen_9f51f', table='grading_answersorting', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answersorting',
            trigger=pgtrigger.compiler.Trigger(name='sorting_is_of_its_submissions_answers', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."submission_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_attempt attempt\n                    JOIN grading_submission submission ON submission.id = attempt.submission_id\n                    JOIN grading_gradingrun run USING (benchmark_id)\n                    WHERE run.id = NEW.run_id AND submission.id = NEW.submission_id\n                        AND attempt.revision_id = NEW.revision_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: sorting_is_of_its_submissions_answers';\n            END IF;\n            RETURN NEW;\n        ", hash='33abb24503afc211beab57f2f10a160a3b717641', operation='INSERT OR UPDATE', pgid='pgtrigger_sorting_is_of_its_submissions_answers_89252', table='grading_answersorting', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.UniqueConstraint(fields=('item', 'kind', 'moment'), name='one_trace_a_moment_and_kind'),
        ),
        migrations.AddConstraint(
            model_name='ungraded',
            constraint=models.UniqueConstraint(fields=('run', 'attempt'), name='one_reason_a_run_and_attempt'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ungraded',
            trigger=pgtrigger.compiler.Trigger(name='reason_stays_as_it_was', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ae653f85ac3413c0d35a9149ea528d492ce1f14b', operation='UPDATE', pgid='pgtrigger_reason_stays_as_it_was_816d9', table='grading_ungraded', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ungraded',
            trigger=pgtrigger.compiler.Trigger(name='reason_of_a_run_that_counted_stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (\n                        SELECT FROM grading_gradingrun\n                        WHERE id = OLD.run_id AND adopted_at IS NOT NULL\n                    )\n                    THEN RAISE EXCEPTION 'pgtrigger: the run was adopted';\n                    END IF;\n                    RETURN OLD;\n                ", hash='8824744156a79babd11be31db21369918cd499ff', operation='DELETE', pgid='pgtrigger_reason_of_a_run_that_counted_stays_618b3', table='grading_ungraded', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ungraded',
            trigger=pgtrigger.compiler.Trigger(name='reason_is_of_its_runs_benchmark', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."run_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n            SELECT FROM grading_gradingrun run\n            JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id\n            JOIN curation_revision revision ON revision.problem_id = problem.id\n            JOIN grading_attempt attempt ON attempt.revision_id = revision.id\n            WHERE run.id = NEW.run_id AND attempt.id = NEW.attempt_id\n                AND run.set_aside_at IS NULL\n        )\n            THEN RAISE EXCEPTION 'pgtrigger: reason_is_of_its_runs_benchmark';\n            END IF;\n            RETURN NEW;\n        ", hash='7d31b5f21581ee0aa88e8d7f6b1264c8d906fd39', operation='INSERT OR UPDATE', pgid='pgtrigger_reason_is_of_its_runs_benchmark_3cf5c', table='grading_ungraded', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='unorderedpart',
            constraint=models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='unordered_part_has_a_grade'),
        ),
        migrations.AddConstraint(
            model_name='unorderedpart',
            constraint=models.UniqueConstraint(fields=('run', 'first'), name='one_unordered_part_a_grade'),
        ),
        migrations.AddConstraint(
            model_name='unorderedscore',
            constraint=models.UniqueConstraint(fields=('grade', 'version'), include=('score',), name='one_unordered_score_a_grade'),
        ),
        migrations.AddConstraint(
            model_name='unorderedscore',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('distance__isnull', False), ('reason', ''), ('score__isnull', False)), models.Q(('distance', None), ('score', None), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='unordered_score_or_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='unorderedscore',
            constraint=models.CheckConstraint(condition=models.Q(('score', None), models.Q(('distance__gte', 0), ('score__gte', 0), ('score__lte', 60)), _connector='OR'), name='unordered_score_is_of_a_wrong_answer'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unorderedscore',
            trigger=pgtrigger.compiler.Trigger(name='unordered_score_stays_as_it_was', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e3121ff620f8d40f9b5218a85725efe0247d5281', operation='UPDATE', pgid='pgtrigger_unordered_score_stays_as_it_was_cf0e9', table='grading_unorderedscore', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unorderedscore',
            trigger=pgtrigger.compiler.Trigger(name='unordered_score_stays', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."score" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='a9bcc320a97103dd551adbefb194828f8477af7a', operation='DELETE', pgid='pgtrigger_unordered_score_stays_579a8', table='grading_unorderedscore', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unorderedscore',
            trigger=pgtrigger.compiler.Trigger(name='unordered_score_is_of_a_measured_grade', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."grade_id" IS NOT NULL)', func="\n            IF NOT EXISTS (SELECT FROM grading_grade WHERE id = NEW.grade_id AND trees IS NOT NULL)\n            THEN RAISE EXCEPTION 'pgtrigger: unordered_score_is_of_a_measured_grade';\n            END IF;\n            RETURN NEW;\n        ", hash='331f1cf9bda1e652c172322c093d041bba0f8258', operation='INSERT OR UPDATE', pgid='pgtrigger_unordered_score_is_of_a_measured_grade_c3530', table='grading_unorderedscore', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='runjudge',
            constraint=models.UniqueConstraint(fields=('run', 'name'), name='one_judge_a_name'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='runjudge',
            trigger=pgtrigger.compiler.Trigger(name='judge_of_a_run_stays_who_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='d0c8339f7153714de23cdc668fda71f3700c1f27', operation='UPDATE', pgid='pgtrigger_judge_of_a_run_stays_who_it_is_0b79c', table='grading_runjudge', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='judgerun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('file', None), ('submission__isnull', False)), models.Q(('file__isnull', False), ('other', None), ('submission', None)), _connector='OR'), name='judge_run_is_on_a_submission_or_a_file'),
        ),
        migrations.AddConstraint(
            model_name='judgerun',
            constraint=models.CheckConstraint(condition=models.Q(('other', None), models.Q(('other', models.F('submission')), _negated=True), _connector='OR'), name='judge_run_compares_two'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgerun',
            trigger=pgtrigger.compiler.Trigger(name='judge_run_stays_as_it_was_begun', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."configuration_id" IS DISTINCT FROM (NEW."configuration_id") OR OLD."file_id" IS DISTINCT FROM (NEW."file_id") OR OLD."is_fresh" IS DISTINCT FROM (NEW."is_fresh") OR OLD."other_id" IS DISTINCT FROM (NEW."other_id") OR OLD."purpose" IS DISTINCT FROM (NEW."purpose") OR OLD."submission_id" IS DISTINCT FROM (NEW."submission_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='80104d80a7136f8dcb2ef23110b7be9c6e7246fa', operation='UPDATE', pgid='pgtrigger_judge_run_stays_as_it_was_begun_5cdef', table='grading_judgerun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgerun',
            trigger=pgtrigger.compiler.Trigger(name='judge_run_compares_what_can_be', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF (NEW.other_id IS NOT NULL) <> EXISTS (\n                        SELECT 1 FROM grading_judgeconfiguration\n                        WHERE id = NEW.configuration_id AND kind = 'PAIRWISE'\n                    )\n                    THEN RAISE EXCEPTION 'a judge that compares takes two submissions, others one';\n                    END IF;\n                    IF NEW.other_id IS NOT NULL AND (\n                        SELECT COUNT(DISTINCT benchmark_id) FROM grading_submission\n                        WHERE id IN (NEW.submission_id, NEW.other_id)\n                    ) <> 1\n                    THEN RAISE EXCEPTION 'submissions on two benchmarks are not compared';\n                    END IF;\n                    RETURN NEW;\n                ", hash='c66b795f28098e0b53d80d5c3fdc154d956b553b', operation='INSERT OR UPDATE', pgid='pgtrigger_judge_run_compares_what_can_be_52854', table='grading_judgerun', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='judgeitem',
            index=models.Index(condition=models.Q(('state__in', ['QUEUED', 'JUDGING'])), fields=['run', 'priority', 'queued_at', 'id'], name='judge_items_not_done'),
        ),
        migrations.AddIndex(
            model_name='judgeitem',
            index=models.Index(condition=models.Q(('state', 'JUDGING')), fields=['run'], name='judge_items_under_way'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.UniqueConstraint(fields=('run', 'attempt'), name='one_item_an_attempt'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.UniqueConstraint(fields=('run', 'other'), name='one_item_an_other_attempt'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.UniqueConstraint(condition=models.Q(('canary', ''), _negated=True), fields=('run', 'canary'), name='one_item_a_canary'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('attempt', None), ('given', None), ('other', None), models.Q(('canary', ''), _negated=True)), models.Q(('attempt__isnull', False), ('canary', ''), ('given', None)), models.Q(('attempt', None), ('canary', ''), ('given__isnull', False), ('other', None)), _connector='OR'), name='judge_item_is_an_attempt_or_a_canary'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.CheckConstraint(condition=models.Q(('other', None), models.Q(('other', models.F('attempt')), _negated=True), _connector='OR'), name='judge_item_compares_two'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'JUDGING')), models.Q(models.Q(('state', 'JUDGING'), _negated=True), ('lease_until', None)), _connector='OR'), name='judge_item_is_leased_while_held'),
        ),
        migrations.AddConstraint(
            model_name='judgeitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['UNSCORED', 'SKIPPED']), models.Q(('reason', ''), _negated=True)), models.Q(models.Q(('state__in', ['UNSCORED', 'SKIPPED']), _negated=True), ('reason', '')), _connector='OR'), name='judge_item_without_verdict_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeitem',
            trigger=pgtrigger.compiler.Trigger(name='judge_item_stays_what_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."run_id" IS DISTINCT FROM (NEW."run_id") OR OLD."attempt_id" IS DISTINCT FROM (NEW."attempt_id") OR OLD."other_id" IS DISTINCT FROM (NEW."other_id") OR OLD."canary" IS DISTINCT FROM (NEW."canary") OR OLD."given" IS DISTINCT FROM (NEW."given"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='eda7c91700a0cd54e4fe1bc302bcc6f2bc7eff53', operation='UPDATE', pgid='pgtrigger_judge_item_stays_what_it_is_5870e', table='grading_judgeitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeitem',
            trigger=pgtrigger.compiler.Trigger(name='judge_item_keeps_its_verdict', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."state" = \'SCORED\' AND OLD."state" IS DISTINCT FROM (NEW."state"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='ae081048f9fd86d701455d02cb38a2e2c89a67eb', operation='UPDATE', pgid='pgtrigger_judge_item_keeps_its_verdict_52cea', table='grading_judgeitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='judgeitem',
            trigger=pgtrigger.compiler.Trigger(name='judge_item_is_of_its_runs_submissions', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."attempt_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_judgerun run\n                    JOIN grading_attempt attempt ON attempt.submission_id = run.submission_id\n                    LEFT JOIN grading_attempt other ON other.id = NEW.other_id\n                    WHERE run.run_id = NEW.run_id AND attempt.id = NEW.attempt_id\n                    AND other.submission_id IS NOT DISTINCT FROM run.other_id\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: judge_item_is_of_its_runs_submissions';\n            END IF;\n            RETURN NEW;\n        ", hash='3dcaf4493aaa7cd0d16a30a9daa9b7df42afc563', operation='INSERT OR UPDATE', pgid='pgtrigger_judge_item_is_of_its_runs_submissions_3e320', table='grading_judgeitem', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='modelrunanswer',
            index=models.Index(condition=models.Q(('state__in', ['QUEUED', 'CALLING'])), fields=['run', 'priority', 'queued_at', 'id'], name='run_answers_not_done'),
        ),
        migrations.AddIndex(
            model_name='modelrunanswer',
            index=models.Index(condition=models.Q(('state', 'CALLING')), fields=['run'], name='run_answers_under_way'),
        ),
        migrations.AddConstraint(
            model_name='modelrunanswer',
            constraint=models.UniqueConstraint(fields=('run', 'item', 'sample'), name='one_run_answer_a_time'),
        ),
        migrations.AddConstraint(
            model_name='modelrunanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'CALLING')), models.Q(models.Q(('state', 'CALLING'), _negated=True), ('lease_until', None)), _connector='OR'), name='run_answer_is_leased_while_held'),
        ),
        migrations.AddConstraint(
            model_name='modelrunanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'FAILED'), models.Q(('failure_reason', ''), _negated=True)), models.Q(models.Q(('state', 'FAILED'), _negated=True), ('failure_reason', '')), _connector='OR'), name='run_answer_fails_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='modelrunanswer',
            constraint=models.CheckConstraint(condition=models.Q(('state', 'ANSWERED'), models.Q(('remark', ''), ('response', '')), _connector='OR'), name='only_what_was_answered_has_a_remark'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelrunanswer',
            trigger=pgtrigger.compiler.Trigger(name='run_answer_stays_what_it_is', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."run_id" IS DISTINCT FROM (NEW."run_id") OR OLD."item_id" IS DISTINCT FROM (NEW."item_id") OR OLD."sample" IS DISTINCT FROM (NEW."sample"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e1164bcebce990c1bb3542ff254ae00ab54baea2', operation='UPDATE', pgid='pgtrigger_run_answer_stays_what_it_is_49f09', table='grading_modelrunanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelrunanswer',
            trigger=pgtrigger.compiler.Trigger(name='run_answer_is_asked_for_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."state" = \'ANSWERED\')', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e2afd445d10f5b29a97f3a7c812b0bc221f8fd57', operation='UPDATE', pgid='pgtrigger_run_answer_is_asked_for_once_ef1bd', table='grading_modelrunanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelrunanswer',
            trigger=pgtrigger.compiler.Trigger(name='run_answer_stays_with_its_calls', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."calls_made" > 0)', func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='7c7d43c44f35e8c3174a8dab826eb8f60381bfaa', operation='DELETE', pgid='pgtrigger_run_answer_stays_with_its_calls_960f3', table='grading_modelrunanswer', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='modelrun',
            constraint=models.CheckConstraint(condition=models.Q(('samples__gte', 1), ('samples__lte', 16)), name='model_run_asks_a_few_times'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='modelrun',
            trigger=pgtrigger.compiler.Trigger(name='model_run_stays_as_it_was_begun', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."version_id" IS DISTINCT FROM (NEW."version_id") OR OLD."endpoint_id" IS DISTINCT FROM (NEW."endpoint_id") OR OLD."model" IS DISTINCT FROM (NEW."model") OR OLD."host" IS DISTINCT FROM (NEW."host") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."samples" IS DISTINCT FROM (NEW."samples") OR OLD."temperature" IS DISTINCT FROM (NEW."temperature") OR OLD."max_tokens" IS DISTINCT FROM (NEW."max_tokens") OR OLD."reasoning_effort" IS DISTINCT FROM (NEW."reasoning_effort") OR OLD."includes_hidden" IS DISTINCT FROM (NEW."includes_hidden") OR OLD."prompt_name" IS DISTINCT FROM (NEW."prompt_name") OR OLD."prompt_sha256" IS DISTINCT FROM (NEW."prompt_sha256") OR OLD."prompt_words" IS DISTINCT FROM (NEW."prompt_words"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='bc79134e06e363905a992fe239c871812d0407f6', operation='UPDATE', pgid='pgtrigger_model_run_stays_as_it_was_begun_d3c52', table='grading_modelrun', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='draftfile',
            constraint=models.CheckConstraint(condition=models.Q(('read_at', None), ('mapped_at__isnull', False), _connector='OR'), name='draft_file_is_read_once_mapped'),
        ),
        migrations.AddConstraint(
            model_name='draftfile',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('format', 'run'), ('model_run__isnull', False)), models.Q(models.Q(('format', 'run'), _negated=True), ('model_run', None)), _connector='OR'), name='draft_file_of_a_run_says_which'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draftfile',
            trigger=pgtrigger.compiler.Trigger(name='draft_file_stays_as_it_came', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."draft_id" IS DISTINCT FROM (NEW."draft_id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."size" IS DISTINCT FROM (NEW."size") OR OLD."model_run_id" IS DISTINCT FROM (NEW."model_run_id") OR OLD."added_at" IS DISTINCT FROM (NEW."added_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e0066a3fdbf53bbd26cdf6d253a8ae843eaa886b', operation='UPDATE', pgid='pgtrigger_draft_file_stays_as_it_came_d18ef', table='grading_draftfile', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='draftfile',
            trigger=pgtrigger.compiler.Trigger(name='draft_file_is_of_an_open_draft', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."draft_id" IS NOT NULL)', func="\n            IF NOT EXISTS (\n                    SELECT FROM grading_draft WHERE id = NEW.draft_id AND graded_at IS NULL\n                )\n            THEN RAISE EXCEPTION 'pgtrigger: draft_file_is_of_an_open_draft';\n            END IF;\n            RETURN NEW;\n        ", hash='d4eb902bce5b424a1cb999f4f1e1d0acf46972f2', operation='INSERT OR UPDATE', pgid='pgtrigger_draft_file_is_of_an_open_draft_d6742', table='grading_draftfile', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='trialanswer',
            index=models.Index(condition=models.Q(('state__in', ['QUEUED', 'CALLING', 'REPLIED', 'GRADING'])), fields=['priority', 'queued_at', 'id'], name='trial_answers_not_done'),
        ),
        migrations.AddConstraint(
            model_name='trialanswer',
            constraint=models.UniqueConstraint(fields=('trial', 'number'), name='one_answer_a_time'),
        ),
        migrations.AddConstraint(
            model_name='trialanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state__in', ['CALLING', 'GRADING'])), models.Q(models.Q(('state__in', ['CALLING', 'GRADING']), _negated=True), ('lease_until', None)), _connector='OR'), name='trial_answer_is_leased_while_held'),
        ),
        migrations.AddConstraint(
            model_name='trialanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'FAILED'), models.Q(('failure_reason', ''), _negated=True)), models.Q(models.Q(('state', 'FAILED'), _negated=True), ('failure_reason', '')), _connector='OR'), name='trial_answer_fails_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='trialanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['REPLIED', 'GRADING', 'GRADED']), _negated=True), ('replied_at__isnull', False), _connector='OR'), name='only_a_reply_is_graded'),
        ),
        migrations.AddConstraint(
            model_name='trialanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('eed', None), ('verdict', ''), models.Q(('state', 'GRADED'), _negated=True)), models.Q(('state', 'GRADED'), models.Q(models.Q(('eed', 100), ('verdict', 'CORRECT')), models.Q(('eed__gt', 0), ('eed__lt', 100), ('verdict', 'PARTIAL')), models.Q(('eed', 0), ('verdict', 'INCORRECT')), models.Q(('eed', 0), ('verdict', 'UNREADABLE'), models.Q(('reason', ''), _negated=True)), _connector='OR')), _connector='OR'), name='trial_verdict_agrees_with_its_score'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='trialanswer',
            trigger=pgtrigger.compiler.Trigger(name='trial_answer_goes_with_its_calls', sql=pgtrigger.compiler.UpsertTriggerSql(constraint='CONSTRAINT', func="\n                    IF EXISTS (\n                        SELECT FROM grading_modelcall\n                        WHERE run_id = OLD.trial_id AND item = OLD.id\n                    )\n                    THEN RAISE EXCEPTION 'pgtrigger: trial_answer_goes_with_its_calls';\n                    END IF;\n                    RETURN OLD;\n                ", hash='ba7e7151842b0ef09e57b32328f495a461cf4ae2', operation='DELETE', pgid='pgtrigger_trial_answer_goes_with_its_calls_89401', table='grading_trialanswer', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='trial',
            constraint=models.CheckConstraint(condition=models.Q(('times__gte', 1), ('times__lte', 8)), name='trial_asks_a_few_times'),
        ),
    ]
