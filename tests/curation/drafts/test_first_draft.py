"""Who comes to write begins at once: drafts before the role, submission after it."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.drafts.editor import fields
from tests.phybench.test_accounts import SIGN_UP, read_link

pytestmark = pytest.mark.django_db


def test_a_visitor_signs_up_to_a_first_saved_draft_in_five_pages(client, benchmark):
    joined = client.get(reverse("account_signup"))
    sent = client.post(reverse("account_signup"), SIGN_UP, follow=True)
    [message] = mail.outbox
    confirming = client.get(read_link(message))
    overview = client.post(read_link(message), follow=True)
    new = reverse("curation:new", args=[benchmark.slug])
    assert f'href="{new}"' in overview.content.decode()
    editor = client.get(new)
    pages = joined, sent, confirming, overview, editor
    assert {page.status_code for page in pages} == {200}
    client.post(f"{new}?part=save", fields(benchmark, title="A first one"))
    draft = Problem.objects.get()
    assert (draft.author, draft.title) == (User.objects.get(email=SIGN_UP["email"]), "A first one")


def test_without_the_role_a_draft_is_kept_and_not_submitted_and_the_role_is_a_link_away(
    benchmark, contributor
):
    person = make_person(None)
    client = Client()
    client.force_login(person)
    new = reverse("curation:new", args=[benchmark.slug])
    client.post(new, fields(benchmark, then="save"))
    draft = Problem.objects.get()
    editor = client.get(reverse("curation:edit", args=[draft.pk])).content.decode()
    assert reverse("profile") + "?tab=roles" in editor
    assert 'value="submit"' not in editor
    with pytest.raises(NotAllowedNow, match="Only a contributor"):
        actions.submit(problem=draft, author=person)
    assert client.post(reverse("curation:submit", args=[draft.pk])).status_code == 403
    person.roles = [Role.CONTRIBUTOR]
    person.save()
    assert (
        'value="submit"' in client.get(reverse("curation:edit", args=[draft.pk])).content.decode()
    )


def test_nobody_else_reads_such_a_draft(benchmark, contributor):
    author = make_person(None)
    draft = actions.create_draft(
        author=author, benchmark=benchmark, title="Mine", domain="MECHANICS", difficulty=""
    )
    client = Client()
    client.force_login(contributor)
    for name in ("edit", "problem"):
        assert client.get(reverse(f"curation:{name}", args=[draft.pk])).status_code == 404
