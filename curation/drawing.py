"""Draw the workflow from its table, for `docs/concepts.md`."""

from curation.workflow import TRANSITIONS, Status, Transition

BEGIN = "<!-- drawn by `manage.py draw_workflow` from curation/workflow.py: begin -->"
END = "<!-- drawn by `manage.py draw_workflow`: end -->"


class NoPlaceToDraw(Exception):
    """A text without the two marks between which the drawing goes."""


def draw() -> str:
    """Return the table of transitions as a Mermaid state diagram."""
    names = [f"    {status.value} : {status.label}" for status in Status]
    lines = ["```mermaid", "stateDiagram-v2", *names, *map(_arrow, TRANSITIONS)]
    ends = set(Status) - {transition.before for transition in TRANSITIONS}
    lines += [f"    {status.value} --> [*]" for status in Status if status in ends]
    return "\n".join([*lines, "```"])


def _arrow(transition: Transition) -> str:
    before = transition.before.value if transition.before else "[*]"
    return f"    {before} --> {transition.after.value} : {transition.step.label}"


def put_into(text: str) -> str:
    """
    Return the text with the drawing between its marks brought up to date.

    Raises:
        NoPlaceToDraw: it has not both marks, once each and in order.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise NoPlaceToDraw(f"write these two lines where the drawing goes:\n{BEGIN}\n{END}")
    before, rest = text.split(BEGIN)
    _old, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{draw()}\n\n{END}{after}"
