import io

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from curation.management.commands.draw_workflow import BEGIN, END, draw
from curation.texts.workflow import TRANSITIONS


def run(file, **options) -> str:
    written = io.StringIO()
    call_command("draw_workflow", file=file, stdout=written, **options)
    return written.getvalue()


def test_the_documentation_shows_the_workflow_as_it_is():
    concepts = settings.BASE_DIR / "docs" / "concepts.md"
    assert run(concepts, check=True) == "concepts.md is up to date.\n"


def test_the_drawing_has_an_arrow_for_each_transition():
    arrows = [line for line in draw().splitlines() if "-->" in line and "--> [*]" not in line]
    assert len(arrows) == len(TRANSITIONS)
    assert "    IN_REVIEW --> ACCEPTED : accepted" in arrows
    assert "    [*] --> DRAFT : drafted" in arrows


def test_a_stale_drawing_is_told_and_then_drawn_anew(tmp_path):
    file = tmp_path / "concepts.md"
    file.write_text(f"Before\n{BEGIN}\nold\n{END}\nAfter\n", encoding="utf-8")
    with pytest.raises(CommandError, match="is stale"):
        run(file, check=True)
    assert "old" in file.read_text(encoding="utf-8")
    assert run(file) == "concepts.md is drawn anew.\n"
    drawn = file.read_text(encoding="utf-8")
    assert drawn == f"Before\n{BEGIN}\n\n{draw()}\n\n{END}\nAfter\n"
    assert run(file, check=True) == "concepts.md is up to date.\n"


@pytest.mark.parametrize("text", ["", BEGIN, f"{END}\n{BEGIN}", f"{BEGIN}{END}{END}"])
def test_without_a_place_to_draw_nothing_is_written(tmp_path, text):
    file = tmp_path / "concepts.md"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match="write these two lines"):
        run(file)
    assert file.read_text(encoding="utf-8") == text
