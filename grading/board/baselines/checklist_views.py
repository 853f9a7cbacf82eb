"""Download the filled checklist of a study."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from grading.board.baselines.checklist.files import write_json, write_markdown
from grading.board.baselines.checklist.filling import build
from grading.board.baselines.facts import collect_facts
from grading.studies.views import find
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_GET
def checklist_md(request: MemberRequest, pk: int) -> HttpResponse:
    return _answer(pk, "md")


@role_required(Role.ADMIN)
@require_GET
def checklist_json(request: MemberRequest, pk: int) -> HttpResponse:
    return _answer(pk, "json")


def _answer(pk: int, ending: str) -> HttpResponse:
    facts = collect_facts(find(pk))
    write = {"md": write_markdown, "json": write_json}[ending]
    kind = {"md": "text/markdown", "json": "application/json"}[ending]
    made_at = timezone.now().date().isoformat()
    written = write(build(facts), title=facts.title, made_at=made_at)
    response = HttpResponse(written, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="study-{pk}-checklist.{ending}"'
    return response
