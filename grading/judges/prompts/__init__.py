"""What is sent to a judge: templates in our own words, and how they are filled."""

from grading.judges.prompts.asking import (
    Turn,
    ask_pairwise,
    ask_process,
    ask_rating,
    ask_semantic,
    select_turns,
)
from grading.judges.prompts.candidate import MAX_CANDIDATE, Candidate, cap
from grading.judges.prompts.filling import Prompt, fill, hash_values
from grading.judges.prompts.templates import (
    VARIANTS,
    Family,
    Language,
    Template,
    TemplateError,
    Variant,
    get_template,
    parse_template,
    read_template,
    read_text,
)

__all__ = [
    "MAX_CANDIDATE",
    "VARIANTS",
    "Candidate",
    "Family",
    "Language",
    "Prompt",
    "Template",
    "TemplateError",
    "Turn",
    "Variant",
    "ask_pairwise",
    "ask_process",
    "ask_rating",
    "ask_semantic",
    "cap",
    "fill",
    "get_template",
    "hash_values",
    "parse_template",
    "read_template",
    "read_text",
    "select_turns",
]
