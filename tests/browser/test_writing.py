"""Writing a problem at the keyboard: what is typed is stored, and two tabs lose nothing."""

import re

from playwright.sync_api import Page, Route, expect

from curation.problems.models import Problem


def test_what_is_typed_is_stored_and_found_again(visits, benchmark, contributor):
    page = visits.open(contributor)
    page.goto("/b/test/problems/new/")
    page.get_by_label("Reference answer").fill("m")
    expect(page.locator("#saved")).to_contain_text("not saved yet: see Title")
    page.get_by_label("Statement").press_sequentially("A lift of mass $m$ rises.")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"saved \d\d:\d\d:\d\d"))
    page.wait_for_url("**/edit/")

    page.reload()
    expect(page.get_by_label("Statement")).to_have_value("A lift of mass $m$ rises.")
    assert Problem.objects.count() == 1


def test_the_arrow_of_a_vector_is_seen_and_the_browser_complains_of_nothing(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_label("Statement").fill(r"A field $\vec B$ and its rate $\dot{\vec B}$.")
    arrows = page.locator(".statement .katex svg")
    expect(arrows).to_have_count(2)
    for arrow in arrows.all():
        found = arrow.bounding_box()
        assert found
        assert found["width"] > 3
        assert found["height"] > 3


def test_a_formula_that_can_not_be_displayed_is_underlined_and_keeps_a_problem_from_review(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    statement, good = page.get_by_label("Statement"), draft.revisions.get().statement
    stands = page.get_by_role("list", name="Needed to submit").get_by_role("listitem")
    displays = stands.filter(has_text=re.compile("The statement (displays|does not display)"))
    expect(displays).to_have_class("is-kept")
    statement.fill(good + r" Its speed is $\foo{v}$.")
    expect(page.locator("#preview mark")).to_have_text(r"\foo")
    expect(page.locator("#preview")).to_contain_text(r"The command \foo is not known")
    expect(displays).to_have_class("is-broken")

    page.get_by_role("button", name="Submit for review").click()
    expect(page.get_by_role("alert")).to_contain_text(r"The command \foo is not known")
    expect(page.locator("#preview mark")).to_have_text(r"\foo")
    draft.refresh_from_db()
    assert draft.status == "DRAFT"

    statement.fill(good + "\n\n$$\\frac{1}{$$")
    expect(page.locator("#preview mark")).to_have_text("{")
    statement.fill(good)
    expect(page.locator("#preview mark")).to_have_count(0)
    expect(displays).to_have_class("is-kept")


STYLED = (
    r"\vec B", r"\fcolorbox{red}{white}{x}", r"\pmb{F}", r"\boxed{x}", r"\sqrt{\frac{2 h}{g}}",
    r"\overbrace{a + b}^{c}", r"\cancel{x}", r"\color{red}{x}", r"\rule{1em}{2pt}",
    r"\raisebox{2pt}{x}", r"\begin{array}{c|c} a & b \\ \hline c & d \end{array}",
    r"\widehat{ABC}", r"\underline{x}", r"\colorbox{yellow}{x}", r"\xrightarrow{abc}",
)  # fmt: skip
"""What KaTeX sets with styles, in HTML and in MathML."""


def test_the_browser_complains_of_no_style_while_a_preview_swaps(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    statement = page.get_by_label("Statement")
    # As somebody does who draws its corner: the style goes with it through a swap.
    statement.evaluate("one => { one.style.height = '400px' }")
    drawn = page.locator("#preview .statement").first.locator(".katex")
    for count in range(1, len(STYLED) + 1):
        statement.fill(" ".join(f"${one}$" for one in STYLED[:count]))
        expect(drawn).to_have_count(count)
    expect(page.locator("#preview .math-unset")).to_have_count(0)
    assert visits.complaints == []


def test_what_somebody_has_resized_is_swapped_without_a_complaint(visits, contributor, benchmark):
    page = visits.open(contributor)
    page.goto("/b/test/problems/")
    page.evaluate(
        """() => {
            const box = document.createElement("div");
            const text = document.createElement("textarea");
            text.id = "resized";
            text.style.height = "400px";
            box.append(text);
            document.getElementById("main").append(box);
            htmx.swap(box, '<textarea id="resized">new</textarea>', { swapStyle: "innerHTML" });
        }"""
    )
    expect(page.locator("#resized")).to_have_value("new")
    assert visits.complaints == []


def test_what_the_server_takes_for_a_formula_the_page_draws(visits, benchmark, contributor, draft):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    names = page.evaluate("Object.keys(typesetting.MACROS)")
    assert r"\arsinh" in names
    page.get_by_label("Statement").fill(" ".join(f"${name} x$" for name in names))
    drawn = page.locator("#preview .statement").first.locator(".math.inline .katex")
    expect(drawn).to_have_count(len(names))
    expect(page.locator("#preview .math-unset")).to_have_count(0)
    stands = page.get_by_role("list", name="Needed to submit").get_by_role("listitem")
    expect(stands.filter(has_text="The statement displays correctly")).to_have_class("is-kept")


def test_a_fraction_is_said_to_be_exact_at_the_keyboard(visits, benchmark, contributor, draft):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    stands = page.get_by_role("list", name="Needed to submit").get_by_role("listitem")
    keeps = stands.filter(has_text=re.compile("The answer (keeps every rule|breaks 1 rule)"))
    page.get_by_label("Reference answer").fill(r"\frac{157}{100} m g h")
    confirm = page.get_by_label("157/100 is exact, not rounded.")
    expect(keeps).to_have_class("is-broken")
    confirm.focus()
    page.keyboard.press("Space")
    expect(keeps).to_have_class("is-kept")
    expect(confirm).to_be_checked()
    expect(confirm).to_be_focused()
    expect(page.locator("#saved")).to_contain_text(re.compile(r"saved \d\d:\d\d:\d\d"))
    page.reload()
    expect(confirm).to_be_checked()


def test_what_is_asked_is_filled_in_and_a_row_taken_out_stays_away(visits, benchmark, contributor):
    page = visits.open(contributor)
    page.goto("/b/test/problems/new/")
    page.get_by_label("Statement").fill("Find $E$ in terms of $m$, $g$ and $h$, where $h > 0$.")
    page.get_by_label("Reference answer").fill("m g h")
    for label, value in (("in terms of", "m, g, h"), ("where", "h > 0"), ("Find", "E")):
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    expect(page.locator(".wanted")).to_contain_text("in terms of")
    # It follows the statement while nobody writes there; from then on it is the author's.
    page.get_by_label("Statement").fill("Find $W$ in J in terms of $m$, $g$ and $h$.")
    expect(page.get_by_label("Find", exact=True)).to_have_value("W")
    expect(page.get_by_label("in the unit")).to_have_value("J")
    page.get_by_label("in the unit").fill("kJ")
    page.get_by_label("Statement").fill("Find $E$ in terms of $m$, $g$ and $h$, where $h > 0$.")
    expect(page.get_by_role("group", name="Symbol E")).to_have_count(1)
    expect(page.get_by_label("Find", exact=True)).to_have_value("W")

    row = page.get_by_role("group", name="Symbol E")
    row.get_by_label("In LaTeX").fill("")
    page.get_by_text("More: solution").click()
    page.get_by_label("Solution").fill("It is kept.")
    expect(row).to_have_count(0)
    expect(page.get_by_role("group", name="Symbol h")).to_have_count(1)
    expect(page.locator("[name=symbol_left_out]")).to_have_value("E")


def test_pasted_latex_is_converted_and_one_click_takes_that_back(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    statement = page.get_by_label("Statement")
    latex = "A \\textbf{ball} of mass~$m$ at \\(h\\). \\cite{a}"
    statement.fill(latex)
    page.get_by_role("button", name="Convert pasted LaTeX").first.click()
    expect(statement).to_have_value("A **ball** of mass $m$ at $h$. \\cite{a}")
    expect(page.get_by_text("Left as it was:")).to_contain_text("\\cite{a}")
    # What is converted is read and stored as if it were typed.
    expect(page.locator("#preview strong")).to_have_text("ball")
    expect(page.locator("#saved [data-saved]")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(statement).to_have_value(latex)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def test_an_error_goes_when_it_is_mended(visits, benchmark, contributor, draft):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_label("Reference answer").fill("0.5 m g h")
    page.get_by_role("button", name="Submit for review").click()
    expect(page.get_by_role("alert")).to_contain_text("One thing to fix")
    expect(page.locator("#id_answer_error")).to_be_visible()
    page.get_by_label("Reference answer").fill("m g h")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#id_answer_error")).to_have_count(0)


def test_what_is_wrong_with_a_unit_is_said_without_breaking_a_word(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor, viewport={"width": 1280, "height": 720})
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_label("in the unit").fill("dimensionles / s")
    page.get_by_role("button", name="Submit for review").click()
    error = page.locator("#id_unit_error")
    expect(error).to_contain_text("“dimensionles / s” is not a known unit")
    lines = """list => {
        const text = list.querySelector("li").firstChild, word = "dimensionles";
        const range = document.createRange(), start = text.data.indexOf(word);
        range.setStart(text, start);
        range.setEnd(text, start + word.length);
        return range.getClientRects().length;
    }"""
    assert error.evaluate(lines) == 1


def test_the_older_of_two_tabs_is_told_and_shows_both(visits, benchmark, contributor, draft):
    first, second = visits.open(contributor), visits.open(contributor)
    for page in (first, second):
        page.goto(f"/p/{draft.pk}/edit/")
    first.get_by_label("Solution").fill("From the first tab.")
    expect(first.locator("#saved [data-saved]")).to_be_visible()
    second.get_by_label("Solution").fill("From the second tab.")
    expect(second.locator("#saved")).to_contain_text("changed elsewhere")
    second.get_by_role("button", name="Save draft").click()
    expect(second.get_by_text("From the first tab.")).to_be_visible()
    expect(second.get_by_label("Solution")).to_have_value("From the second tab.")
    second.get_by_role("button", name="Save draft").click()
    expect(second.get_by_text("The draft is saved.")).to_be_visible()


def test_the_button_pressed_while_it_saves_waits_for_it(visits, benchmark, contributor, draft):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    with page.expect_request(lambda request: "part=save" in request.url):
        page.get_by_label("Solution").fill("Typed, then stored at once.")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    expect(page.get_by_label("Solution")).to_have_value("Typed, then stored at once.")


def test_what_is_typed_before_the_scripts_are_there_is_stored_too(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    held: list[Route] = []
    page.route("**/htmx*.js", lambda route: held.append(route))
    page.goto(f"/p/{draft.pk}/edit/", wait_until="commit")
    page.get_by_label("Solution").fill("Typed on a slow line.")
    for route in held:
        route.continue_()
    page.unroute("**/htmx*.js")
    expect(page.locator("#saved [data-saved]")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Solution")).to_have_value("Typed on a slow line.")


def list_symbols(page: Page) -> list[str]:
    return [one.get_attribute("value") or "" for one in page.locator("[name=symbol_latex]").all()]


def test_the_table_is_filled_also_while_the_focus_is_in_it_and_the_focus_stays(
    visits, benchmark, contributor
):
    page = visits.open(contributor)
    page.goto("/b/test/problems/new/")
    page.get_by_label("Statement").fill("A ball of mass $m$ falls by $h$, or by $q$.")
    expect(page.get_by_role("group", name="Symbol q")).to_have_count(1)
    page.get_by_label("Statement").fill("A ball of mass $m$ falls by $h$.")
    page.get_by_label("Reference answer").press_sequentially("m g h")
    page.keyboard.press("Tab")
    for _field in ("symbol", "meaning"):
        page.keyboard.press("Tab")
    focused = page.locator("[name=symbol_unit]:focus")
    expect(focused).to_have_count(1)
    expect(page.get_by_role("group", name="Symbol g")).to_have_count(1)
    expect(page.get_by_role("group", name="Symbol q")).to_have_count(0)
    expect(focused).to_have_count(1)
    page.keyboard.type("kg")
    expect(page.locator("[name=symbol_unit]").first).to_have_value("kg")
    # From the last row the keyboard leads on to the title.
    page.locator("[name=symbol_high]").last.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Title")).to_be_focused()


def test_an_error_at_a_row_goes_when_it_is_mended(visits, benchmark, contributor, draft):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    unit = page.locator("[name=symbol_unit]").first
    unit.fill("furlong per")
    page.get_by_role("button", name="Submit for review").click()
    row = page.locator(".symbol-row").first
    expect(row.locator(".errorlist")).to_contain_text("furlong")
    unit.fill("kg")
    expect(row.locator(".errorlist")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_another_error_at_a_field_takes_the_place_of_the_first(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_label("Reference answer").fill("0.5 m g h")
    page.get_by_role("button", name="Submit for review").click()
    error = page.locator("#id_answer_error")
    expect(error).to_contain_text("0.5")
    page.get_by_label("Reference answer").fill("m g q")
    expect(error).to_contain_text("does not introduce")
    expect(error).not_to_contain_text("0.5")
