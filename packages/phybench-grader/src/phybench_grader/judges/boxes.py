r"""
Whether a box holds the answer, or something else that is made of it: `2x = \boxed{14}`.

A box says nothing by itself. What stands before it in its sentence says what is in it, and has to
speak of what the question asks for: “the digit sum is” is not “the sum is”.
"""

import re

WORDS_ALIKE = 4
"""Letters by which a word of the response is known again in the question."""

_NEUTRAL = frozenset(
    re.findall(
        r"\w+",
        """answer answers result results value values solution final correct right
        therefore thus hence then consequently finally conclude conclusion summary
        overall total number amount get gets got obtain obtains find finds found give
        gives yield yields have has see need equal equals equation compute calculate
        evaluate simplify simplifies becomes read reads that which this these those the
        and are our his her its was were will for from with when where there here you
        your can after step steps above equations formula expression both sides putting
        together using into all again now just exactly only also daher somit also ist
        das die der wir ergibt erhalten folgt lautet antwort siis joten saadaan vastaus""",
    )
)
"""Words that say nothing of what is in a box."""
_EQUALS = re.compile(r"(?<![<>!~≈≠:=])=(?!=)")
_BEGINS = re.compile(
    r"\\[(\[]|\$|\\(?:implies|Rightarrow|therefore|q?quad)(?![A-Za-z])|\\\\|[\n,;:：，]"
    r"|\\begin\{\w+\*?\}"
)
_MADE_OTHERWISE = re.compile(r"\s*(?:in|as|to|up to|modulo|rounded|without|but for)\b", re.I)
_MARKS = r"(?:_(?:\{[^{}=]*\}|\\?\w)|'|\([^()=]*\))*"
_NAME = re.compile(rf"(?P<bare>\\?[A-Za-z]+|\\(?:mathrm|text|vec|mathbf)\{{[^{{}}]*\}}){_MARKS}")
_LATEX = re.compile(r"\\(?:text|mathrm)\{[^{}]*\}|\\[A-Za-z]+")
_POWER = re.compile(r"[A-Za-z]\s*(?:\^\s*\{?\w+\}?|[²³])(?=[\s$]+(?:is|are|equals)\b[^=]*\Z)")
"""A power of a name as what is spoken of: “x^2 is”."""
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-zÄÖÜäöüß]{3,}")


def is_of_something_else(lead: str, question: str) -> bool:
    r"""
    Tell whether what leads to a box in its sentence makes its content something else.

    >>> is_of_something_else(r"So $2x = ", "What is x?"), is_of_something_else("So $x = ", "")
    (True, False)
    >>> is_of_something_else(r"$6 \cdot 7 = ", ""), is_of_something_else("The root is ", "A root?")
    (False, False)
    """
    clauses = [one for one in re.split(r"[,;:，]", lead) if one.strip()]
    if question.strip() and clauses:
        said = [one for one in clauses[:-1] if _MADE_OTHERWISE.match(one)] + clauses[-1:]
        if any(_speaks_of_other(one, question) for one in said):
            return True
    powers = _POWER.findall(clauses[-1]) if clauses else []
    if any("".join(one.split()) not in "".join(question.split()) for one in powers):
        return True
    members = _EQUALS.split(lead)
    return len(members) > 1 and _is_other_side(_BEGINS.split(members[0])[-1], question)


def _speaks_of_other(clause: str, question: str) -> bool:
    """Tell whether a clause has a word of which the question knows nothing."""
    asked = {one[:WORDS_ALIKE] for one in _WORD.findall(question.casefold())}
    said = set(_WORD.findall(_LATEX.sub(" ", clause).casefold())) - _NEUTRAL
    return any(one[:WORDS_ALIKE] not in asked for one in said)


def _is_other_side(member: str, question: str) -> bool:
    """Tell whether the left side of an equation is no name, nor a calculation without one."""
    bare = re.sub(r"\\(?:displaystyle|left|right|[,;!])|&", " ", member).strip()
    bare = bare.rpartition(" is ")[2].strip()
    if not re.search(r"[A-Za-z]", _LATEX.sub(" ", bare)):
        # Numbers and their operations alone; or a name such as \alpha, in whatever is done to it.
        return (
            re.search(r"\\(?!text|mathrm|cdot|times|[dt]?frac|sqrt|div)[A-Za-z]+\W", bare)
            is not None
        )
    words = bare.split()
    name = _NAME.fullmatch(words[-1]) or _NAME.fullmatch(bare)
    is_named = bool(name) and all(one.isalpha() and len(one) > 1 for one in words[:-1])
    if not name or not (is_named or _NAME.fullmatch(bare)):
        return True
    plain, marked = name["bare"], name.group()
    # x' or E_0 where x or E was asked for.
    is_marked = plain != marked and "(" not in marked
    known = re.search(rf"(?<![A-Za-z\\]){re.escape(plain)}(?![A-Za-z_'])", question)
    return is_marked and known is not None and marked not in question
