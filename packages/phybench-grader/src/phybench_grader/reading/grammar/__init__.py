"""The grammar of one expression: what each part of it reads, from numbers up to sums."""
