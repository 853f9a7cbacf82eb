"""How a migration makes its tables: all at once."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.models import AddConstraint, AddIndex
from django.db.migrations.state import ProjectState

ADDING = (migrations.AddField, AddIndex, AddConstraint)


class MadeAtOnce(migrations.Migration):
    """
    Make each new table as it is in the end, with all its fields, indexes and constraints.

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
        # Without classes a state is only a description, and cheap to copy and to change.
        classes = vars(project_state).pop("apps", None)
        before = project_state.clone()
        if classes:
            vars(before)["apps"] = classes
        for operation in self.operations:
            operation.state_forwards(self.app_label, project_state)
        new = {one.name_lower for one in self.operations if isinstance(one, migrations.CreateModel)}
        for operation in self.operations:
            # The stubs know no model_name of an AddConstraint.
            if isinstance(operation, ADDING) and operation.model_name.lower() in new:  # type: ignore[union-attr]
                continue
            # What is done by hand is done to the tables as they are in the end.
            is_by_hand = isinstance(operation, migrations.RunPython)
            operation.database_forwards(
                self.app_label,
                schema_editor,
                project_state if is_by_hand else before,
                project_state,
            )
        return project_state
