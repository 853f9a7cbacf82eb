"""What the code says, and how it is translated, read once a process: it takes seconds."""

from functools import cache

from phybench import catalogue

collect = cache(catalogue.collect)
read = cache(catalogue.read)
