"""What to do where a run over a file ended early: which file, variable or option to change."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from phybench_grader.judges import Reason

_AGAIN = gettext_noop("Then run the same command again to continue.")
_ANEW = gettext_noop(
    "That makes another configuration: run the command with another --output, or with --fresh."
)
_STEPS: dict[Reason, tuple[str, str]] = {
    Reason.AUTH: (
        gettext_noop(
            "Put a valid API key into an environment variable that begins with JUDGE_KEY_, and "
            "name that variable with --key-env."
        ),
        _AGAIN,
    ),
    Reason.FORBIDDEN: (gettext_noop("Ask its provider what the API key may do."), _AGAIN),
    Reason.QUOTA_EXHAUSTED: (gettext_noop("Top up the account at the provider."), _AGAIN),
    Reason.MODEL_NOT_FOUND: (gettext_noop("Correct “model” in the configuration."), _ANEW),
    Reason.BAD_ENDPOINT: (gettext_noop("Correct “base_url” in the configuration."), _ANEW),
    Reason.UNSUPPORTED_PARAM: (
        gettext_noop("Change “parameters” in the configuration, or choose another model."),
        _ANEW,
    ),
    Reason.TLS: (
        gettext_noop(
            "Ask its provider to check the TLS certificate. If “base_url” is wrong, correct it."
        ),
        _AGAIN,
    ),
    Reason.EGRESS_DENIED: (
        gettext_noop(
            "If you trust that address, allow it with --allow, for example --allow 127.0.0.0/8, or "
            "with the environment variable JUDGE_EGRESS_ALLOW."
        ),
        _AGAIN,
    ),
    Reason.BUDGET: (
        gettext_noop(
            "Raise “calls”, “tokens” or “money” under “limits” in the configuration, or leave them "
            "out for unlimited."
        ),
        _AGAIN,
    ),
}
"""By the reason why a run ended: what to change, and how to go on."""


def say_next(reason: Reason) -> str:
    """
    Say in sentences what to do next.

    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     print(say_next(Reason.OVERLOADED))
    Then run the same command again to continue.
    """
    change, go_on = _STEPS.get(reason, ("", _AGAIN))
    return " ".join(_(sentence) for sentence in (change, go_on) if sentence)
