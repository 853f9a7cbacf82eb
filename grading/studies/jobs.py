"""Open a study and invite people to it: a worker writes to each person on the list."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.texts.workflow import NotAllowedNow
from grading.studies import actions
from grading.studies.models import Study
from phybench.news.jobs.actions import begin
from phybench.news.jobs.kinds import Result
from phybench.news.jobs.models import Job
from phybench.people.models import User

OPENING, INVITING = "open_study", "invite_to_study"
MOST_NAMED = 20


def ask_to_open(*, study: Study, by: User) -> Job:
    """Have a worker do what `actions.open_study` does; of two admins who ask, one begins it."""
    title = _("Opening the study “%(study)s”") % {"study": study}
    return begin(OPENING, subject=study.pk, by=by, title=title, back=study.get_absolute_url())


def carry_out_opening(job: Job) -> Result:
    study = _find(job.subject)
    actions.open_study(study=study, by=job.by)
    return Result(_("Open. People can join now."), study.get_absolute_url())


def ask_to_invite(*, study: Study, addresses: Collection[str], by: User) -> Job:
    """Have a worker put these on a study’s list; the same addresses sent twice are one job."""
    return begin(
        INVITING,
        by=by,
        title=_("Inviting people to the study “%(study)s”") % {"study": study},
        back=study.get_absolute_url(),
        study=study.pk,
        addresses=list(addresses),
    )


def carry_out_inviting(job: Job) -> Result:
    study = _find(job.arguments["study"])
    done = actions.invite(study=study, addresses=job.arguments["addresses"], by=job.by)
    text = ngettext(
        "One person is on the list.", "%(count)d people more are on the list.", done.invited
    )
    said = [text % {"count": done.invited}]
    if done.unknown:
        text = _("No participant has this address: %(addresses)s. Ask them to sign up first.")
        said.append(text % {"addresses": ", ".join(done.unknown[:MOST_NAMED])})
    return Result(" ".join(said), study.get_absolute_url())


def _find(pk: int | str) -> Study:
    study = Study.objects.filter(pk=pk).first()
    if study is None:
        raise NotAllowedNow(_("This study was deleted."))
    return study
