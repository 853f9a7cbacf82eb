"""Who draws samples, labels answers, and rules on what judges said."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from curation.problems.models import Problem
from grading.answers.models import Attempt, AttemptQuerySet
from grading.samples.audits.models import (
    AuditItem,
    AuditItemQuerySet,
    AuditLabeller,
    AuditSample,
    AuditSampleQuerySet,
)
from grading.samples.first_errors.models import (
    FirstErrorItem,
    FirstErrorItemQuerySet,
    FirstErrorLabeller,
    FirstErrorSample,
    FirstErrorSampleQuerySet,
)
from grading.samples.labels.models import LabelFile
from grading.samples.rulings.models import Ruling
from grading.solvers.models import Organisation, find_ever_of
from phybench.people.models import Role, User, UserQuerySet


def list_audits(user: User) -> AuditSampleQuerySet:
    """Return the samples that `user` may label; all of them for an admin."""
    found = AuditSample.objects.select_related("version__benchmark", "drawn_by")
    if draws_samples(user):
        return found
    if not list_labellers().filter(pk=user.pk).exists():
        return found.none()
    asked = AuditLabeller.objects.filter(person=user, taken_off_at=None)
    return found.filter(pk__in=asked.values("sample"))


def list_labelable(user: User, sample: AuditSample) -> AuditItemQuerySet:
    """Return the answers of a sample that `user` may label, whether or not they have."""
    found = AuditItem.objects.filter(sample=sample)
    if not list_audits(user).filter(pk=sample.pk).exists():
        return found.none()
    return found.exclude(pk__in=find_barred([user], sample)[user.pk])


def list_labelable_of_all(user: User) -> AuditItemQuerySet:
    """Return the answers of all open samples that `user` may label; as many queries for any."""
    found = AuditItem.objects.filter(sample__in=list_audits(user).open())
    return found.exclude(pk__in=_find_barred([user], found)[user.pk])


def find_barred(people: Iterable[User], sample: AuditSample) -> dict[int, set[int]]:
    """
    Return by person the answers of a sample that they may not label.

    What they have a part in, as `find_part_in` says; and hidden answers are for admins alone.
    """
    return _find_barred(people, AuditItem.objects.filter(sample=sample))


def _find_barred(people: Iterable[User], items: AuditItemQuerySet) -> dict[int, set[int]]:
    people = list(people)
    items = items.order_by()
    barred = find_part_in(
        people,
        (
            (pk, owners, organisation)
            for pk, *owners, organisation in items.values_list(
                "pk",
                "attempt__solver__user",
                "attempt__submission__uploaded_by",
                "hidden_answer__batch__submission__uploaded_by",
                Coalesce(
                    "attempt__solver__organisation",
                    "hidden_answer__batch__submission__solver__organisation",
                ),
            )
        ),
    )
    hidden = set(items.exclude(hidden_answer=None).values_list("pk", flat=True))
    for one in people:
        if not draws_samples(one):
            barred[one.pk] |= hidden
    return barred


def list_first_errors(user: User) -> FirstErrorSampleQuerySet:
    """Return the samples that `user` may label; all of them for an admin."""
    found = FirstErrorSample.objects.listed()
    if draws_samples(user):
        return found
    if not list_labellers().filter(pk=user.pk).exists():
        return found.none()
    asked = FirstErrorLabeller.objects.filter(person=user, taken_off_at=None)
    return found.filter(pk__in=asked.values("sample"))


def list_first_errors_to_label(user: User, sample: FirstErrorSample) -> FirstErrorItemQuerySet:
    """Return the answers of a sample that `user` may label, whether or not they have."""
    found = FirstErrorItem.objects.filter(sample=sample)
    if not list_first_errors(user).filter(pk=sample.pk).exists():
        return found.none()
    return found.exclude(pk__in=find_barred_from_first_errors([user], sample)[user.pk])


def find_barred_from_first_errors(
    people: Iterable[User], sample: FirstErrorSample
) -> dict[int, set[int]]:
    """Return by person the answers of a sample that they have a part in, and so may not label."""
    return _find_barred_from(people, FirstErrorItem.objects.filter(sample=sample))


def list_first_errors_of_all(user: User) -> FirstErrorItemQuerySet:
    """Return the answers of all open samples that `user` may label; as many queries for any."""
    found = FirstErrorItem.objects.filter(sample__in=list_first_errors(user).open())
    return found.exclude(pk__in=_find_barred_from([user], found)[user.pk])


def _find_barred_from(people: Iterable[User], items: FirstErrorItemQuerySet) -> dict[int, set[int]]:
    rows = items.order_by().values_list(
        "pk",
        "attempt__solver__user",
        "attempt__submission__uploaded_by",
        "attempt__solver__organisation",
    )
    return find_part_in(people, ((pk, owners, organisation) for pk, *owners, organisation in rows))


def list_rulable(user: User) -> AttemptQuerySet:
    """
    Return the answers that `user` may rule on, whether or not they wait for it.

    To rule one has to see the reference: an admin does, and an evaluator where they write the
    problem. Nobody but an admin rules on what their own organisation handed in.
    """
    found = Attempt.objects.filter(submission__isnull=False)
    if user.has_role(Role.ADMIN):
        return found
    if not user.has_role(Role.EVALUATOR):
        return found.none()
    theirs = Problem.objects.of(user)
    # Who handed it in and left since is none to rule on it either.
    return (
        found.filter(revision__problem__in=theirs)
        .exclude(submission__uploaded_by=user)
        .exclude(submission__solver__organisation__in=Organisation.objects.of(user))
    )


def can_rule(user: User, attempt: Attempt) -> bool:
    return list_rulable(user).filter(pk=attempt.pk).exists()


def list_rulings(user: User) -> QuerySet[Ruling]:
    """Return the rulings that `user` gave, and the labels they brought; everybody's for admins."""
    found = Ruling.objects.select_related("attempt__revision__problem", "ruled_by", "label_file")
    return found if user.has_role(Role.ADMIN) else found.filter(ruled_by=user)


