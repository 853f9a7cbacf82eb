"""Who lets prompts be used."""

from grading.judging.prompts.models import JudgePrompt
from phybench.people.models import Role, User


def can_release(user: User, prompt: JudgePrompt) -> bool:
    """Whether `user` may let a prompt be used: whoever writes it can have the key told."""
    return releases_prompts(user) and not prompt.is_usable


def releases_prompts(user: User) -> bool:
    """Whether `user` lets prompts be used; of those they bring none waits."""
    return user.has_role(Role.ADMIN)
