"""What the editor's form sends."""

from tests.conftest import STATEMENT


def fields(benchmark, **changed: str) -> dict[str, str]:
    return {
        "title": "A falling ball",
        "benchmark": str(benchmark.pk),
        "domain": "MECHANICS",
        "difficulty": "HIGH_SCHOOL",
        "statement": STATEMENT,
        "answer": "m g h",
        "solution": "",
        **changed,
    }


def rows(*symbols: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the fields of a symbol table: latex, meaning, unit, sign, low, high of each row."""
    names = ("latex", "meaning", "unit", "sign", "low", "high")
    filled = [(*row, *("", "", "positive", "", "")[len(row) - 1 :]) for row in symbols]
    return {f"symbol_{name}": [row[place] for row in filled] for place, name in enumerate(names)}
