import pytest

from tests.grading.answers.command_line import Files


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)
