"""A participant's sittings: the one going on, those not started, and studies that they may join."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from grading.studies.models import Study
from grading.studies.permissions import list_own_participations
from grading.studies.sessions.permissions import list_studies_to_join
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.PARTICIPANT)
def list_sittings(user: User) -> Iterator[Line]:
    """Tell of the next sitting; with each study the page of studies has all of them."""
    own = list(list_own_participations(user).order_by("pk"))
    joined = {one.study_id for one in own}
    running = set(Study.objects.accessible().filter(pk__in=joined).values_list("pk", flat=True))
    for one in own:
        session = getattr(one, "session", None)
        if session and session.ended_at is None:
            text = _("Your session of the study “%(study)s” is going on: its clock does not stop.")
            yield Line(
                Urgency.NOW,
                text % {"study": one.study.title},
                _("Continue"),
                session.get_absolute_url(),
                since=session.started_at,
            )
        elif session is None and one.study_id in running:
            yield Line(
                Urgency.SOON,
                _say_when(
                    _("You have not started your session of the study “%(study)s” yet."),
                    _("Start your session of the study “%(study)s” by %(day)s."),
                    one.study,
                ),
                _("Go to the session"),
                reverse("grading:join", args=[one.study_id]),
                since=one.consented_at,
            )
    for study in list_studies_to_join(user):
        if study.pk not in joined:
            yield Line(
                Urgency.SOON,
                _say_when(
                    _("You can take part in the study “%(study)s”."),
                    _("You can take part in the study “%(study)s” until %(day)s."),
                    study,
                ),
                _("Read about it"),
                reverse("grading:join", args=[study.pk]),
                since=study.opened_at,
            )


def _say_when(text: str, with_day: str, study: Study) -> str:
    """Say something of a study, with its last day where it has one."""
    if study.closes_at is None:
        return text % {"study": study.title}
    day = date_format(study.closes_at, "MONTH_DAY_FORMAT")
    return with_day % {"study": study.title, "day": day}
