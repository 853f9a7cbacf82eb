from tests.grading.submissions.samples import hand_in_samples

__all__ = ["hand_in_samples"]
