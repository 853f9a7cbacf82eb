"""An author who is signed in."""

import pytest


@pytest.fixture
def author(client, contributor):
    client.force_login(contributor)
    return client
