"""What the log says of what was refused."""

import logging


def shorten_refusal(record: logging.LogRecord) -> bool:
    """Say in one line what was refused: where in the code is of use for our own faults only."""
    if getattr(record, "status_code", 500) < 500:
        record.exc_info = None
    return True