def list_label_files(user: User) -> QuerySet[LabelFile]:
    """Return the files that `user` brought; everybody's for an admin."""
    found = LabelFile.objects.select_related("brought_by")
    return found if user.has_role(Role.ADMIN) else found.filter(brought_by=user)


def can_take_labels(user: User, file: LabelFile) -> bool:
    """Whether `user` may take a file's labels: who brought it answers for where they come from."""
    return file.brought_by_id == user.pk


def draws_samples(user: User) -> bool:
    """Whether `user` draws samples, ends them, asks people to label and reads what came of it."""
    return user.has_role(Role.ADMIN)


def list_labellers() -> UserQuerySet:
    """Return those whom an admin may ask to label: they see keys in reviews, or hand in answers."""
    may_label = Q(roles__overlap=[Role.REVIEWER, Role.EVALUATOR])
    asked = User.objects.get_queryset().filter(may_label, is_active=True)
    return asked.exclude(roles__contains=[Role.ADMIN])


def list_who_label(asked: QuerySet[Any, Any]) -> list[User]:
    """Return those of the people `asked` who may label still, and admins, who need not be asked."""
    admins = User.objects.get_queryset().with_role(Role.ADMIN)
    return list((admins | list_labellers().filter(pk__in=asked)).distinct())


def find_part_in(
    people: Iterable[User], rows: Iterable[tuple[int, Collection[int | None], int | None]]
) -> dict[int, set[int]]:
    """
    Return by person the answers that they have a part in, and so may not label; admins neither.

    Those are what they answered or handed in themselves, and what an organisation handed in that
    they are or ever were of.

    Args:
        rows: an answer's number, the people who answered and handed it in, their organisation.
    """
    people = list(people)
    ever = find_ever_of(people)
    found: dict[int, set[int]] = {one.pk: set() for one in people}
    for answer, owners, organisation in rows:
        for one in people:
            if one.pk in owners or organisation in ever[one.pk]:
                found[one.pk].add(answer)
    return found
