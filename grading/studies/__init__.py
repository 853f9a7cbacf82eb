"""Human baselines: what a study asks of whom, written down before the first person starts."""
