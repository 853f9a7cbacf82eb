"""Where an admin keeps scores that were reported elsewhere."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from phybench.news.desks.lines import Link
from phybench.news.desks.registry import desk_links
from phybench.people.models import Role, User


@desk_links(Role.ADMIN)
def list_places(user: User) -> Iterator[Link]:
    yield Link(_("Scores reported elsewhere"), reverse("grading:reported"))
