from tests.grading.submissions.samples import hand_in_samples as _hand_in_samples

hand_in_samples = _hand_in_samples
