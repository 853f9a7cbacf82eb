"""Who may do and see what of answers and their judging. One place; views and actions ask here."""

from collections.abc import Iterable

from django.db.models import Exists, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from curation import permissions as of_curation
from curation.problems.models import Problem, ProblemQuerySet
from grading.answers.models import Attempt, AttemptQuerySet, Grade, VerdictChoice
from grading.audits.models import (
    AuditItem,
    AuditItemQuerySet,
    AuditLabeller,
    AuditSample,
    AuditSampleQuerySet,
)
from grading.contests.models import Contest, ContestQuerySet
from grading.drafts.models import Draft, DraftQuerySet
from grading.judging.labels.models import LabelFile
from grading.judging.prompts.models import JudgePrompt
from grading.judging.rulings.models import Ruling
from grading.judging.runs.models import JudgeRun, JudgeRunQuerySet
from grading.model_runs.models import ModelRun, ModelRunQuerySet
from grading.solvers.models import (
    Description,
    DescriptionQuerySet,
    Membership,
    Organisation,
    OrganisationQuerySet,
    Solver,
    SolverQuerySet,
    find_ever_of,
)
from grading.submissions.models import Submission
from phybench.models import Role, User, UserQuerySet

# --- Organisations --------------------------------------------------------------------------


def can_make_organisation(user: User) -> bool:
    return user.has_role(Role.EVALUATOR)


def confirms_organisations(user: User) -> bool:
    """Whether `user` confirms, renames and merges organisations, and sees who is of each."""
    return user.has_role(Role.ADMIN)


def list_hand_in_for(user: User) -> OrganisationQuerySet:
    """Return the organisations for which `user` may hand in answers."""
    found = Organisation.objects.of(user)
    return found if user.has_role(Role.EVALUATOR) else found.none()


def can_hand_in(user: User, organisation: Organisation) -> bool:
    return list_hand_in_for(user).filter(pk=organisation.pk).exists()


def list_drafts(user: User) -> DraftQuerySet:
    """Return the drafts that `user` may see and change: those of their organisations."""
    found = Draft.objects.select_related("organisation", "benchmark", "made_by")
    return found.filter(organisation__in=list_hand_in_for(user))


def can_see_members(user: User, organisation: Organisation) -> bool:
    return confirms_organisations(user) or is_member(user, organisation)


def is_member(user: User, organisation: Organisation) -> bool:
    return Organisation.objects.of(user).filter(pk=organisation.pk).exists()


def can_ask_to_join(user: User, organisation: Organisation) -> bool:
    return (
        user.has_role(Role.EVALUATOR)
        and organisation.merged_into_id is None
        and not is_member(user, organisation)
    )


def can_accept(user: User, membership: Membership) -> bool:
    """Whether `user` may take somebody who asked: no one takes themselves."""
    return can_see_members(user, membership.organisation) and membership.person_id != user.pk


def can_end_membership(user: User, membership: Membership) -> bool:
    """Whether `user` may end it: their own, one that only asks, or any as an admin."""
    if confirms_organisations(user) or membership.person_id == user.pk:
        return True
    return membership.joined_at is None and is_member(user, membership.organisation)


# --- Models that answer ---------------------------------------------------------------------


def list_solvers(viewer: User | None) -> SolverQuerySet:
    """
    Return the models that `viewer` may know of; None is a visitor.

    What was published once is everybody's to know, withdrawn or not: the board tells of it. That
    there is another is for its organisation and admins.
    """
    found = Solver.objects.are_models().select_related("organisation")
    if viewer and viewer.has_role(Role.ADMIN):
        return found
    published = Submission.objects.filter(published_at__isnull=False)
    may_know = Q(pk__in=published.values("solver"))
    if viewer:
        may_know |= Q(organisation__in=Organisation.objects.of(viewer))
    return found.filter(may_know)


def sees_all_of(viewer: User | None, solver: Solver) -> bool:
    """Whether `viewer` sees what a model's organisation keeps to itself."""
    organisation = solver.organisation
    return bool(viewer and organisation and can_see_members(viewer, organisation))


