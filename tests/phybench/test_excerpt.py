import pytest

from phybench.pages.excerpt import point_at, show


@pytest.mark.parametrize(
    ("text", "place", "lines"),
    [
        ("x + \\foo y", (4, 8), ("x + \\foo y", "    ^^^^")),
        ("x +", (3, 3), ("x +", "   ^")),
        ("", (0, 0), ("", "^")),
        ("a\nb +\nc", (4, 5), ("2 | b +", "      ^")),
        ("a\r\nb", (3, 4), ("2 | b", "    ^")),
        ("a\n(b\nc", (2, 6), ("2 | (b", "    ^^")),
        ("\tx\ty", (3, 4), (" x y", "   ^")),
        ("量x", (1, 2), ("量x", "  ^")),
        ("x量", (1, 2), ("x量", " ^^")),
        ("v\u0301x", (2, 3), ("v\u0301x", " ^")),
        ("\x1b[2Jx", (0, 1), ("␛[2Jx", "^")),
        ("x", (5, 9), ("x", " ^")),
    ],
)
def test_the_carets_stand_under_the_place(text, place, lines):
    assert point_at(text, *place) == lines


@pytest.mark.parametrize("letter", ["x", "量", "\x1b"])
@pytest.mark.parametrize("start", [0, 1, 499_999, 999_998, 999_999])
def test_of_a_long_line_a_window_around_the_place_is_shown(letter, start):
    text = letter * start + "!" + letter * (999_999 - start)
    line, carets = point_at(text, start, start + 1, columns=40)
    width = 2 if letter == "量" else 1
    assert len(line) * width <= 40 + 3
    place = line.index("!")
    assert len(carets) - 1 == place * width - (line.startswith("…") and width - 1)
    assert line.startswith("…") == (start > 1)


def test_a_place_longer_than_the_window_is_marked_as_far_as_it_is_shown():
    line, carets = point_at("y" * 1000, 0, 900, columns=40)
    assert (line, carets) == ("y" * 38 + "…", "^" * 38)


@pytest.mark.parametrize(
    "character", ["\x00", "\x1b", "\x7f", "\x9b", "\u202e", "\ud800", "\u2028"]
)
def test_what_could_move_the_cursor_or_hide_text_is_never_printed(character):
    assert show(f"a{character}b").isprintable()
