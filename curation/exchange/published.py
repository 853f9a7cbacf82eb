"""Take a published problem into a benchmark, as it stands; it has no title, so one is made."""

import re
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Event, Problem
from curation.texts.schema import TEXTS
from curation.texts.workflow import Step, move
from phybench.people.models import User

LONGEST_TITLE = 80

DISPLAYED = re.compile(r"\$\$.*?\$\$|\\\[.*?\\\]|\\begin\{(\w+\*?)\}.*?\\end\{\1\}", re.DOTALL)
INLINE = re.compile(r"\$([^$]*)\$|\\\((.*?)\\\)", re.DOTALL)
UNPAIRED = re.compile(r"\$|\\[()\[\]]|\\begin\b")
MARKDOWN = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|^\s*(?:#+|[>*+-]|\d+[.)])\s+|^\s*---+\s*$|\*\*|__", re.M
)
EXAM_ORDER = re.compile(r"\s*please solve the following[^:]*:", re.IGNORECASE)
GREEK = {
    name: chr(first + place)
    for first, names in {
        0x3B1: "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi"
        " rho finalsigma sigma tau upsilon phi chi psi omega",
        0x391: "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi"
        " Rho none Sigma Tau Upsilon Phi Chi Psi Omega",
    }.items()
    for place, name in enumerate(names.split())
} | {"varphi": "φ", "varepsilon": "ε", "vartheta": "θ", "varrho": "ρ", "ell": "ℓ"}
DECORATION = re.compile(
    r"\\(?:vec|hat|bar|boldsymbol|mathbf|mathrm|mathit|pmb|text|overrightarrow|mathcal)\b"
)
SPOKEN = re.compile(r"[\w\s.,'/<>=+−-]{1,14}")
"""What a formula may come to, so that a title can say it in plain text."""
NO_MATHEMATICS = "…"


def make_title(statement: str) -> str:
    """
    Make a title from the first words of a statement, without mathematics and cut at a word.

    >>> make_title(r"A block of height $H$ and density $\\rho_{1}$ floats. $$F=ma$$")
    'A block of height H and density ρ1 floats.'
    """
    # Far more than a title holds; a hostile statement would keep the expressions below busy.
    text = EXAM_ORDER.sub("", statement[:2000], count=1)
    text = MARKDOWN.sub(" ", text)
    text = DISPLAYED.sub(f" {NO_MATHEMATICS} ", text)
    text = INLINE.sub(lambda found: _say(found[1] if found[1] is not None else found[2]), text)
    # What is left of a formula that never ends: nothing after it is sure to be words.
    if (half := UNPAIRED.search(text)) is not None:
        text = text[: half.start()]
    text = re.sub(r"\\[a-zA-Z]+|[\\{}]", "", text)
    text = re.sub(r"\(\s*…?\s*\)", "", text)
    text = re.sub(r"(?:…\s*)+(?=…)", "", text)
    text = re.sub(r"\s+([.,;:?!])", r"\1", " ".join(text.split()))
    if len(text) > LONGEST_TITLE:
        # The space after the last whole word, if there is any; one character is for the mark.
        cut = text.rfind(" ", 0, LONGEST_TITLE)
        text = text[: cut if cut > 0 else LONGEST_TITLE - 1].rstrip(" .,;:(…") + "…"
    return text if re.search(r"\w", text) else ""


def _say(formula: str) -> str:
    """Say a short formula in plain text; a longer one is left out."""
    plain = DECORATION.sub("", formula)
    plain = re.sub(r"\\([a-zA-Z]+)", lambda found: GREEK.get(found[1], found[0]), plain)
    plain = re.sub(r"\\[ ,;!]", " ", plain)
    plain = re.sub(r"_(\d)\b|_\{(\d+)\}", r"\1\2", plain).replace("{", "").replace("}", "").strip()
    return plain if SPOKEN.fullmatch(plain) else f" {NO_MATHEMATICS} "


class NoBenchmark(Exception):
    """A benchmark that can't take published problems; the message says why."""


def find_or_make_benchmark(name: str) -> Benchmark:
    """
    Return the benchmark of this name or slug, made if there is none.

    Raises:
        NoBenchmark: it can't be made, or its problems are the demo's.
    """
    name = name.strip()
    if found := Benchmark.objects.called(name):
        if found.is_demo:
            raise NoBenchmark(_("“%(name)s” is for the demo’s problems only.") % {"name": name})
        return found
    most = Benchmark._meta.get_field("name").max_length
    if not name or (most and len(name) > most) or not name.isprintable():
        raise NoBenchmark(
            _("A benchmark's name is 1 to %(most)d printable characters.") % {"most": most}
        )
    slug = slugify(name) or "benchmark"
    if taken := Benchmark.objects.filter(slug=slug).first():
        raise NoBenchmark(
            _("“%(name)s” would have the same address as “%(taken)s”. Choose another name.")
            % {"name": name, "taken": taken}
        )
    return Benchmark.objects.create(name=name, slug=slug)


@transaction.atomic
def import_published(
    *,
    benchmark: Benchmark,
    published_id: str,
    broken_rules: list[str],
    actor: User | None = None,
    **fields: Any,
) -> Problem:
    """
    Take a published problem as it stands: accepted elsewhere, flagged with what it breaks.

    Args:
        actor: who imports it; None for a command.
        fields: what it came with of those that files have.
    """
    now = timezone.now()
    problem = Problem.objects.create(
        benchmark=benchmark,
        published_id=published_id,
        accepted_at=now,
        **{name: value for name, value in fields.items() if name not in TEXTS},
    )
    revision = problem.revisions.create(
        number=1,
        broken_rules=broken_rules,
        submitted_at=now,
        **{name: value for name, value in fields.items() if name in TEXTS},
    )
    problem.status, problem.accepted_revision = move(Step.IMPORT, None), revision
    problem.save(update_fields=["status", "accepted_revision"])
    Event.objects.create(
        problem=problem,
        revision=revision,
        actor=actor,
        kind=Step.IMPORT,
        to_status=problem.status,
        note=", ".join(broken_rules),
    )
    return problem
