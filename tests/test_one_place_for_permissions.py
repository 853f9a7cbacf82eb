"""Who may do what is said in `permissions` alone: elsewhere nobody looks at roles or at owners."""

import ast
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from phybench.people.models import User

ROOT = Path(__file__).parents[1]
OF_PEOPLE = {
    "phybench/people/models.py": "says what a role is",
    "phybench/people/accounts.py": "knows whose an address is",
    "phybench/people/http.py": "is the door: a page says for which role it is",
    "phybench/pages/api/door.py": "is the door of programs: an operation says for which role it is",
    "phybench/admin.py": "shows roles, and finds people by them",
    "curation/members/": "gives and takes roles, and writes that down",
    "curation/members/invitations/": "gives the roles that an invitation names",
    "phybench/news/desks/": "tells what each role is told, and asks which somebody holds",
    "phybench/news/templatetags/news.py": "tells admins what comes next",
    "phybench/pages/places.py": "says whom the header leads where",
    "curation/versions/benchmarks/overview.py": "offers what somebody does in a role",
    "phybench/news/mails/": "has kinds of e-mails for each role, and asks which somebody holds",
    "phybench/pages/templatetags/page.py": "lists the pages of each role",
    "curation/problems/people/models.py": "has roles of its own: those of names on a problem",
    "grading/demo/": "makes people, and gives them roles",
}
"""Where roles are looked at beside, each with its reason."""
NO_DECISION = {
    ("curation/reviewing/discussion/actions.py", "last.writer_id == writer.pk"): "sent twice",
    ("curation/reports/actions.py", "last.person_id == person.pk"): "sent twice",
    ("curation/reviewing/agreement/actions.py", "last.by_id == admin.pk"): "sent twice",
    (
        "curation/reviewing/agreement/splits.py",
        "one.by == request.user",
    ): "sent twice",
    ("curation/authoring/translations/actions.py", "before.person_id == person.pk"): "asked twice",
    ("curation/reports/views.py", "person == report.reporter"): "says who somebody is",
    (
        "grading/submissions/solvers/views.py",
        "membership.person == by",
    ): "says whom a message is about",
    (
        "curation/exchange/present.py",
        "problem.author_id == terms.person.pk",
    ): "what was sent before",
    ("grading/judging/calibration/views.py", "one.by == by"): "groups figures, of nobody",
}
"""Comparisons of owners that decide nothing, each with what they tell."""


def list_sources() -> list[str]:
    found = [
        path.relative_to(ROOT).as_posix()
        for app in ("curation", "grading", "phybench")
        for path in sorted((ROOT / app).rglob("*.py"))
    ]
    return [
        path
        for path in found
        if not path.startswith(tuple(OF_PEOPLE))
        and not path.endswith("/permissions.py")
        and "/migrations/" not in path
    ]


def list_owners() -> set[str]:
    """Name every field that refers to a person, as the row has it and by its number."""
    fields = [
        field.name
        for model in apps.get_models()
        if model.__module__.startswith(("curation", "grading"))
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey) and field.related_model is User
    ]
    return {name for field in fields for name in (field, f"{field}_id")}


OWNERS = list_owners()


def looks_at_role(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in {"has_role", "with_role", "roles"}
    return isinstance(node, ast.Name) and node.id == "Role"


def compares_owner(node: ast.AST) -> bool:
    """Whether somebody is compared with the owner of a row."""
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    return (
        any(isinstance(one, ast.Attribute) and one.attr in OWNERS for one in sides)
        and not any(isinstance(one, ast.Constant) for one in sides)
        and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot)
    )


def chooses_own(node: ast.AST) -> bool:
    """Whether rows of a whole table are chosen by whose they are."""
    return (
        isinstance(node, ast.Call)
        and any(
            (one.arg or "").split("__")[-1] in OWNERS
            and ast.unparse(one.value) in {"request.user", "user", "viewer"}
            for one in node.keywords
        )
        and (".objects." in ast.unparse(node.func) or "get_object_or_404" in ast.unparse(node.func))
        and not ast.unparse(node.func).endswith((".create", ".update"))
    )


DOORS = {"MailKind", "role_required", "desk_lines", "desk_links", "desk_sentences", "desk_progress"}


def list_doors(tree: ast.AST) -> set[ast.AST]:
    """List all that is said of whose page, desk or e-mails something is."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DOORS
        for inner in ast.walk(node)
    }


def find_decisions(source: str) -> list[str]:
    """List what looks at roles or owners, but for the doors of pages."""
    tree = ast.parse(source)
    doors = list_doors(tree)
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if node not in doors and (looks_at_role(node) or compares_owner(node) or chooses_own(node))
    ]


def test_nobody_else_looks_at_roles_or_owners():
    found = [
        (path, decision)
        for path in list_sources()
        for decision in find_decisions((ROOT / path).read_text())
    ]
    assert [one for one in found if one not in NO_DECISION] == []


def test_what_is_left_out_is_still_there():
    for path in OF_PEOPLE:
        assert (ROOT / path).exists(), path
    for path, comparison in NO_DECISION:
        assert comparison in find_decisions((ROOT / path).read_text()), (path, comparison)


@pytest.mark.parametrize(
    "source",
    [
        "if user.has_role(Role.ADMIN): ...",
        "if Role.ADMIN in person.roles: ...",
        "people = User.objects.get_queryset().with_role(Role.REVIEWER)",
        "is_own = transfer.owner_id == request.user.pk",
        "if problem.author != user: ...",
        "found = Import.objects.filter(owner=request.user)",
        "get_object_or_404(Problem, pk=pk, author=request.user)",
        "found = Attempt.objects.filter(Q(x=1), submission__uploaded_by=user)",
    ],
)
def test_a_decision_is_found(source):
    assert find_decisions(source)


@pytest.mark.parametrize(
    "source",
    [
        "@role_required(Role.ADMIN)\ndef page(request): ...",
        "credit.role == Credit.Role.TRANSLATOR",
        "own = review_round.drafts.filter(reviewer=request.user)",
        "Review.objects.create(reviewer=user)",
    ],
)
def test_a_door_and_a_look_at_what_is_ones_own_are_none(source):
    assert not find_decisions(source)
