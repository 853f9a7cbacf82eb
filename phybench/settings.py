"""
All settings, from the environment.

`python3 dev.py` sets what it starts itself; a server of your own sets the same names.
"""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from phybench import VERSION as VERSION
from phybench.pages.katex import find_katex
from phybench.work.budgets import LARGEST_FORM, TRIES
from phybench.work.environment import (
    choose_cache,
    is_on,
    number,
    read_broker,
    read_database,
    required,
)
from phybench.work.logs import choose_format, configure

BASE_DIR = Path(__file__).resolve().parent.parent

# Before NumPy is loaded: it would start a thread for each core, and these wait for each other in a
# loop. Beside other processes that takes four times the processor time of one thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# --- This installation ----------------------------------------------------------------------

DEBUG = is_on("DEBUG")
SECRET_KEY = required("SECRET_KEY", "run through `python3 dev.py`, which makes one, or set it")
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
CSRF_TRUSTED_ORIGINS = [o for o in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if o]
VAR_DIR = Path(os.environ.get("VAR_DIR", BASE_DIR / "var"))

# Behind a proxy that speaks TLS: cookies over https only, and nothing served without it.
BEHIND_TLS = is_on("BEHIND_TLS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = BEHIND_TLS
# A monitor on this machine asks past the proxy.
SECURE_REDIRECT_EXEMPT = ["^health/"]
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 30 * 24 * 3600

# --- Applications ---------------------------------------------------------------------------

INSTALLED_APPS = [
    # Its pages are found by phybench/urls.py: they load SymPy, which most commands can do without.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "csp",
    "template_partials",
    "pgtrigger",
    "phybench",
    "curation",
    "grading",
]

MIDDLEWARE = [
    "phybench.work.logs.number_requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Pages carry secrets, and BREACH guesses such by how small a page becomes beside words of the
    # guesser's. Here it finds nothing to measure by: the token against forgery is masked anew in
    # each page, Django adds a random length to each, and the session's cookie does not come along
    # with what another site asks for (SameSite=Lax), but for links that somebody follows.
    "django.middleware.gzip.GZipMiddleware",
    "phybench.people.middleware.answer_programs",
    "phybench.people.middleware.answer_head",
    "phybench.people.middleware.keep_private",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    # Its refusal is said in the reader’s language.
    "phybench.people.middleware.refuse_nul",
    # Before what reads a body: the check against forgery does.
    "phybench.charging.ChargingMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "phybench.people.languages.UserLanguageMiddleware",
    "phybench.people.middleware.note_visit",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "phybench.people.middleware.vary_by_htmx",
    "phybench.news.desks.desks.forget_count",
    "allauth.account.middleware.AccountMiddleware",
]

MESSAGE_STORAGE = "phybench.people.messages.NewestMessages"

ROOT_URLCONF = "phybench.urls"
WSGI_APPLICATION = "phybench.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["phybench.pages.templatetags.typography"],
            # Django itself looks for tags in apps only, and not in their rooms.
            "libraries": {
                "grading": "grading.board.templatetags.grading",
                "members": "curation.members.templatetags.members",
                "news": "phybench.news.templatetags.news",
                "page": "phybench.pages.templatetags.page",
                "statements": "curation.problems.templatetags.statements",
                "typography": "phybench.pages.templatetags.typography",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "curation.problems.benchmarks.places.describe",
            ],
        },
    }
]

# --- Data and work --------------------------------------------------------------------------

