"""What is sent to a judge: templates in our own words, and how they are filled."""

from phybench_grader.judges.prompts.candidate import MAX_CANDIDATE, Candidate, cap
from phybench_grader.judges.prompts.filling import Prompt, fill, fill_capped, hash_values
from phybench_grader.judges.prompts.templates import (
    PromptLanguage,
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
    "Candidate",
    "Prompt",
    "PromptLanguage",
    "Template",
    "TemplateError",
    "Variant",
    "cap",
    "fill",
    "fill_capped",
    "get_template",
    "hash_values",
    "parse_template",
    "read_template",
    "read_text",
]
