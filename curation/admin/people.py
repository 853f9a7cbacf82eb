"""The back office for people, as the project has it, and what a role taken away ends."""

from typing import Any, cast

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import ngettext

from curation.actions import assigning
from phybench.admin import PersonAdmin
from phybench.models import User

# The project itself knows of no reviews.
admin.site.unregister(User)


@admin.register(User)
class ReviewingPersonAdmin(PersonAdmin):
    """Who is no reviewer any more holds no places that others wait for."""

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        count = assigning.release(person=obj, admin=cast("User", request.user))
        if count:
            text = ngettext(
                "%(name)s reviews no more: %(count)d open assignment was taken back, and its place "
                "is free again.",
                "%(name)s reviews no more: %(count)d open assignments were taken back, and their "
                "places are free again.",
                count,
            )
            messages.warning(request, text % {"name": obj, "count": count})
