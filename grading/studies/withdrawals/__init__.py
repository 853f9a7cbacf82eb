"""People who leave a study: what they wrote in it is deleted, and they are forgotten."""
