"""Who is written to about a study."""

from django.db.models import Exists, OuterRef, Q

from grading.studies.letters.models import Letter
from grading.studies.models import Study, StudyQuerySet
from phybench.people.models import User


def list_studies_written_of(user: User) -> StudyQuerySet:
    """Return the studies about which `user` was, or may be, written to by e-mail."""
    written = Letter.objects.filter(study=OuterRef("pk"), person=user)
    asked = Q(invitations__person=user) | Q(participations__person=user) | Exists(written)
    return Study.objects.filter(asked).distinct()
