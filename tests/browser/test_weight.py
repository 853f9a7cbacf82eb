"""What a first visit loads, as `dev.py run` serves it: what comes over the wire is counted."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from development import web
from tests.browser.conftest import Visits
from tests.conftest import make_draft
from tests.development.checkout import ROOT, free_port
from tests.processes import Processes

PLAIN_BYTES, WITH_FORMULAS_BYTES = 60_000, 175_000


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the files are that a run collects, as the settings want it."""
    files = {"STATIC_ROOT": str(tmp_path_factory.mktemp("static")), "STATIC_HASHED": "1"}
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "-v", "0"],
        cwd=ROOT,
        env={**os.environ, **files},
        check=True,
    )
    return files


@pytest.fixture
def served(processes: Processes, files: dict[str, str]) -> str:
    """The address of the web server, with the files that a run collects."""
    port = free_port()
    secret = {"SECRET_KEY": settings.SECRET_KEY}
    processes.start(lambda environment: web.server(environment, port), **files, **secret)
    return web.local_address(port)


@pytest.fixture
def counted(browser: Browser, served: str) -> Iterator[Visits]:
    visits = Visits(browser, served)
    yield visits
    complaints = [*visits.complaints]
    visits.close()
    assert complaints == []


def visit(page: Page, path: str) -> int:
    """Open a page, and return how many bytes came of it and of all it asked for."""
    sizes: list[int] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda one: sizes.append(int(one["encodedDataLength"])))
    page.goto(path, wait_until="networkidle")
    network.detach()
    return sum(sizes)


def has_katex(page: Page) -> bool:
    return bool(page.evaluate("typeof katex !== 'undefined'"))


# With the faces for letters, for what is upright and for what is large.
FORMULAS = r"""
A ball of mass $m$ falls with $v = \sqrt{\frac{2 g h}{1 + \epsilon}}$ and

$$E = \left( \int_0^\infty \frac{\sum_n a_n x^n}{( 1 + x^2 )^2} \, dx \right) \omega.$$
"""


# Only new styles, scripts and fonts make another weight, and all has to be collected to know it.
@pytest.mark.slow
def test_a_visitors_first_page_is_small_and_one_with_formulas_brings_what_draws_them(
    counted, benchmark, contributor
):
    for path in ("/", "/accounts/login/"):
        page = counted.open()
        assert 5_000 < visit(page, path) < PLAIN_BYTES
        assert not has_katex(page)

    page = counted.open(contributor)
    draft = make_draft(contributor, benchmark, statement=FORMULAS)
    size = visit(page, draft.get_absolute_url())
    assert page.locator(".statement .katex").count() > 1
    assert PLAIN_BYTES < size < WITH_FORMULAS_BYTES


@pytest.mark.slow
def test_katex_comes_with_the_first_formula_that_htmx_brings(counted, contributor, benchmark):
    page = counted.open(contributor)
    assert visit(page, "/b/test/problems/new/") < PLAIN_BYTES
    assert not has_katex(page)
    page.get_by_label("Statement", exact=True).fill("A ball of mass $m$.")
    expect(page.locator("#preview .statement .katex")).to_have_count(1)


@pytest.mark.slow
def test_a_formula_stays_to_be_read_where_katex_does_not_come(browser, served, draft, contributor):
    # Not `counted`: the browser complains of what it did not get.
    page = Visits(browser, served).open(contributor)
    page.route("**/katex.min*.js", lambda route: route.abort())
    page.goto(draft.get_absolute_url())
    expect(page.get_by_role("region", name="Statement")).to_contain_text("mass m is at rest")
    page.context.close()
