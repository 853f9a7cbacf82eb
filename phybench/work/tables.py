"""Whether the database that one named answers, and holds the tables that the code reads."""

from collections import defaultdict
from collections.abc import Mapping

from django.apps import apps
from django.db import OperationalError, connection

from phybench.work import budgets

APPS = ("phybench", "curation", "grading")

NEWER = "is from a newer version than this one"
OTHER = "is from another version than this one, which made its tables differently"
NONE = (
    "The database has no tables yet: `python3 dev.py run` makes them, and so does "
    "`python3 dev.py manage migrate`."
)
OLDER = (
    "The database lacks tables or columns of this version: bring it up to it with "
    "`python3 dev.py manage migrate`, or name another one."
)
SILENT = (
    "The database in DATABASE_URL can't be used ({}): see that it runs, is there and lets this "
    "user in, or name another one."
)

Columns = Mapping[str, set[str]]


def explain() -> str:
    """Say what is the matter with the database as a whole, once it has led to an error."""
    try:
        connection.close()
        return compare()
    except OperationalError as refusal:
        return SILENT.format(str(refusal).partition("\n")[0])


def compare() -> str:
    """Say in a sentence how the tables differ from those of the code; nothing where they don't."""
    ours, theirs = list_expected(), list_present()
    if not theirs:
        return NONE
    if difference := tell_difference(ours, theirs):
        return f"The database in DATABASE_URL {difference}: name another one."
    return OLDER if ours != theirs else ""


def tell_difference(ours: Columns, theirs: Columns) -> str:
    """Say where a database comes from that holds what the code does not know."""
    if not has_more(theirs, ours):
        return ""
    return OTHER if has_more(ours, theirs) else NEWER


def has_more(one: Columns, other: Columns) -> bool:
    return any(columns - other.get(table, set()) for table, columns in one.items())


def list_expected() -> Columns:
    """List the columns of each table that the code's models have, and of one without a model."""
    models = (
        model
        for app in APPS
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    )
    return {
        model._meta.db_table: {str(field.column) for field in model._meta.local_concrete_fields}
        for model in models
    } | {budgets.TABLE: budgets.COLUMNS}


def list_present() -> Columns:
    """List the columns of each table of ours that the database has."""
    found: dict[str, set[str]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " JOIN information_schema.tables USING (table_schema, table_name)"
            " WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
        )
        for table, column in cursor.fetchall():
            if table.partition("_")[0] in APPS:
                found[table].add(column)
    return dict(found)
