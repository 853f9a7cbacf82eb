"""Numbers of very many rows, as a query is told them."""

from collections.abc import Iterable, Sequence

from django.db.models.expressions import RawSQL


def among(numbers: Iterable[int]) -> RawSQL | Sequence[int]:
    """
    Return what `…__in` is given in place of a list of numbers.

    They are one value of the query then: hundreds of values cost Django and psycopg more than
    PostgreSQL needs to find the rows. For no number at all nothing is asked, as of an empty list.
    """
    some = list(numbers)
    return RawSQL("SELECT unnest(%s::bigint[])", [some]) if some else some