# No default: a silent SQLite would keep none of the rules that the database holds here.
DATABASES = {
    "default": read_database(
        required("DATABASE_URL", "run through `python3 dev.py`, or name a PostgreSQL database")
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = read_broker(
    required("CELERY_BROKER_URL", "run through `python3 dev.py`, or name a broker")
)
# The tests' workers listen to a queue of their own, on a broker that others may share.
CELERY_TASK_DEFAULT_QUEUE = os.environ.get("CELERY_TASK_DEFAULT_QUEUE", "phybench")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Threads, each waiting for a child process of `phybench.work.sandbox`: those can be killed at a
# deadline, and Celery's own pool of processes may not have children.
CELERY_WORKER_POOL = "threads"
# As many as there are children: more would hold rows for which there is no child.
CELERY_WORKER_CONCURRENCY = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# However long the broker is away: after its default of 100 tries a worker would end.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TIMEZONE = "UTC"
if CELERY_BROKER_URL.startswith(("redis", "rediss")):
    # The database knows what is to be done (`phybench.work`); this only brings a message of a
    # worker that was killed back sooner than Redis' default of an hour.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 300,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        # Nobody waits for a broker that hangs: what it was to be told of is found in the database.
        "socket_timeout": 10.0,
    }

CACHE_TABLE = "shared_cache"
"""What all processes remember, where the broker is no Redis."""
CACHES = {
    "default": {
        **choose_cache(CELERY_BROKER_URL, table=CACHE_TABLE),
        # Others may share the broker.
        "KEY_PREFIX": f"{CELERY_TASK_DEFAULT_QUEUE}-cache",
    }
}

KEEPS_PAGES = is_on("KEEPS_PAGES", default=True)
"""Whether what visitors are shown is made once, and not for each of them."""

GRADING_DEADLINE_SECONDS = number("GRADING_DEADLINE_SECONDS", 60.0)
"""The safety net under one answer's grading; what it stops is a `timeout`, never a 0."""
WORK_LEASE_SECONDS = number("WORK_LEASE_SECONDS", 15.0)
"""How long a worker may be silent about a row before another takes it for dead."""
WORK_SWEEP_SECONDS = number("WORK_SWEEP_SECONDS", 5.0)
"""How often workers are woken to look for what nobody told them of."""
WORK_TRIES = 3
"""How many workers may be lost over one row before it is given up."""
CERTIFYING_DEADLINE_SECONDS = number("CERTIFYING_DEADLINE_SECONDS", 20.0)
"""For one case of a certificate. An author waits for all of them; one stopped is “open”."""
READING_DEADLINE_SECONDS = 1.0
"""How long the web process waits for an answer to be read in a preview."""
PREVIEWS_AT_ONCE = 2
"""How many previews and readings of one person are made at once; more are refused, and wait."""
EDITORS_AT_ONCE = 3
"""How many pages of one person that try a whole draft are made at once; more are refused."""
WITH_DEMO = is_on("WITH_DEMO", default=True)
# `dev.py run` says so: who is at this machine may sign in as the demo's people.
RUN_BY_DEV_PY = is_on("RUN_BY_DEV_PY")
"""Whether a first start makes the demo benchmark and its people."""
REVIEWS_PER_ROUND = number("REVIEWS_PER_ROUND", 1)
REVIEWS_OPEN_AT_MOST = number("REVIEWS_OPEN_AT_MOST", 10)
"""How many open assignments one reviewer may hold; 0 is no limit. An admin may exceed it."""
MAIL_SWEEP_SECONDS = number("MAIL_SWEEP_SECONDS", 60.0)
"""How often it is looked for what people are to be told by e-mail."""
DIGEST_FROM_HOUR = number("DIGEST_FROM_HOUR", 6)
"""From which hour (UTC) on the one e-mail of the day is sent."""

INTEGRITY_FROM_HOUR = number("INTEGRITY_FROM_HOUR", 3)
"""From which hour (UTC) on all rows are looked at once a day (`manage.py check_integrity`)."""
KEY_CHECK_EVERY_SECONDS = 600.0
KEY_CHECK_DEADLINE_SECONDS = 60.0
"""For grouping all answers to one problem."""
LOOK_AHEAD_SECONDS = number("LOOK_AHEAD_SECONDS", 5.0)
"""How often it is looked whether a board is graded, so that its figures can be worked out."""
UNORDERED_SWEEP_SECONDS = number("UNORDERED_SWEEP_SECONDS", 60.0)
"""How often what was published since is left to workers, to be measured by unordered EED."""

# Where the pools of `phybench.work` are woken. Calls to models wait for minutes at times: they have
# a queue, and a worker, of their own. So have those of judges: a run of thousands would keep an
# author waiting who tries a draft. And so has what somebody waits for, whatever else there is.
WORK_QUEUES = {
    "general": CELERY_TASK_DEFAULT_QUEUE,
    **{pool: f"{CELERY_TASK_DEFAULT_QUEUE}-{pool}" for pool in ("reserved", "calls", "judging")},
}
CALLING_PATIENCE_SECONDS = 5.0
"""How long a worker waits in place for an endpoint's rate before it lets others go first."""
MOST_SUBMISSIONS_A_DAY = number("MOST_SUBMISSIONS_A_DAY", 30)
MOST_SAMPLES_A_DAY = number("MOST_SAMPLES_A_DAY", 64)
"""What an organisation may have graded in 24 hours, the second to one problem."""
FIRST_UPLOADS = number("FIRST_UPLOADS", 3)
"""A person's first drafts, which are graded whatever number of submissions there was that day."""
CONTESTS_OPEN = number("CONTESTS_OPEN", 50)
"""How many contested grades of one organisation may wait for a ruling at a time."""
CONTESTS_OPEN_OF_A_PERSON = number("CONTESTS_OPEN_OF_A_PERSON", 10)
"""As many of one participant’s own answers."""
RULING_DEADLINE_SECONDS = 5.0
"""How long a page waits for the values beside a contested grade, or for a reading to be tried."""
LEAST_HIDDEN_ITEMS = number("LEAST_HIDDEN_ITEMS", 400)
"""
Problems that a hidden part has at least, where there is one. In a smaller one the figures that are
told tell more of single answers: of choices between two an attacker then settles not 55 % at most,
but 56 % of 200 items, 60 % of 100 and 64 % of 50 (`tests/grader_tests/statistics/test_ladder.py`).
"""
JUDGE_CONFIRM_CALLS = number("JUDGE_CONFIRM_CALLS", 200)
"""Calls of a judge run from which on it is confirmed with a tick that it may make so many."""
JUDGE_LEAST_COVERAGE = number("JUDGE_LEAST_COVERAGE", 0.98)
"""Share of answers with a verdict below which a judge's figures rank nobody."""
JUDGE_LEAST_AGREEMENT = number("JUDGE_LEAST_AGREEMENT", 0.9)
"""Share of rulings that a judge must agree with before its figures rank anybody."""
JUDGE_LEAST_RULINGS = number("JUDGE_LEAST_RULINGS", 20)
"""Rulings that it takes to say how far a judge agrees."""
FIELD_KEYS = os.environ.get("FIELD_KEYS", "")
"""What encrypts endpoints' keys (`grading/endpoints/keys.py`); without it none can be kept."""
ENDPOINT_EGRESS_ALLOW = os.environ.get("ENDPOINT_EGRESS_ALLOW", "")
"""Networks that endpoints may be in besides the public ones."""

API_REQUESTS_A_MINUTE = number("API_REQUESTS_A_MINUTE", 120)
"""Of one person, by all their tokens."""
WEBHOOK_EGRESS_ALLOW = os.environ.get("WEBHOOK_EGRESS_ALLOW", "")
"""Networks that webhooks may be in besides the public ones; evaluators choose their addresses."""

# How much one person may have the server keep: `phybench/work/budgets.py` says why so much.
MEGABYTES_A_MINUTE = number("MEGABYTES_A_MINUTE", 20)
MEGABYTES_AN_HOUR = number("MEGABYTES_AN_HOUR", 100)
MEGABYTES_A_MONTH = number("MEGABYTES_A_MONTH", 2000)

CELERY_BEAT_SCHEDULE = {
    # The one sweep: whatever is due and nobody was told of, or was lost with who had it.
    **{
        f"wake-{pool}": {
            "task": "phybench.work.tasks.work",
            "args": (pool,),
            "schedule": WORK_SWEEP_SECONDS,
            # Where all are busy they do not pile up.
            "options": {"queue": queue, "expires": 2 * WORK_SWEEP_SECONDS},
        }
        for pool, queue in WORK_QUEUES.items()
    },
    "ask-ahead-what-boards-show": {
        "task": "grading.board.tasks.look_ahead",
        "schedule": LOOK_AHEAD_SECONDS,
        "options": {"expires": 2 * LOOK_AHEAD_SECONDS},
    },
    "look-at-keys-that-got-answers": {
        "task": "grading.disputes.keys.tasks.scan_keys",
        "schedule": KEY_CHECK_EVERY_SECONDS,
    },
    "queue-what-is-measured-without-order": {
        "task": "grading.answers.unordered.tasks.queue_new",
        "schedule": UNORDERED_SWEEP_SECONDS,
    },
    "remind-of-studies-that-close-soon": {
        "task": "grading.studies.letters.tasks.remind_before_the_end",
        "schedule": 3600.0,
    },
    "freeze-first-panels": {
        "task": "grading.board.panels.tasks.freeze_first_panels",
        "schedule": 300.0,
    },
    "forget-replies-of-the-api": {
        "task": "phybench.pages.api.tasks.forget_replies",
        "schedule": 3600.0,
    },
    "discard-drafts-that-nobody-goes-on-with": {
        "task": "grading.submissions.drafts.tasks.discard_forgotten",
        "schedule": 3600.0,
    },
    "forget-what-has-expired": {
        "task": "phybench.work.tasks.forget_expired",
        "schedule": 24 * 3600.0,
    },
    "look-at-all-rows-once-a-day": {
        "task": "phybench.news.damage.tasks.check_integrity",
        "schedule": 1800.0,
        "options": {"expires": 1800.0},
    },
    "make-e-mails-of-what-is-new": {
        "task": "phybench.news.mails.tasks.gather_mails",
        "schedule": MAIL_SWEEP_SECONDS,
    },
}

# --- Studies --------------------------------------------------------------------------------

PROBLEMS_CLOSED_BY = "grading.studies.sessions.permissions.list_closed_to_reader"
"""Which problems somebody may not read for now: `curation/problems/permissions.py` asks it."""

# --- People ---------------------------------------------------------------------------------

AUTH_USER_MODEL = "phybench.User"
# An e-mail address is one person's in any case: a constraint on Lower("email") holds that.
SILENCED_SYSTEM_CHECKS = ["auth.W004"]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "board"

ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "phybench.people.forms.SignupForm"
ACCOUNT_FORMS = {
    name: f"phybench.people.account_forms.{form}"
    for name, form in (
        ("login", "LoginForm"),
        ("signup", "SignupForm"),
        ("add_email", "AddEmailForm"),
        ("change_password", "ChangePasswordForm"),
        ("reset_password", "ResetPasswordForm"),
        ("reset_password_from_key", "ResetPasswordKeyForm"),
    )
}
# To sign up is answered alike whether an address has an account or not: an e-mail says which.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_ADAPTER = "phybench.people.accounts.AccountAdapter"
# allauth's own count of all tries from one address would lock out all who share it.
ACCOUNT_RATE_LIMITS = TRIES
LOGIN_SLOWED_SECONDS = 2.0
"""How much longer a try takes where very many were made at one account."""
VISITOR_REPORT_LEAST_SECONDS = 3.0
"""Who sends the form sooner after it was shown is taken for a program."""
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXY_COUNT", 0)
"""Proxies before this server that append to X-Forwarded-For: without it all share their address."""
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[PHYBench curation] "
ACCOUNT_USER_DISPLAY = "phybench.people.models.display_name"

EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
EMAIL_PORT = number("EMAIL_PORT", 25)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = is_on("EMAIL_USE_TLS")
SITE_URL = (os.environ.get("SITE_URL") or f"http://127.0.0.1:{number('PORT', 8000)}").rstrip("/")
"""
What addresses in e-mails begin with that nobody's request caused.

By default what `dev.py run` prints (`development/web.py`): under another name nobody is signed in.
"""
SECURITY_CONTACT = os.environ.get("SECURITY_CONTACT", "")
"""Where SECURITY.md has faults of security reported: an e-mail address, or that of a page."""
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "phybench@localhost")

