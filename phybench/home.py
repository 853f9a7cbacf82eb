"""What home tells each role: what waits, what to do first, how they are doing."""

from dataclasses import dataclass, replace

from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import permissions
from curation.errors.models import ErrorReport
from curation.members.models import RoleRequest
from curation.problems.models import Problem
from curation.problems.wording import name_in
from curation.reviewing.assignments import reminders
from curation.reviewing.assignments.models import Assignment
from curation.reviewing.rounds.models import Review
from curation.translations import actions as translating
from curation.workflow import Status
from grading import permissions as of_grading
from grading.answers.models import Attempt
from grading.audits.progress import find_own as find_own_audit
from grading.drafts.models import Draft
from grading.first_errors.progress import find_own as find_own_first_errors
from grading.keys.models import KeyCheck
from grading.regrades.today import count_waiting
from grading.runs.models import GradingRun
from grading.solvers.models import Membership, Organisation, OrganisationQuerySet
from grading.submissions.models import Submission
from phybench.models import Role, User

MOST_LINKS = 3
"""Problems to translate, and reviews due, that home names; others come when these are done."""

LABELLING = (Role.REVIEWER, Role.EVALUATOR, Role.ADMIN)
"""Who may be asked to label a sample."""


@dataclass(frozen=True, slots=True)
class Duty:
    """One role's part of home."""

    role: Role
    waits: str
    """What waits for them, in a sentence."""
    action: str
    url: str
    doing: str = ""
    """How they are doing."""
    more: tuple[tuple[str, str], ...] = ()
    """Other places worth a link: label and address."""


def list_duties(user: User) -> list[Duty]:
    """Return a part for each role held, in the order in which a problem passes through them."""
    describe = {
        Role.CONTRIBUTOR: describe_contributor,
        Role.REVIEWER: describe_reviewer,
        Role.PARTICIPANT: describe_participant,
        Role.EVALUATOR: describe_evaluator,
        Role.ADMIN: describe_admin,
    }
    duties = [describe[role](user) for role in Role if user.has_role(role)]
    return add_samples(user, duties)


def add_samples(user: User, duties: list[Duty]) -> list[Duty]:
    """Name the samples that wait for somebody's labels, beside the first role that labels."""
    place = next((at for at, one in enumerate(duties) if one.role in LABELLING), None)
    if place is None or not (links := [*_link_audits(user), *_link_first_errors(user)]):
        return duties
    duties[place] = replace(duties[place], more=(*links, *duties[place].more))
    return duties


def _link_audits(user: User) -> list[tuple[str, str]]:
    """Return a link to each open sample in which there is something left for somebody."""
    links = []
    for sample in of_grading.list_audits(user).open()[:MOST_LINKS]:
        own = find_own_audit(user, sample)
        counts = {"done": own.done, "total": own.total, "count": own.to_adjudicate}
        if own.left:
            label = _("An audit sample waits for your labels: %(done)d of %(total)d")
            links.append((label % counts, reverse("grading:label_audit", args=[sample.pk])))
        elif own.to_adjudicate:
            label = ngettext(
                "One answer of an audit sample waits to be adjudicated",
                "%(count)d answers of an audit sample wait to be adjudicated",
                own.to_adjudicate,
            )
            links.append((label % counts, reverse("grading:adjudicate_audit", args=[sample.pk])))
    return links


def _link_first_errors(user: User) -> list[tuple[str, str]]:
    """Return a link to each open sample of first errors in which something is left for somebody."""
    links = []
    for sample in of_grading.list_first_errors(user).open()[:MOST_LINKS]:
        own = find_own_first_errors(user, sample)
        counts = {"done": own.done, "total": own.total, "count": own.to_adjudicate}
        if own.left:
            label = _("First errors wait for your labels: %(done)d of %(total)d")
            links.append((label % counts, reverse("grading:label_first_error", args=[sample.pk])))
        elif own.to_adjudicate:
            label = ngettext(
                "One first error waits to be adjudicated",
                "%(count)d first errors wait to be adjudicated",
                own.to_adjudicate,
            )
            address = reverse("grading:adjudicate_first_error", args=[sample.pk])
            links.append((label % counts, address))
    return links


def describe_contributor(user: User) -> Duty:
    """Tell of their problems, and what they are to translate."""
    duty = describe_author(user)
    asked = translating.list_to_translate(user)[:MOST_LINKS]
    links = [
        (
            name_in(_("Translate “%(title)s”"), credit.problem),
            reverse("curation:translation", args=[credit.problem_id, credit.language]),
        )
        for credit in asked
    ]
    return replace(duty, more=(*links, *duty.more))


