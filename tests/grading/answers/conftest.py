import pytest

from tests.grading.answers.command_line import Files
from tests.grading.answers.samples import hand_in_samples as _hand_in_samples

hand_in_samples = _hand_in_samples


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)
