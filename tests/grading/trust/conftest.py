from tests.grading.audits.conftest import answer, other_admin, problems, small, version

__all__ = ["answer", "other_admin", "problems", "small", "version"]