# --- Static files ---------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", VAR_DIR / "static"))
STATICFILES_DIRS = [BASE_DIR / "static", ("katex", find_katex())]
TYPESETTING_SCRIPTS = [find_katex() / "katex.min.js", BASE_DIR / "static/js/typesetting.js"]
"""KaTeX and what it is told, as the pages load them: the server tries formulas with the same."""
# Names that carry a hash of the content, once `collectstatic` has made them (dev.py run does).
STATIC_HASHED = is_on("STATIC_HASHED")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "phybench.pages.static_files.CompressedOnceStorage"
        if STATIC_HASHED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not STATIC_HASHED
# No other site loads them.
WHITENOISE_ALLOW_ALL_ORIGINS = False

# --- What a browser may do ------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        # KaTeX places its boxes with style attributes, set through the DOM, which this allows.
        "style-src": [SELF],
        "script-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = LARGEST_FORM
LARGEST_UPLOAD = 210 * 1024 * 1024
"""Bytes of one request with files: 200 MB of answers, and what stands around them."""
FILE_UPLOAD_HANDLERS = [
    "phybench.pages.uploads.RefuseTooLarge",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
"""A form's text; files have limits of their own."""

# --- Language and time ----------------------------------------------------------------------

LANGUAGE_CODE = "en"
# By their own names: who looks for one may read no other. Models name them in migrations.
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
# What is translated is kept as .po; `dev.py` compiles it.
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["phybench.pages.formats"]
LANGUAGE_COOKIE_SECURE = BEHIND_TLS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = "UTC"
USE_TZ = True

LOG_FORMAT = choose_format(os.environ.get("LOG_FORMAT", ""))
"""How logs are written: as text, or as one JSON object a line."""
LOGGING = configure(LOG_FORMAT)
