"""What somebody is to translate."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.authoring.translations.actions import list_to_translate
from curation.problems.wording import name_in
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.CONTRIBUTOR)
def list_translations(user: User) -> Iterator[Line]:
    if asked := list_to_translate(user):
        first, count = asked[0], len(asked)
        text = ngettext(
            "%(count)d problem to translate.", "%(count)d problems to translate.", count
        )
        said = text % {"count": count}
        if count == 1:
            said = name_in(_("Translate “%(title)s”."), first.problem)
        action = _("Translate it") if count == 1 else _("Translate the first")
        address = reverse("curation:translation", args=[first.problem_id, first.language])
        yield Line(Urgency.SOON, said, action, address, count, first.given_at)
