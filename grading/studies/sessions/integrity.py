"""What holds of sessions: no save is missing or there twice, and what was shown is written down."""

from django.db.models import Count, Exists, F, Max, OuterRef, Q, Subquery

from curation.problems.exposures.models import Exposure
from grading.studies.sessions.models import Save, Session, SessionItem
from phybench.people.models import User
from phybench.work.integrity import Invariant, register, those

_earlier = Save.objects.filter(
    item=OuterRef("item"), number=OuterRef("number"), pk__lt=OuterRef("pk")
)
_ends = Session.objects.going_on().filter(participation__person=OuterRef("pk")).order_by("-ends_at")
_seen = Exposure.objects.filter(
    person=OuterRef("session__participation__person"),
    revision=OuterRef("study_item__item__revision"),
    part=Exposure.Part.STATEMENT,
)

register(
    Invariant(
        SessionItem.objects.annotate(kept=Count("saves"), newest=Max("saves__number")),
        those(newest__gt=F("kept")),
        "lacks saves: the number of its newest is larger than how many there are",
    ),
    Invariant(
        Save.objects.all(),
        those(Exists(_earlier)),
        "is the second save of its problem with this number",
    ),
    Invariant(
        User.objects.annotate(sits_still=Subquery(_ends.values("ends_at")[:1])),
        those(
            Q(sits_until=None, sits_still__isnull=False)
            | Q(sits_until__isnull=False, sits_still=None)
            | Q(sits_until__lt=F("sits_still"))
            | Q(sits_until__gt=F("sits_still"))
        ),
        "does not say until when the sessions last that this person sits",
    ),
    Invariant(
        # Whom it was is forgotten of those who have withdrawn.
        SessionItem.objects.filter(
            opened_at__isnull=False, session__participation__person__isnull=False
        ),
        those(~Exists(_seen)),
        "was opened, but that its person was shown the statement is not written down",
    ),
)
