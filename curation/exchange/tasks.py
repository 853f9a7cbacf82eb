"""What workers do with imports: look at their rows, and carry them out."""

from curation.exchange import imports
from curation.exchange.models import Import
from phybench.work.kinds import Kind, register

IMPORTING = register(
    Kind(
        name="run_import",
        rows=Import.objects.under_way().select_related("benchmark", "owner"),
        do=imports.run,
        give_up=imports.give_up,
    )
)
