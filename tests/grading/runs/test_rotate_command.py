"""`rotate_field_keys`: FIELD_KEYS are changed, and no endpoint loses its key."""

import io

import pytest
from django.core.management import CommandError, call_command

from grading.endpoints import Keyring, generate_field_key
from grading.runs import calls as calling
from grading.runs.models import Endpoint
from tests.grading.trials.trials import KEY, make_endpoint

pytestmark = pytest.mark.django_db


def rotate() -> str:
    out = io.StringIO()
    call_command("rotate_field_keys", stdout=out)
    return out.getvalue()


def test_after_it_the_first_key_alone_opens_what_all_opened(settings):
    old, new = settings.FIELD_KEYS, generate_field_key()
    make_endpoint()
    make_endpoint(name="No key", key="")
    settings.FIELD_KEYS = f"{new},{old}"
    assert rotate() == "API keys of endpoints: 1. Encrypted anew: 1.\n"
    assert rotate() == "API keys of endpoints: 1. Encrypted anew: 0.\n"

    settings.FIELD_KEYS = new
    key = calling.read_key(Endpoint.objects.exclude(key_encrypted="").get())
    assert key is not None
    assert key.reveal() == KEY


def test_what_no_key_opens_is_named_and_left_as_it_is_and_the_rest_is_done(settings):
    make_endpoint(name="Lost one")
    lost = Endpoint.objects.get().key_encrypted
    settings.FIELD_KEYS = generate_field_key()
    make_endpoint(name="Found one")
    settings.FIELD_KEYS = f"{generate_field_key()},{settings.FIELD_KEYS}"
    with pytest.raises(CommandError, match="Lost one") as refused:
        rotate()
    assert KEY not in str(refused.value)
    assert Endpoint.objects.get(name="Lost one").key_encrypted == lost
    ring = Keyring.parse(settings.FIELD_KEYS)
    assert ring.is_current(Endpoint.objects.get(name="Found one").key_encrypted)


@pytest.mark.parametrize("field_keys", ["", "nonsense"])
def test_without_usable_field_keys_it_says_so(settings, field_keys):
    settings.FIELD_KEYS = field_keys
    with pytest.raises(CommandError, match="FIELD_KEYS"):
        rotate()
