"""What a page says in the language of the interface: its texts without code and formulas."""

import re
from html.parser import HTMLParser

WITHOUT_END = {"meta", "link", "input", "br", "hr", "img", "col", "source", "wbr"}
UNREAD = {"script", "style", "code", "pre", "kbd", "textarea", "svg", "math", "samp"}
"""What is no sentence of ours: programs, formulas, and what somebody types."""
INLINE = {
    *(
        "a",
        "abbr",
        "b",
        "code",
        "em",
        "i",
        "kbd",
        "samp",
        "math",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
    ),
    *("small", "bdi", "q"),
}
SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-label")
FORMULA = re.compile(r"\b(math|formula|katex|tex|typed)\b")

WRITTEN_FOR_PROGRAMS = re.compile(
    r"\b[A-Z]\w*\(\w+=|\b\w+ object at 0x|<[A-Z]\w+: |<QuerySet|\bdatetime\.\w+\(|\bDecimal\("
    r"|(?!^None\.$)(?<![\w.$\\])(?:None|nan|inf|True|False)(?![\w$])(?! (?:of|has)\b)|\{\}|\[\]"
)
"""What Python writes of a value of which no attribute, or no filter, is named."""


class Texts(HTMLParser):
    """
    Gathers the texts of a page, block by block.

    Left out is what is said to be in another language than the page, which is what people wrote,
    and what stands in code or formulas.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.texts: list[str] = [""]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        unread = (
            (self.open[-1][1] if self.open else False)
            or tag in UNREAD
            or (tag != "html" and "lang" in given)
            or "data-tex" in given
            or bool(FORMULA.search(given.get("class") or ""))
        )
        if not unread:
            self.texts[-1:-1] = [given[name] or "" for name in SPOKEN if name in given]
        if tag not in INLINE:
            self.texts.append("")
        elif unread:
            self.texts[-1] += "…"
        if tag not in WITHOUT_END:
            self.open.append((tag, unread))

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in WITHOUT_END and self.open.pop()[0] != tag:
            pass
        if tag not in INLINE:
            self.texts.append("")

    def handle_data(self, text: str) -> None:
        if not (self.open and self.open[-1][1]):
            self.texts[-1] += text


def list_texts(page: str) -> list[str]:
    """List the texts of a page in the interface's language, once each."""
    reader = Texts()
    reader.feed(page)
    texts = (re.sub(r"\s+", " ", text).strip() for text in reader.texts)
    return [text for text in dict.fromkeys(texts) if text]
