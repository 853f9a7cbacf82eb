"""
How much text, nesting and arithmetic one answer may ask for.

Wide enough for the longest honest rewriting of a published key, which has 7,200 characters. Beyond
it the answer is not graded but left to a person: what is too large for us may be right. Only an
answer of more than `MAX_CHARACTERS` is none that anybody reads.
"""

MAX_CHARACTERS = 20_000
MAX_LEVELS = 64
"""Brackets, fractions, roots, exponents and functions inside one another."""
MAX_NODES = 4_000
MAX_DIGITS = 40
"""Digits of one number as written, decimals included."""
MAX_EXPONENT = 1_000
"""Largest number allowed anywhere in an exponent, but for the exponential's own."""
LARGEST_EXPONENTIAL = 10_000
"""Largest number whose exponential is taken."""
MAX_BITS = 4_096
"""Size of any integer that arithmetic on the numbers written may lead to."""
MAX_FACTORIAL = 170
"""Largest n whose n! is multiplied out."""
MAX_READINGS = 8
"""How many readings of an ambiguous notation are tried."""
MAX_CHARACTERS_READ = 60_000
"""How long a text may be, times its readings: of long texts fewer are tried."""
MAX_SIMPLIFY_WORK = 300
"""Largest expression (see `tree.measure_work`) that is simplified before it becomes a tree."""
MAX_SIMPLIFY_TERMS = 200
"""Terms of a numerator or a denominator, multiplied out, up to which they are simplified."""
MAX_SYMBOLS = 20
"""Symbols, functions and roots up to which an expression is simplified."""
MAX_WAVE_SYMBOLS = 16
"""As many where sines or the imaginary unit are among them."""
MAX_MULTIPLE = 10_000
"""Largest number in a sine that is simplified."""
MAX_DISTANCE_WORK = 400_000
"""Largest product of two trees' sizes whose distance is computed."""
MAX_COMPARISON_WORK = 100_000
"""Steps of two expressions' evaluation, over all points, before it stays open if they are equal."""
OVER_LIMITS = frozenset({"too_large", "too_deep"})
"""Reasons that tell of limits here, and of no mistake in an answer."""