def list_submissions_of(solver: Solver, viewer: User | None) -> QuerySet[Submission]:
    """Return the submissions of a model that `viewer` may know of."""
    found = Submission.objects.filter(solver=solver)
    return found if sees_all_of(viewer, solver) else found.filter(published_at__isnull=False)


def list_descriptions(solver: Solver, viewer: User | None) -> DescriptionQuerySet:
    """Return what was said of a model; to others, since something of it was first published."""
    found = Description.objects.filter(solver=solver)
    if sees_all_of(viewer, solver):
        return found
    published = Submission.objects.filter(solver=solver).aggregate(first=Min("published_at"))
    if published["first"] is None:
        return found.none()
    held = found.filter(described_at__lte=published["first"]).first()
    return found.filter(number__gte=held.number) if held else found


def can_describe(user: User, solver: Solver) -> bool:
    """Whether `user` may say what a model is: its organisation's evaluators, and admins."""
    return _judges(user) and sees_all_of(user, solver)


# --- Answers --------------------------------------------------------------------------------


def list_submissions(user: User) -> QuerySet[Submission]:
    """Return the submissions that `user` may see: of their organisations; all for an admin."""
    found = Submission.objects.select_related(
        "solver__organisation", "benchmark", "version__benchmark", "uploaded_by"
    )
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(solver__organisation__in=Organisation.objects.of(user))


def list_receipted(viewer: User | None) -> QuerySet[Submission]:
    """
    Return the submissions whose figures `viewer` may read; None is a visitor.

    What is published is everybody's until it is withdrawn, as on the page of its model.
    """
    found = Submission.objects.select_related("solver__organisation", "version__benchmark")
    may_read = Q(published_at__isnull=False, withdrawn_at=None)
    if viewer:
        may_read |= Q(pk__in=list_submissions(viewer).values("pk"))
    return found.select_related("benchmark").defer("left_out").filter(may_read)


def sees_answers_of(viewer: User | None, submission: Submission) -> bool:
    """Whether `viewer` may read what became of single answers, as its full receipt says it."""
    return bool(
        viewer and _judges(viewer) and list_submissions(viewer).filter(pk=submission.pk).exists()
    )


def can_publish(user: User, submission: Submission) -> bool:
    """Whether `user` may publish or withdraw it: its organisation's evaluators, and admins."""
    is_called = user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN)
    return is_called and list_submissions(user).filter(pk=submission.pk).exists()


def list_attempts(user: User) -> AttemptQuerySet:
    """Return what `user` answered, or their organisations handed in; all of them for an admin."""
    found = Attempt.objects.all()
    if user.has_role(Role.ADMIN):
        return found
    theirs = Organisation.objects.of(user)
    return found.filter(Q(submission__solver__organisation__in=theirs) | Q(solver__user=user))


def list_own_answers(user: User) -> AttemptQuerySet:
    """Return what `user` answered for the human baseline."""
    return Attempt.objects.filter(solver__user=user, submission=None)


def tells_key(user: User, attempt: Attempt, grades: Iterable[Grade]) -> bool:
    """Whether this is another solver's answer, and correct: then it is as good as the key."""
    is_own = attempt.solver.user_id == user.pk
    return not is_own and any(grade.verdict == VerdictChoice.CORRECT for grade in grades)


def publishes_columns(user: User) -> bool:
    """Whether `user` puts what a judge said on the board; they see it there before."""
    return user.has_role(Role.ADMIN)


def decides_on_runs(user: User) -> bool:
    """Whether `user` has answers graded anew, and adopts or discards what that would change."""
    return user.has_role(Role.ADMIN)


# --- Runs of judges -------------------------------------------------------------------------


def may_run(user: User, submission: Submission) -> bool:
    """Whether `user` may have a submission judged: its organisation's, or an admin."""
    return _judges(user) and list_submissions(user).filter(pk=submission.pk).exists()


def list_runs(user: User) -> JudgeRunQuerySet:
    """Return the runs that `user` may see: on what they may see; all of them for an admin."""
    found = JudgeRun.objects.select_related(
        "submission__solver", "other__solver", "configuration", "started_by"
    )
    if user.has_role(Role.ADMIN):
        return found
    # Both of a pair: an admin may compare with what others handed in.
    theirs = Organisation.objects.of(user)
    both = Q(other=None) | Q(other__solver__organisation__in=theirs)
    return found.filter(both, submission__solver__organisation__in=theirs)


