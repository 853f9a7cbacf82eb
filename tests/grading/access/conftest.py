from tests.grading.audits.conftest import answer, problems, small, version

__all__ = ["answer", "problems", "small", "version"]
