"""Trying a draft on models, from the editor: agreed to, followed, read; nothing typed is lost."""

import pytest
from playwright.sync_api import expect

from grading.model_runs.trials.models import Trial
from grading.runs.models import ModelCall
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.grading.trials.trials import box, make_endpoint, try_on, work_off


def test_a_draft_is_tried_from_the_editor_and_what_is_typed_meanwhile_stays(
    visits,
    benchmark,
    contributor,
    draft,
    serve,
):
    endpoint = make_endpoint(serve(box("m g h"), box("2 m g h")))
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    page.get_by_text("More: models, people").click()
    section = page.locator("#trials")
    expect(section).to_contain_text("No trials yet")
    section.get_by_role("checkbox", name="fake-solver").check()
    send = section.get_by_role("button", name="Send and grade")
    send.click()
    expect(section.get_by_role("alert")).to_contain_text("Confirm that the statement may be sent")
    assert not Trial.objects.exists()

    section.get_by_label(f"Send this unpublished statement to {endpoint.host}").check()
    section.get_by_label("Calls per model").fill("2")
    send.click()
    expect(section).to_contain_text("0 of 2 answers graded.")
    page.get_by_label("Title").fill("Typed while models are asked")
    section.get_by_role("checkbox", name="fake-solver").check()

    work_off(Trial.objects.get())
    expect(section).to_contain_text("Requested: 2. Graded: 2. Correct: 1.")
    expect(section.locator(".formula .katex").first).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Typed while models are asked")
    expect(section.get_by_role("checkbox", name="fake-solver")).to_be_checked()
    assert ModelCall.objects.count() == 2

    section.get_by_role("link", name="answer 1").click()
    expect(page.get_by_role("heading", name="fake-solver, sample 1")).to_be_visible()


@pytest.mark.parametrize("is_dark", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_its_pages_fit(visits, admin, contributor, draft, serve, is_dark):
    endpoint = make_endpoint(serve(box(r"\frac{m g h}{2}"), box("so it is")))
    trial = try_on(endpoint, draft, times=3)
    answers = work_off(trial)
    scheme = {"color_scheme": "dark"} if is_dark else {}
    for person, paths in (
        (contributor, [f"/p/{draft.pk}/edit/", f"/p/{draft.pk}/trials/"]),
        (contributor, [answer.get_absolute_url() for answer in answers]),
        (admin, ["/endpoints/", "/endpoints/new/", endpoint.get_absolute_url()]),
        (admin, [f"{endpoint.get_absolute_url()}edit/"]),
    ):
        page = visits.open(person, **scheme)
        for path in paths:
            page.goto(path)
            expect(page.locator("main [hx-trigger=load]")).to_have_count(0)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert look_for_faults(page) == {}, f"{path} at {width} pixels"