def describe_author(user: User) -> Duty:
    counts = dict.fromkeys(Status, 0)
    stands = Problem.objects.of(user).order_by().values_list("status").annotate(Count("pk"))
    for status, count in stands:
        counts[Status(status)] = count
    listing = reverse("curation:problems") + "?show=mine"
    more = ((_("Your problems"), listing),) if any(counts.values()) else ()
    new = reverse("curation:new")
    doing = _("%(accepted)d accepted, %(in_review)d in review, %(rejected)d rejected.") % {
        "accepted": counts[Status.ACCEPTED],
        "in_review": counts[Status.IN_REVIEW],
        "rejected": counts[Status.REJECTED],
    }
    if not any(counts.values()):
        waits = _(
            "You have not written a problem yet. A problem is a statement and one symbolic answer; "
            "you see how both are read while you type."
        )
        return Duty(Role.CONTRIBUTOR, waits, _("Write your first problem"), new)
    for status, what, action in (
        (Status.RETURNED, _("“%(title)s” came back from review."), _("Revise it")),
        (Status.DRAFT, _("Your draft “%(title)s” is not submitted yet."), _("Go on writing")),
    ):
        if counts[status]:
            problem = Problem.objects.of(user).filter(status=status).earliest("pk")
            if problem.is_in_correction:
                what = _("An error was found in “%(title)s”, and you are to correct it.")
            waits = name_in(what, problem)
            if counts[status] > 1:
                others = ngettext("So does one more.", "So do %(count)d more.", counts[status] - 1)
                waits = format_html("{} {}", waits, others % {"count": counts[status] - 1})
            url = reverse("curation:edit", args=[problem.pk])
            more = ((_("Write a new problem"), new), *more)
            return Duty(Role.CONTRIBUTOR, waits, action, url, doing, more)
    return Duty(
        Role.CONTRIBUTOR,
        _("Nothing of yours needs you now."),
        _("Write a new problem"),
        new,
        doing,
        more,
    )


def _link_repairs(user: User) -> tuple[tuple[str, str], ...]:
    """Return a link to the unreadable answers of studies that somebody may repair."""
    count = of_grading.list_to_repair(user).count()
    label = ngettext(
        "One unreadable answer of a study waits to be repaired",
        "%(count)d unreadable answers of studies wait to be repaired",
        count,
    )
    return ((label % {"count": count}, reverse("grading:repairs")),) if count else ()


def describe_reviewer(user: User) -> Duty:
    rounds = permissions.list_queue(user)
    count = rounds.count()
    given = Review.objects.filter(reviewer=user).newest().count()
    doing = ngettext("You have given one review.", "You have given %(count)d reviews.", given) % {
        "count": given
    }
    queue = reverse("curation:queue")
    first = rounds.first()
    links: tuple[tuple[str, str], ...] = ((_("The queue"), queue),)
    due = reminders.list_due(user, timezone.now())
    if assigned := due.say():
        links = (*links, *_link_due([*due.overdue, *due.soon]), *_link_repairs(user))
        # What is assigned comes first in the queue.
        return Duty(
            Role.REVIEWER,
            assigned,
            _("Review the first") if first else _("Open the review queue"),
            reverse("curation:review", args=[first.pk]) if first else queue,
            doing,
            links,
        )
    if first is None:
        waits = _("No problem waits for your review. New ones appear here once submitted.")
        return Duty(
            Role.REVIEWER, waits, _("Open the review queue"), queue, doing, _link_repairs(user)
        )
    waits = ngettext(
        "One problem waits for your review, for %(time)s.",
        "%(count)d problems wait for your review, the first for %(time)s.",
        count,
    ) % {"count": count, "time": timesince(first.opened_at, depth=1)}
    return Duty(
        Role.REVIEWER,
        waits,
        _("Review the first"),
        reverse("curation:review", args=[first.pk]),
        doing,
        (*links, *_link_repairs(user)),
    )


def _link_due(pressing: list[Assignment]) -> list[tuple[str, str]]:
    """Return a link to each review that is overdue or due soon, as far as home names them."""
    return [
        (
            name_in(
                _("“%(title)s”, due %(day)s"),
                one.round.revision.problem,
                day=date_format(one.due_at, "MONTH_DAY_FORMAT") if one.due_at else "",
            ),
            reverse("curation:review", args=[one.round_id]),
        )
        for one in pressing[:MOST_LINKS]
    ]


def count_assigned(user: User) -> int:
    """Count the reviews that somebody is asked for; every page they open says it."""
    return Assignment.objects.open().filter(reviewer=user).count()


