"""
Which models are of one family: a judge tends to prefer answers of its own kind.

Models are known by their names alone, so this warns and decides nothing.
"""

import re

FAMILIES = {
    "gpt": r"(?:chat)?gpt|o[1-9](?=-|\b)|davinci",
    "claude": "claude",
    "gemini": "gemini|gemma|palm",
    "llama": "(?:code)?llama|vicuna|alpaca",
    "qwen": "qwen|qwq|qvq|tongyi",
    "deepseek": "deepseek",
    "mistral": "(?:open-)?mi[sx]tral|ministral|magistral|codestral|devstral|pixtral",
    "grok": "grok",
    "glm": "(?:chat)?glm",
    "kimi": "kimi|moonshot",
    "phi": r"phi(?=-|\d)",
    "command": "command-(?:r|a)|aya",
    "yi": r"yi-",
    "doubao": "doubao|seed-",
    "hunyuan": "hunyuan",
    "ernie": "ernie",
    "minimax": "minimax|abab",
    "internlm": "intern(?:lm|-s|thinker)",
    "nemotron": "nemotron",
}
"""What the names of a family's models have in them, at the beginning of a word."""

_PATTERNS = {
    name: re.compile(rf"(?<![a-z0-9])(?:{pattern})", re.IGNORECASE)
    for name, pattern in FAMILIES.items()
}


def find_families(model: str) -> frozenset[str]:
    """
    Name the families that a model's name speaks of; a distilled one has two.

    >>> sorted(find_families("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B"))
    ['deepseek', 'qwen']
    >>> find_families("our-own-model")
    frozenset()
    """
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(model))


def are_kin(one: str, other: str) -> bool:
    """
    Tell whether two models are of one family.

    >>> are_kin("openai/gpt-4o", "o3-mini"), are_kin("gpt-4o", "claude-opus-4")
    (True, False)
    """
    return bool(find_families(one) & find_families(other))
