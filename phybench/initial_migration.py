"""How an app's tables are made the first time: all at once."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.models import AddConstraint, AddIndex
from django.db.migrations.state import ProjectState

MADE_WITH_THE_TABLE = (migrations.AddField, AddIndex, AddConstraint)


class InitialMigration(migrations.Migration):
    """
    Make each table as it is in the end, with all its fields, indexes and constraints.

    Step by step, Django makes the classes of nearly all models anew after each of 250 steps: two
    thirds of the time that a new database takes.
    """

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,
    ) -> ProjectState:
        """Apply all operations to the state, then to the database those that are left to do."""
        # Without classes a state is only a description, and cheap to change.
        vars(project_state).pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(self.app_label, project_state)
        for operation in self.operations:
            if not isinstance(operation, MADE_WITH_THE_TABLE):
                operation.database_forwards(
                    self.app_label, schema_editor, project_state, project_state
                )
        return project_state
