"""What evaluators and admins do with prompts: bring one, release it."""

import hashlib
from pathlib import Path

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.judging.prompts.models import JudgePrompt
from grading.judging.prompts.permissions import releases_prompts
from grading.runs import sentences
from phybench.people.models import User
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.prompts import PromptLanguage, TemplateError, Variant, parse_template
from phybench_grader.numbers.sentences import Sentence


class CannotUse(Exception):
    """A prompt can't be kept or released; the message says why and what to do."""


LARGEST_PROMPT = 200_000
"""Bytes."""


def bring_prompt(
    *, by: User, content: bytes, file_name: str, kind: str, language: str, with_reference: bool
) -> JudgePrompt:
    """
    Keep a prompt from a file. It is used once an admin has released it; an admin's own is at once.

    Raises:
        CannotUse: it is no prompt for this way of asking; the message says what to change.
    """
    if len(content) > LARGEST_PROMPT:
        raise CannotUse(_("This file is too large for a prompt."))
    variant = Variant(KINDS[kind], PromptLanguage(language), has_reference=with_reference)
    try:
        template = parse_template(content, Path(file_name), variant)
    except TemplateError as error:
        message = Sentence.of(f"prompt_{error.code}", **error.values)
        raise CannotUse(sentences.translate(message)) from None
    if "\x00" in template.user + template.system + template.reminder:
        raise CannotUse(_("This file contains invalid characters (NUL or an unpaired surrogate)."))
    is_usable = releases_prompts(by)
    prompt, _made = JudgePrompt.objects.get_or_create(
        sha256=hashlib.sha256(content).hexdigest(),
        kind=kind,
        language=language,
        with_reference=with_reference,
        is_built_in=False,
        defaults={
            "name": template.name[:100],
            "version": template.version[:40],
            "text": content.decode(),
            "brought_by": by,
            "released_by": by if is_usable else None,
            "released_at": timezone.now() if is_usable else None,
        },
    )
    return prompt


@transaction.atomic
def release_prompt(*, prompt: JudgePrompt, by: User) -> None:
    """Let a prompt that somebody brought be used. Whoever writes it can have the key told."""
    prompt = JudgePrompt.objects.select_for_update().get(pk=prompt.pk)
    if not releases_prompts(by):
        raise CannotUse(_("Only an admin can release a prompt."))
    if not prompt.is_usable:
        prompt.released_by, prompt.released_at = by, timezone.now()
        prompt.save(update_fields=["released_by", "released_at"])
