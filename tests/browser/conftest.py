"""A real Chromium on the real pages. Where none is found the tests skip, in CI they fail."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from phybench.people.models import User

# Playwright's loop runs in this thread, so Django would take every query for an async one.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

PATIENCE_MILLISECONDS = 30_000
expect.set_options(timeout=PATIENCE_MILLISECONDS)
NAMES = (
    # Without a window it takes less than half of the work.
    "chromium-headless-shell",
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium() -> str | None:
    """Find a Chromium: `CHROMIUM` first, then PATH."""
    if given := os.environ.get("CHROMIUM"):
        return given
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # First asked for, last torn down: the server outlives the page.
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        message = (
            "no Chromium found: apt-get install chromium-headless-shell, "
            "or set CHROMIUM=/path/to/it"
        )
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=QUIET)
        yield opened
        opened.close()


class Visits:
    """People at their browsers. What a browser complains of fails the test: scripts, the CSP."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []

    def open(self, person: User | None = None, **options: Any) -> Page:
        """Open a browser of its own for somebody, signed in; None is a visitor."""
        context = self.browser.new_context(
            base_url=self.address,
            locale="en-GB",
            **{"viewport": {"width": 1280, "height": 900}, **options},
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MILLISECONDS)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if person:
            # By the form it takes three pages; `test_whole_path.py` goes that way.
            client = Client()
            client.force_login(person)
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies(
                [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.address}]
            )
        return page

    def _note(self, message: ConsoleMessage) -> None:
        # On a busy machine a page is told to wait with its preview, and asks again.
        told = message.location["url"] + message.text
        is_preview = "part=preview" in told or "part=second" in told
        if message.type in {"error", "warning"} and not (is_preview and " 429 " in message.text):
            self.complaints.append(message.text)

    def close(self) -> None:
        for context in self.browser.contexts:
            context.close()


def wait_until(page: Page, holds: str, argument: object = None) -> None:
    """
    Wait until a function of JavaScript returns true, called at each picture.

    Playwright's own `wait_for_function` evaluates a text again each time that it looks, which the
    pages' Content-Security-Policy forbids from the second time on.
    """
    page.evaluate(
        f"""argument => new Promise((resolve, reject) => {{
          const holds = {holds};
          const end = performance.now() + {PATIENCE_MILLISECONDS};
          const look = () => holds(argument) ? resolve()
            : performance.now() > end ? reject(new Error("It never held."))
            : requestAnimationFrame(look);
          look();
        }})""",
        argument,
    )


def press(page: Page, *keys: str) -> None:
    """Press keys that a page’s scripts listen to: words can be read before those have begun."""
    page.wait_for_load_state()
    # The browser gives the focus away with its first picture, which can come after all is loaded.
    wait_until(
        page,
        "() => !document.querySelector('[autofocus]') || document.activeElement !== document.body",
    )
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture
def visits(browser: Browser, live_server: LiveServer) -> Iterator[Visits]:
    opened = Visits(browser, live_server.url)
    yield opened
    # What a page is just asking for fails when its browser is closed, and is nobody's fault.
    complaints = [*opened.complaints]
    opened.close()
    assert complaints == []
