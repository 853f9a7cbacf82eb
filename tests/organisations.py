"""Organisations for tests: everybody who hands in has one, that an admin has confirmed."""

from django.utils import timezone

from grading.answers.submissions.models import Submission
from grading.solvers.models import Membership, Organisation
from grading.submissions import publication
from phybench.people.models import User


def organisation_of(person: User) -> Organisation:
    """Return the organisation of a person's own, made where there is none yet."""
    organisation, is_new = Organisation.objects.get_or_create(
        made_by=person,
        defaults={
            "name": f"Organisation of {person}",
            "confirmed_by": person,
            "confirmed_at": timezone.now(),
        },
    )
    if is_new:
        join(organisation, person)
    return organisation


def join(organisation: Organisation, person: User) -> Membership:
    return Membership.objects.create(
        organisation=organisation, person=person, joined_at=timezone.now(), accepted_by=person
    )


def publish(*submissions: Submission) -> None:
    """Publish graded submissions as who handed them in would."""
    for submission in submissions:
        publication.publish(submission=submission, by=submission.uploaded_by)