def may_go_on(user: User, run: JudgeRun) -> bool:
    """Whether `user` may pause a run, have gone on with it, or cancel it."""
    return _judges(user) and list_runs(user).filter(pk=run.pk).exists()


def _judges(user: User) -> bool:
    return user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN)


def can_release(user: User, prompt: JudgePrompt) -> bool:
    """Whether `user` may let a prompt be used: whoever writes it can have the key told."""
    return releases_prompts(user) and not prompt.is_usable


def releases_prompts(user: User) -> bool:
    """Whether `user` lets prompts be used; of those they bring none waits."""
    return user.has_role(Role.ADMIN)


# --- Runs of models -------------------------------------------------------------------------


def list_model_runs(user: User) -> ModelRunQuerySet:
    """Return the runs of models that `user` may see: their organisations'; all for an admin."""
    found = ModelRun.objects.select_related(
        "organisation", "version__benchmark", "endpoint", "started_by", "file__draft"
    )
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(organisation__in=list_hand_in_for(user))


def may_steer(user: User, run: ModelRun) -> bool:
    """Whether `user` may pause a run of a model, go on with it, or cancel it."""
    return _judges(user) and list_model_runs(user).filter(pk=run.pk).exists()


# --- Rulings and labels ---------------------------------------------------------------------


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


# --- Keys in doubt --------------------------------------------------------------------------


def decides_keys(user: User) -> bool:
    """Whether `user` says what is found of keys in doubt, and has wrong ones corrected."""
    return of_curation.decides_reports(user)


# --- Contested grades -----------------------------------------------------------------------


def list_contestable(user: User) -> AttemptQuerySet:
    """
    Return the answers whose grades are `user`’s to contest, whether or not they can be now.

    Those are a participant’s own, and for evaluators their organisations’; of models’ all of them
    for an admin.
    """
    found = Q(submission=None, solver__user=user)
    if user.has_role(Role.ADMIN):
        found |= Q(submission__isnull=False)
    elif user.has_role(Role.EVALUATOR):
        theirs = Organisation.objects.of(user)
        found |= Q(submission__isnull=False, solver__organisation__in=theirs)
    return Attempt.objects.filter(found)


def can_contest(user: User, attempt: Attempt) -> bool:
    return list_contestable(user).filter(pk=attempt.pk).exists()


def list_own_contests(user: User) -> ContestQuerySet:
    """Return the contests whose outcome is for `user` to be told, or to be taken back by them."""
    found = Q(attempt__submission=None, attempt__solver__user=user)
    if _judges(user):
        theirs = Organisation.objects.of(user)
        found |= Q(attempt__submission__isnull=False, attempt__solver__organisation__in=theirs)
    if user.has_role(Role.ADMIN):
        found |= Q(contested_by=user)
    return Contest.objects.filter(found)


def list_contests(user: User) -> ContestQuerySet:
    """Return the contests that `user` may see with their solvers: for admins all ruled ones too."""
    own = list_own_contests(user)
    if not user.has_role(Role.ADMIN):
        return own
    # Who may still rule on one is not to learn whose it is.
    return Contest.objects.filter(Q(pk__in=own.values("pk")) | Q(ruled_at__isnull=False))


def list_contests_on(user: User, attempt: Attempt) -> ContestQuerySet:
    """Return the contests of an answer that its page shows to `user`, who may see that."""
    found = Contest.objects.filter(attempt=attempt, taken_back_at=None)
    return found.exclude(pk__in=list_rulable_contests(user).open().values("pk"))


