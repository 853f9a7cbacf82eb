"""Where home looks for what every room has for people's desks; each room has its own `desk`."""

from curation.errors import desk as errors
from curation.problems import desk as problems
from curation.reviewing.assignments import desk as assignments
from curation.reviewing.discussion import desk as discussion
from curation.translations import desk as translations

__all__ = ["assignments", "discussion", "errors", "problems", "translations"]
