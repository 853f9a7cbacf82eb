"""Begin a job, and lead the person who did to its page."""

import hashlib
import json
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from phybench.news.jobs.models import Job
from phybench.news.jobs.permissions import is_own
from phybench.news.jobs.tasks import CARRYING_OUT
from phybench.people.http import MemberRequest
from phybench.people.models import User
from phybench.work.models import Priority
from phybench.work.tasks import wake

KEPT_FOR = timedelta(days=14)


@transaction.atomic
def begin(
    kind: str, *, by: User, title: str, back: str, subject: object = None, **arguments: Any
) -> Job:
    """
    Have a worker do something; return the job that is open already where somebody was quicker.

    Args:
        kind: a name that a room's `tasks.py` registers.
        title: what is done, as a heading.
        back: the address of the page on which it was begun.
        subject: what it is done to; without one, what it is asked for tells it from others.
        arguments: what is asked for, as JSON has it.
    """
    if subject is None:
        subject = hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()
    Job.objects.filter(by=by, ended_at__lt=timezone.now() - KEPT_FOR).delete()
    job, is_new = Job.objects.get_or_create(
        kind=kind,
        subject=str(subject),
        ended_at=None,
        defaults={
            "by": by,
            "title": title[:300],
            "leads_to": back,
            "arguments": arguments,
            "language": translation.get_language() or settings.LANGUAGE_CODE,
            "priority": Priority.SOON,
        },
    )
    if is_new:
        wake(CARRYING_OUT, [job])
    return job


def lead_to(request: MemberRequest, job: Job) -> HttpResponse:
    """Lead somebody to the page of a job, or back where another person has begun it."""
    if is_own(request.user, job):
        return go_to(request, job)
    messages.info(
        request,
        _("%(name)s began this a moment ago. Reload this page to see the result.")
        % {"name": job.by},
    )
    return go_to(request, job.leads_to)


def go_to(request: MemberRequest, to: Any) -> HttpResponse:
    """Lead to another page, also where htmx sent the form."""
    there = redirect(to)
    return HttpResponseClientRedirect(there.url) if request.htmx else there
