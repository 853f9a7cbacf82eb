import io
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import call_command

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.models import Contribution, Credit
from curation.problems.translations.models import Translation
from curation.reviewing.rounds.models import Review
from grading.answers.models import Attempt, Grade, Solver
from grading.answers.submissions.models import Submission
from grading.demo import benchmark as demo
from grading.demo import people as demo_people
from phybench.people.models import Role, User
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

PROBLEM = r"""
[[problem]]
key = "{stage}-{number}"
title = "A {stage} ball {number}"
difficulty = "HIGH_SCHOOL"
stage = "{stage}"
statement = "A ball of mass $m$ falls from the height $h$. How fast is it at the ground?"
answer = '\sqrt{{2 g h}}'
solution = "Energy is kept."
"""
ANSWERS = r"""
[problem.answers]
strong = 'So $$\boxed{v = \sqrt{2 h g}}$$'
middle = '\boxed{\sqrt{g h}}'
people = ['sqrt(2*g*h)', '2gh']
"""

FIRST_REVISION = """
[problem.first_revision]
statement = "A ball of mass $m$ falls from the height $h$. How fast is it?"
comment = "How fast is it when?"
reason = "Says when."
"""
SAID_OF_THE_ANSWER = r"""
quantity = "v"
unit = "m/s"
symbols = [{latex = "h", meaning = "height", unit = "m"}]
must_accept = ['\sqrt{2hg}']
must_reject = ['\sqrt{gh}']
"""

CHINESE = """
[problem.chinese]
statement = "质量为 $m$ 的小球从高度 $h$ 下落。它落地时的速率是多少？"
solution = "能量守恒。"
"""


def write_problems(folder: Path) -> Path:
    """Write few problems: one of each stage, two in review."""
    stages = ["accepted", "in_review", "in_review", "draft"]
    problems = [PROBLEM.format(stage=stage, number=n) for n, stage in enumerate(stages)]
    problems[0] += ANSWERS
    (folder / "mechanics.toml").write_text("".join(problems))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_problems(tmp_path)


@pytest.fixture
@remembered
def small(db: None) -> bool:
    """The demo of few problems; whether anything was made."""
    with TemporaryDirectory() as folder:
        return demo.make("secret", write_problems(Path(folder)))


@pytest.fixture
def own_var(settings, tmp_path, monkeypatch) -> None:
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.delenv("DEMO_PASSWORD", raising=False)


def run() -> str:
    written = io.StringIO()
    call_command("seed_demo", stdout=written)
    return written.getvalue()


def test_some_are_named_beside_the_author_and_one_wants_no_name(small):
    assert set(Credit.objects.values_list("role", flat=True)) == {"CO_AUTHOR", "SUPPLIER"}
    assert set(Contribution.objects.values_list("kind", flat=True)) == {"AUTHORED", "REVIEWED"}
    assert User.objects.filter(is_named=False).count() == 1


def test_problems_stand_in_every_status_that_they_ask_for(small):
    statuses = Problem.objects.order_by("pk").values_list("status", flat=True)
    assert list(statuses) == ["ACCEPTED", "IN_REVIEW", "RETURNED", "DRAFT"]
    assert set(Problem.objects.values_list("domain", flat=True)) == {"MECHANICS"}
    assert Problem.objects.values("author").distinct().count() == 2
    returned = Review.objects.get(round__revision__problem__status="RETURNED")
    assert returned.comment


def test_what_is_said_of_an_answer_stands_beside_it(folder):
    (folder / "mechanics.toml").write_text(
        PROBLEM.format(stage="draft", number=1) + SAID_OF_THE_ANSWER
    )
    demo.make("secret", folder)
    revision = Problem.objects.get().revisions.get()
    assert revision.quantity == "v"
    assert [(row.latex, row.meaning, row.unit) for row in revision.symbol_rows] == [
        ("h", "height", "m")
    ]
    assert revision.must_accept == [r"\sqrt{2hg}"]
    assert revision.must_reject == [r"\sqrt{gh}"]


def test_a_first_revision_comes_back_and_the_second_says_why_it_was_written(folder, settings):
    settings.REVIEWS_PER_ROUND = 2
    file = folder / "mechanics.toml"
    file.write_text(PROBLEM.format(stage="accepted", number=1) + ANSWERS + FIRST_REVISION)
    demo.make("secret", folder)
    problem = Problem.objects.accepted().get()
    first, second = problem.revisions.order_by("number")
    assert first.statement.endswith("How fast is it?")
    assert second.statement.endswith("How fast is it at the ground?")
    assert (first.reason, second.reason) == ("", "Says when.")
    reviews = Review.objects.order_by("pk").values_list("round__revision__number", "recommendation")
    assert list(reviews) == [(1, "REVISE"), (1, "REVISE"), (2, "ACCEPT"), (2, "ACCEPT")]
    assert {attempt.revision for attempt in Attempt.objects.all()} == {second}
    assert "REVISED" in Contribution.objects.values_list("kind", flat=True)


