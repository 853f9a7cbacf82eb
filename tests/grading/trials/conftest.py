import random

import pytest


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Retries come as soon as the endpoint lets them: chance adds nothing."""
    monkeypatch.setattr(random, "random", lambda: 0.0)