def describe_participant(user: User) -> Duty:
    answered = of_grading.list_own_answers(user)
    problems = permissions.list_to_answer(user)
    open_to_them = problems.exclude(pk__in=answered.values("revision__problem")).count()
    done = answered.count()
    doing = ngettext("You have answered one.", "You have answered %(count)d.", done) % {
        "count": done
    }
    url = reverse("grading:to_answer")
    more = () if user.has_role(Role.EVALUATOR) else link_contests(user)
    if not open_to_them:
        waits = _("There is no problem for you to answer now.")
        return Duty(Role.PARTICIPANT, waits, _("See what you answered"), url, doing, more)
    waits = ngettext(
        "One problem is open for you to answer.",
        "%(count)d problems are open for you to answer.",
        open_to_them,
    ) % {"count": open_to_them}
    action = _("Answer a problem") if done else _("Answer your first problem")
    return Duty(Role.PARTICIPANT, waits, action, url, doing if done else "", more)


def link_contests(user: User) -> tuple[tuple[str, str], ...]:
    """Return links to contested grades that wait for somebody’s ruling, and to rulings unread."""
    waiting = of_grading.list_rulable_contests(user).open().count()
    untold = of_grading.list_own_contests(user).untold().count()
    links = []
    if waiting:
        text = ngettext(
            "One contested grade waits for your ruling",
            "%(count)d contested grades wait for your ruling",
            waiting,
        )
        links.append((text % {"count": waiting}, reverse("grading:contests_to_rule")))
    if untold:
        text = ngettext(
            "One grade that you contested was ruled on",
            "%(count)d grades that you contested were ruled on",
            untold,
        )
        links.append((text % {"count": untold}, reverse("grading:contests") + "?show=ruled"))
    return tuple(links)


def describe_evaluator(user: User) -> Duty:
    """Tell of what their organisations handed in, and of contested grades."""
    duty = describe_handing_in(user)
    # An admin has a part of their own that says it.
    contests = () if user.has_role(Role.ADMIN) else link_contests(user)
    return replace(duty, more=(*contests, *duty.more))


def describe_handing_in(user: User) -> Duty:
    organisations = of_grading.list_hand_in_for(user)
    if not organisations:
        asked = Membership.objects.asked().filter(person=user).select_related("organisation")
        if first := asked.first():
            waits = _("You have asked to join %(organisation)s: its members say yes or no.") % {
                "organisation": first.organisation
            }
            return Duty(Role.EVALUATOR, waits, _("Organisations"), reverse("grading:organisations"))
        waits = _("Make an organisation, or join one, to hand in a model’s answers.")
        return Duty(Role.EVALUATOR, waits, _("Organisations"), reverse("grading:organisations"))
    of_theirs = Submission.objects.filter(solver__organisation__in=organisations, withdrawn_at=None)
    mine = Q(submission__in=of_theirs)
    counts = Attempt.objects.filter(mine).aggregate(
        waiting=Count("pk", filter=Q(status__in=["QUEUED", "GRADING"])),
        failed=Count("pk", filter=Q(status="FAILED")),
        graded=Count("pk", filter=Q(status="GRADED")),
    )
    listing = reverse("grading:submissions")
    asking = _link_asking(organisations)
    upload = reverse("grading:upload")
    if not any(counts.values()):
        waits = _(
            "Hand in a model’s answers as a file: every answer is graded, and each grade says why."
        )
        return Duty(Role.EVALUATOR, waits, _("Hand in answers"), upload, more=asking)
    handed_in = of_theirs.count()
    doing = ngettext(
        "%(graded)d answers graded in one submission.",
        "%(graded)d answers graded in %(count)d submissions.",
        handed_in,
    ) % {"graded": counts["graded"], "count": handed_in}
    drafts = Draft.objects.open().filter(organisation__in=organisations).count()
    if drafts and not counts["waiting"] and not counts["failed"]:
        waits = ngettext(
            "One draft of answers waits to be graded.",
            "%(count)d drafts of answers wait to be graded.",
            drafts,
        ) % {"count": drafts}
        more = (*asking, (_("Your submissions"), listing))
        return Duty(Role.EVALUATOR, waits, _("See your drafts"), upload, doing, more)
    if counts["waiting"]:
        waits = ngettext(
            "One of your answers is being graded.",
            "%(count)d of your answers are being graded.",
            counts["waiting"],
        ) % {"count": counts["waiting"]}
    elif counts["failed"]:
        waits = ngettext(
            "One of your answers could not be graded, for a reason of ours.",
            "%(count)d of your answers could not be graded, for reasons of ours.",
            counts["failed"],
        ) % {"count": counts["failed"]}
    else:
        more = (*asking, (_("Your submissions"), listing))
        waits = _("All your answers are graded.")
        return Duty(Role.EVALUATOR, waits, _("Hand in answers"), upload, doing, more)
    more = (*asking, (_("Hand in answers"), upload))
    return Duty(Role.EVALUATOR, waits, _("See your submissions"), listing, doing, more)


