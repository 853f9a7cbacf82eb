"""Tokens: made and revoked by their person, shown once, told of by e-mail, and what ends them."""

import re
from datetime import timedelta

import pgtrigger
import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from phybench.people.models import Role, User
from phybench.people.tokens import actions
from phybench.people.tokens.models import Scope, Token
from tests.addresses import client_of
from tests.conftest import make_person
from tests.tokens import make_secret

pytestmark = pytest.mark.django_db


def is_let_in(secret: str) -> bool:
    answer = Client().get("/api/v1/benchmarks", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def make_on_the_page(person: User, **sent: object) -> str:
    sent = {"name": "Harness", "scopes": ["read"], "days": 90, **sent}
    page = client_of(person).post(reverse("new_token"), sent)
    assert page["Cache-Control"].count("no-store") == 1
    [secret] = re.findall(r"phyb_[\w-]{43}", page.content.decode())
    return secret


def test_it_is_shown_once_and_only_its_hash_is_kept(evaluator: User) -> None:
    secret = make_on_the_page(evaluator)
    token = Token.objects.get()
    assert is_let_in(secret)
    assert secret not in str(Token.objects.values().get())
    assert secret.startswith(token.beginning)
    profile = client_of(evaluator).get(reverse("profile")).content.decode()
    assert token.beginning in profile
    assert secret not in profile
    days = (token.expires_at - token.made_at).days
    assert (token.scopes, days) == (["read"], 90)


@pytest.mark.parametrize(
    "sent", [{"days": 366}, {"scopes": []}, {"scopes": ["all"]}, {"name": " "}]
)
def test_a_token_without_end_or_scope_is_not_made(evaluator: User, sent: dict[str, object]) -> None:
    sent = {"name": "Harness", "scopes": ["read"], "days": 90, **sent}
    assert client_of(evaluator).post(reverse("new_token"), sent).status_code == 400
    assert not Token.objects.exists()


def test_its_person_gets_an_e_mail(
    evaluator: User, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        secret = make_on_the_page(evaluator)
    [message] = mail.outbox
    assert message.to == [evaluator.email]
    assert "read problems" in message.body
    assert secret not in message.body


def test_what_ends_a_token(evaluator: User, admin: User) -> None:
    revoked, expired, disabled = (make_secret(evaluator) for _turn in range(3))
    first, second, _third = Token.objects.order_by("pk")
    asked = reverse("revoke_token", args=[first.pk])
    assert client_of(evaluator).get(asked).status_code == 200
    assert client_of(admin).post(asked).status_code == 404
    assert is_let_in(revoked)
    client_of(evaluator).post(asked)
    assert not is_let_in(revoked)

    earlier = timezone.now() - timedelta(days=400)
    with pgtrigger.ignore("phybench.Token:token_stays_what_it_was_made"):
        Token.objects.filter(pk=second.pk).update(
            made_at=earlier, expires_at=earlier + timedelta(days=1)
        )
    assert not is_let_in(expired)

    evaluator.set_password("another long secret")
    evaluator.save()
    assert is_let_in(disabled)
    evaluator.is_active = False
    evaluator.save()
    assert not is_let_in(disabled)


@pytest.mark.parametrize("secret", ["", "phyb_", "phyb_é", "x" * 5000, "phyb_" + "A" * 43])
def test_what_is_no_token_opens_nothing(db: None, secret: str) -> None:
    assert actions.find(secret) is None


def test_using_it_writes_once_a_day(evaluator: User, django_assert_num_queries: object) -> None:
    secret = make_secret(evaluator)
    actions.find(secret)
    assert Token.objects.get().last_used_on == timezone.now().date()
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert actions.find(secret)


def test_one_person_has_a_bounded_number_of_tokens(evaluator: User) -> None:
    for _turn in range(actions.MOST):
        make_secret(evaluator)
    with pytest.raises(actions.TooMany):
        make_secret(evaluator)
    actions.revoke(token=Token.objects.first())
    assert make_secret(evaluator)


@pytest.mark.parametrize("count", [1, 3])
def test_the_profile_takes_as_many_queries_however_many_tokens(
    count: int, django_assert_num_queries: object
) -> None:
    person = make_person(Role.EVALUATOR, "somebody")
    for _turn in range(count):
        actions.make(person=person, name="Harness", scopes=[Scope.READ], days=7)
    client = client_of(person)
    with django_assert_num_queries(4):  # type: ignore[operator]
        client.get(reverse("profile"))
