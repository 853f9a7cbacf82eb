"""What the editor says when something is wrong that its author can't see."""

from playwright.sync_api import expect

from tests.outages import away


def forget_lost_net(visits) -> None:
    """Forget what the browser and htmx say of requests that could not be sent, and only that."""
    forget(visits, "ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:afterRequest")


def forget(visits, *expected: str) -> None:
    visits.complaints[:] = [
        text for text in visits.complaints if not any(one in text for one in expected)
    ]


def test_a_lost_connection_is_told_and_what_was_typed_is_stored_once_it_is_back(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.context.set_offline(True)
    page.get_by_label("Solution").fill("Typed on a train.")
    expect(page.locator("#connection")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#saved [data-saved]")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()
    forget_lost_net(visits)
    assert draft.revisions.get().solution == "Typed on a train."


def test_while_the_database_is_away_it_is_told_and_what_was_typed_is_stored_afterwards(
    visits, contributor, draft, tmp_path
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    # What the page asks for as it opens may be getting a connection just now, and keep it.
    page.wait_for_load_state("networkidle")
    with away(tmp_path):
        page.get_by_label("Solution").fill("Typed during an outage.")
        expect(page.locator("#connection")).to_contain_text("The database does not answer")
    expect(page.locator("#saved [data-saved]")).to_be_visible(timeout=20_000)
    expect(page.locator("#connection")).to_be_hidden()
    forget(visits, "503", "htmx:responseError", "htmx:afterRequest")
    assert draft.revisions.get().solution == "Typed during an outage."


def test_a_look_that_is_never_answered_is_followed_by_the_next(visits, contributor, draft):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.evaluate("document.getElementById('connection').dataset.limit = '300'")
    page.route("**/favicon*", lambda _route: None)
    with page.expect_request("**/favicon*"):
        page.context.set_offline(True)
        page.get_by_label("Solution").fill("Typed on a train.")
    with page.expect_request("**/favicon*"):
        pass
    page.unroute("**/favicon*")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#saved [data-saved]")).to_be_visible()
    forget_lost_net(visits)


def test_a_preview_that_is_one_too_many_says_so_and_follows_by_itself(
    visits, settings, contributor, draft
):
    settings.PREVIEWS_AT_ONCE = 0
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_label("Solution").fill("It is $m g h$.")
    expect(page.locator("#preview")).to_contain_text("follows in a moment")
    settings.PREVIEWS_AT_ONCE = 2
    expect(page.locator("#preview")).to_contain_text("It is")


def test_what_can_not_be_drawn_stands_in_red_at_its_place_never_the_last_good_one(
    visits, benchmark, contributor, draft
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    statement = page.locator("#preview .statement").first
    page.get_by_label("Statement").fill("A mass $m$ and $\\frac{1}{2}$.")
    expect(statement.locator(".katex")).to_have_count(2)
    page.get_by_label("Statement").fill("A mass $m$ and $\\frac{1}{2 \\nosuch$.")
    unset = statement.locator(".math-unset")
    expect(unset).to_have_text("\\frac{1}{2 \\nosuch")
    assert unset.evaluate("e => getComputedStyle(e).color") == page.evaluate(COLOUR_OF_ERRORS)
    expect(statement.locator(".katex")).to_have_count(1)


COLOUR_OF_ERRORS = """() => {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.className = 'error-word';
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}"""
