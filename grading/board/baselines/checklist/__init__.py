"""The reporting checklist for human baselines, filled from what a study's rows say; pure."""
