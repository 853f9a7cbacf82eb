"""Pure work on texts: rendering, comparing, passages and formulas found again."""
