"""An invitation that was made and not used."""

import pytest

from curation.members.invitations.models import Invitation
from tests.curation.invitations.inviting import invite


@pytest.fixture
def invited(admin) -> Invitation:
    [made] = invite(admin, "Ivy@new.example")
    return made