def test_a_translation_comes_with_it_checked(folder):
    chinese = PROBLEM.format(stage="accepted", number=1) + CHINESE + ANSWERS
    (folder / "mechanics.toml").write_text(chinese)
    demo.make("secret", folder)
    translation = Translation.objects.checked().get()
    assert translation.language == "zh"
    assert "TRANSLATED" in Contribution.objects.values_list("kind", flat=True)


def test_a_round_that_needs_more_reviewers_gets_them(folder, settings):
    settings.REVIEWS_PER_ROUND = 3
    demo.make("secret", folder)
    assert Problem.objects.accepted().count() == 1
    # And one who has seen no answer, and one who solves blind.
    assert User.objects.filter(roles=[Role.REVIEWER]).count() == 5


def test_its_grades_come_from_grading(small):
    for attempt in Attempt.objects.all():
        assert attempt.status == Attempt.Status.QUEUED
        grade_attempt(attempt.pk)
    graded = [
        (one.attempt.solver.name, one.attempt.sample, one.verdict)
        for one in Grade.objects.order_by("pk")
    ]
    assert graded[:-1] == [
        ("Demo solver, strong (synthetic)", 1, "CORRECT"),
        ("Demo solver, good (synthetic)", 1, "CORRECT"),
        ("Demo solver, middle (synthetic)", 1, "PARTIAL"),
        ("Demo solver, four samples (synthetic)", 1, "CORRECT"),
        ("Demo solver, four samples (synthetic)", 2, "PARTIAL"),
        # A weak model would have left it out.
        ("Demo solver, four samples (synthetic)", 3, "PARTIAL"),
        ("Demo solver, four samples (synthetic)", 4, "PARTIAL"),
        ("Demo solver, small (synthetic)", 1, "PARTIAL"),
        ("Demo participant", 1, "CORRECT"),
    ]
    assert graded[-1][0] == "Demo participant 2"
    assert graded[-1][2] != "CORRECT"


def test_everything_that_it_makes_says_that_it_is_a_demo(small):
    assert all(Benchmark.objects.values_list("is_demo", flat=True))
    assert all(Solver.objects.values_list("is_demo", flat=True))
    for name in [
        *User.objects.values_list("display_name", flat=True),
        *Solver.objects.values_list("name", flat=True),
        *Benchmark.objects.values_list("name", flat=True),
    ]:
        assert name.startswith("Demo")
    assert all(user.email.endswith("@demo.example") for user in User.objects.all())


def test_there_is_a_person_for_each_role(small):
    for role in Role:
        person = User.objects.get(email=f"{role.lower()}@demo.example")
        assert person.roles == [role]
        assert person.check_password("secret")


def test_a_second_time_changes_nothing(small, folder):
    assert small is True
    models = (Benchmark, User, Problem, Review, Solver, Submission, Attempt)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    assert demo.make("another", folder) is False
    assert [list(model.objects.order_by("pk").values()) for model in models] == before


def test_what_fails_in_the_middle_leaves_nothing(folder):
    (folder / "optics.toml").write_text(
        PROBLEM.format(stage="accepted", number=9).replace(r"'\sqrt", r"'v^2 = \sqrt")
    )
    with pytest.raises(Exception, match="equation"):
        demo.make("secret", folder)
    assert not User.objects.exists()
    assert not Benchmark.objects.exists()


# --- Logins ---------------------------------------------------------------------------------


@pytest.fixture
def small_demo(folder, own_var, monkeypatch) -> None:
    monkeypatch.setattr(demo.make.__wrapped__, "__defaults__", (folder,))


def test_the_logins_are_printed_each_time_with_a_password_of_this_installation(small_demo):
    printed = run()
    password = demo_people.password_file().read_text().strip()
    assert f"Their password: {password}" in printed
    assert "admin@demo.example" in printed
    assert stat.S_IMODE(demo_people.password_file().stat().st_mode) == 0o600
    assert User.objects.get(email="admin@demo.example").check_password(password)
    assert run() == printed


def test_each_installation_has_another_password(own_var):
    assert demo_people.choose_password() != demo_people.choose_password()


def test_a_given_password_is_used(small_demo, monkeypatch):
    monkeypatch.setenv("DEMO_PASSWORD", "as given")
    assert "Their password: as given" in run()


def test_a_password_that_no_longer_holds_is_not_printed(small_demo):
    run()
    admin = User.objects.get(email="admin@demo.example")
    admin.set_password("changed since")
    admin.save()
    printed = run()
    assert "Their password was set elsewhere" in printed
    assert demo_people.password_file().read_text().strip() not in printed


def test_real_people_get_no_demo_beside_them(admin, own_var):
    assert run() == "No demo created: people or benchmarks exist already.\n"
    assert User.objects.get() == admin


def test_real_problems_get_no_demo_beside_them(benchmark, own_var):
    assert run().startswith("No demo created")
    assert Benchmark.objects.get() == benchmark
