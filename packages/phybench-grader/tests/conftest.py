"""Settings of the tests of the grader alone; the application's have their own."""

import hypothesis

# How long this machine takes is no fault of what is tested.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")
