"""Which labels judges are set beside, as a page's address says."""

from grading.samples.labels.rulings import Source
from phybench.people.http import MemberRequest


def read_source(request: MemberRequest) -> Source:
    asked = request.GET.get("against", "")
    return Source(asked) if asked in set(Source) else Source.ALL