def list_rulable_contests(user: User) -> ContestQuerySet:
    """
    Return the contests that `user` may rule on, or may have ruled on.

    As `list_rulable`, and an admin too has no part in the answer: whoever answered, handed it in,
    contested it, or was of its organisation since it was handed in, has one. Who could not tell
    leaves it to another person.
    """
    found = Contest.objects.filter(taken_back_at=None)
    if not user.has_role(Role.ADMIN):
        if not user.has_role(Role.EVALUATOR):
            return found.none()
        found = found.filter(attempt__revision__problem__in=Problem.objects.of(user))
    of_organisation = Membership.objects.filter(
        Q(organisation=OuterRef("attempt__solver__organisation"))
        | Q(organisation__merged_into=OuterRef("attempt__solver__organisation")),
        Q(left_at=None) | Q(left_at__gte=OuterRef("attempt__created_at")),
        person=user,
        joined_at__isnull=False,
    )
    of_same = Contest.objects.filter(attempt=OuterRef("attempt"))
    gave_up = of_same.filter(ruled_by=user, fault=Contest.Fault.CANT_TELL)
    return (
        found.exclude(Exists(of_same.filter(contested_by=user)))
        .exclude(attempt__solver__user=user)
        .exclude(attempt__submission__uploaded_by=user)
        .exclude(Exists(of_organisation))
        .exclude(Exists(gave_up.exclude(pk=OuterRef("pk"))))
    )


def rules_contests(user: User) -> bool:
    """Whether there may be contests for `user` to rule on."""
    return _judges(user)


def can_rule_contest(user: User, contest: Contest) -> bool:
    return list_rulable_contests(user).filter(pk=contest.pk).exists()


def is_refused_by_name(user: User) -> bool:
    """Whether `user` is told why they must not rule; to others there is no such contest."""
    return user.has_role(Role.ADMIN)


def list_free_admins(contest: Contest, admin: User) -> list[User]:
    """Return the other admins who may rule on a contest; the demo’s people keep to themselves."""
    admins = of_curation.list_admins().filter(is_demo=admin.is_demo).exclude(pk=admin.pk)
    named = admins.order_by("display_name", "pk")
    return [one for one in named if can_rule_contest(one, contest)]


# --- Audit samples --------------------------------------------------------------------------


def draws_audits(user: User) -> bool:
    """Whether `user` draws samples, ends them, asks people to label and reads what came of it."""
    return user.has_role(Role.ADMIN)


def list_labellers() -> UserQuerySet:
    """Return those whom an admin may ask to label: they see keys in reviews, or hand in answers."""
    may_label = Q(roles__overlap=[Role.REVIEWER, Role.EVALUATOR])
    asked = User.objects.get_queryset().filter(may_label, is_active=True)
    return asked.exclude(roles__contains=[Role.ADMIN])


def list_audit_admins() -> UserQuerySet:
    """Return those who may label without being asked."""
    return User.objects.get_queryset().with_role(Role.ADMIN)


def list_audits(user: User) -> AuditSampleQuerySet:
    """Return the samples that `user` may label; all of them for an admin."""
    found = AuditSample.objects.select_related("version__benchmark", "drawn_by")
    if draws_audits(user):
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


def find_barred(people: Iterable[User], sample: AuditSample) -> dict[int, set[int]]:
    """
    Return by person the answers of a sample that they may not label.

    No one labels what they answered or handed in themselves, nor what an organisation handed in
    that they are or ever were of; an admin neither. Hidden answers are for admins alone.
    """
    people = list(people)
    ever = find_ever_of(people)
    barred: dict[int, set[int]] = {one.pk: set() for one in people}
    for pk, hidden, *owners, organisation in sample.items.order_by().values_list(
        "pk",
        "hidden_answer",
        "attempt__solver__user",
        "attempt__submission__uploaded_by",
        "hidden_answer__batch__submission__uploaded_by",
        Coalesce(
            "attempt__solver__organisation",
            "hidden_answer__batch__submission__solver__organisation",
        ),
    ):
        for one in people:
            is_theirs = one.pk in owners or organisation in ever[one.pk]
            if is_theirs or (hidden is not None and not draws_audits(one)):
                barred[one.pk].add(pk)
    return barred


# --- Trials ---------------------------------------------------------------------------------


def list_tried(user: User) -> ProblemQuerySet:
    """Return the problems whose trials `user` may see: their own; all of them for an admin."""
    return of_curation.list_in_charge(user)


def may_try(user: User, problem: Problem) -> bool:
    """Whether `user` may send this problem to models: who may open it in the editor."""
    return user.has_role(Role.CONTRIBUTOR) and of_curation.can_edit(user, problem)


def keeps_endpoints(user: User) -> bool:
    """Whether `user` looks after endpoints, and so reads what a provider says of itself."""
    return user.has_role(Role.ADMIN)
