"""Who answers, and whose they are: organisations own the models in whose names they hand in."""