def _link_asking(organisations: OrganisationQuerySet) -> tuple[tuple[str, str], ...]:
    """Return a link to each of somebody’s organisations that others ask to join."""
    asked = Membership.objects.asked().filter(organisation__in=organisations)
    found = Organisation.objects.filter(pk__in=asked.values("organisation"))
    return tuple(
        (
            _("Somebody asks to join %(organisation)s") % {"organisation": one},
            one.get_absolute_url(),
        )
        for one in found[:MOST_LINKS]
    )


def describe_admin(user: User) -> Duty:
    people = User.objects.filter(is_active=True)
    without = people.filter(roles=[]).count()
    in_review = Problem.objects.filter(status=Status.IN_REVIEW).count()
    failed = Attempt.objects.filter(status=Attempt.Status.FAILED).count()
    doing = _(
        "%(people)d people may sign in, %(in_review)d problems are in review, "
        "%(failed)d answers could not be graded."
    ) % {
        "people": people.count(),
        "in_review": in_review,
        "failed": failed,
    }
    listing = reverse("curation:members")
    doubted = KeyCheck.objects.waiting().count()
    keys = ngettext("One key in doubt", "%(count)d keys in doubt", doubted) % {"count": doubted}
    reported = ErrorReport.objects.open().filter(outcome="").count()
    reports = ngettext(
        "One error report to decide", "%(count)d error reports to decide", reported
    ) % {"count": reported}
    waiting = Organisation.objects.standing().filter(confirmed_at=None).count()
    organisations = ngettext(
        "One organisation to confirm", "%(count)d organisations to confirm", waiting
    ) % {"count": waiting}
    contests = link_contests(user) or ((_("Contested grades"), reverse("grading:contests")),)
    more = (
        *contests,
        (
            organisations if waiting else _("Organisations"),
            reverse("grading:organisations") + ("?sort=stands" if waiting else ""),
        ),
        (keys if doubted else _("Keys in doubt"), reverse("grading:keys")),
        (_say_regrades(), reverse("grading:regrades")),
        (reports if reported else _("Error reports"), reverse("curation:reports") + "?stand=new"),
        (_say_requests(), reverse("curation:role_requests")),
        (_("Benchmarks"), reverse("curation:benchmarks")),
        (_("Studies"), reverse("grading:studies")),
        (_("Audit samples"), reverse("grading:audits")),
        (_("Scores reported elsewhere"), reverse("grading:reported")),
        (_("First errors"), reverse("grading:first_errors")),
        (_("Problems in review"), reverse("curation:problems") + "?show=review"),
        (_("Disagreements"), reverse("curation:disagreements")),
        (_("Pipelines"), reverse("curation:pipelines")),
        (_say_assignments(), reverse("curation:assignments")),
    )
    if not without:
        waits = _("Everybody who signed up has a role.")
        return Duty(Role.ADMIN, waits, _("See people and their roles"), listing, doing, more)
    waits = ngettext(
        "One person has no role yet and can do nothing but look.",
        "%(count)d people have no role yet and can do nothing but look.",
        without,
    ) % {"count": without}
    return Duty(Role.ADMIN, waits, _("Give roles"), listing, doing, more)


def _say_requests() -> str:
    """Name the page of what people ask to be, with how many wait."""
    count = RoleRequest.objects.waiting().count()
    label = ngettext("One role request", "%(count)d role requests", count)
    return label % {"count": count} if count else _("Role requests")


def _say_regrades() -> str:
    """Name the page of grading runs, with what no run that counts has taken up."""
    if decided := GradingRun.objects.proposed().count():
        return ngettext(
            "One grading run to decide on", "%(count)d grading runs to decide on", decided
        ) % {"count": decided}
    if waiting := count_waiting():
        return ngettext(
            "One correction to grade anew by", "%(count)d corrections to grade anew by", waiting
        ) % {"count": waiting}
    return _("Grading runs")


def _say_assignments() -> str:
    """Name the page of who reviews what, with what is late on it."""
    late = Assignment.objects.overdue().count()
    if not late:
        return _("Who reviews what")
    return ngettext("One review overdue", "%(count)d reviews overdue", late) % {"count": late}
