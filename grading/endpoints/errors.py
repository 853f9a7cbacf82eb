"""A call that gave no reply to go by."""

from grading.endpoints.replies import Exchange, Reply
from phybench_grader.judges.call_reasons import RULES, Cause


class EndpointError(Exception):
    """
    A call that gave no reply to go by, with what is known of it.

    `message` is ours and may be shown to anybody; `detail` holds the provider's words, without
    anything that looks like a key, for those who look after the endpoint.
    """

    def __init__(
        self,
        reason: Cause,
        message: str = "",
        *,
        detail: str = "",
        status: int | None = None,
        retry_after: float | None = None,
        parameter: str = "",
        reply: Reply | None = None,
    ) -> None:
        message = message or RULES[reason].message
        # Both, so that it pickles.
        super().__init__(reason, message)
        self.reason = reason
        self.message = message
        self.detail = detail
        self.status = status
        """The HTTP status, if one came."""
        self.retry_after = retry_after
        """Seconds that the endpoint asks to be left alone."""
        self.parameter = parameter
        """The parameter that the endpoint names."""
        self.reply = reply
        """What came all the same: of a reply that was cut off, filtered, refused or empty."""
        self.exchanges: tuple[Exchange, ...] = ()
        """Every HTTP call made, the last being the one that failed."""

    def __str__(self) -> str:
        return self.message
