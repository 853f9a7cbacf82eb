"""Translations: who makes and checks them, and that nothing is lost."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.credits import actions as crediting
from curation.problems.models import Problem, Revision
from curation.problems.people.models import Contribution, Credit
from curation.problems.permissions import had_part
from curation.problems.translations.models import Translation
from curation.reviewing.rounds.lifecycle import submit_review
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.certificates import give_certificate
from tests.conftest import STATEMENT, make_person, submit
from tests.curation.translations.texts import CHINESE, SOLUTION, address, assign, check, translate

pytestmark = pytest.mark.django_db


# --- Who ------------------------------------------------------------------------------------


def test_its_author_or_an_admin_assigns_one_translator_and_may_choose_another(
    assigned, contributor, admin, translator
):
    second = make_person(Role.CONTRIBUTOR, "second")
    assign(assigned, admin, second)
    current = assigned.credits.of_translators()
    assert [(one.person, one.language) for one in current] == [(second, "zh")]
    # The first has read it all the same.
    assert had_part(translator, Problem.objects.get(pk=assigned.pk))


@pytest.mark.parametrize("who", ["the translator", "a stranger", "a co-author"])
def test_nobody_else_assigns_one(draft, contributor, translator, who):
    crediting.give_credit(
        problem=draft,
        author=contributor,
        person=make_person(Role.CONTRIBUTOR, "co-author"),
        role="CO_AUTHOR",
    )
    assign(draft, contributor, translator)
    people = {"the translator": translator, "a stranger": make_person(Role.CONTRIBUTOR, "x")}
    by = people.get(who) or User.objects.get(display_name="Co-author")
    with pytest.raises(NotAllowedNow):
        assign(draft, by, by)


@pytest.mark.parametrize("who", ["not a contributor", "from the demo"])
def test_nobody_is_asked_who_can_not_translate_it(draft, contributor, who):
    person = make_person(
        Role.REVIEWER if who == "not a contributor" else Role.CONTRIBUTOR, "person"
    )
    person.is_demo = who == "from the demo"
    person.save()
    with pytest.raises(NotAllowedNow):
        assign(draft, contributor, person)


def test_it_is_not_translated_into_its_own_language(draft, contributor, translator):
    with pytest.raises(NotAllowedNow):
        assign(draft, contributor, translator, "en")


@pytest.mark.parametrize("who", ["the author", "a stranger", "who was taken off"])
def test_only_the_translator_writes(assigned, contributor, translator, who):
    if who == "who was taken off":
        crediting.remove_credit(credit=Credit.objects.get(), by=contributor)
    people = {"the author": contributor, "who was taken off": translator}
    with pytest.raises(NotAllowedNow):
        translate(assigned, people.get(who) or make_person(Role.CONTRIBUTOR, "stranger"))
    assert not Translation.objects.exists()


def test_what_is_not_submitted_is_not_shown_to_its_translator(
    client, draft, contributor, translator
):
    assign(draft, contributor, translator)
    client.force_login(translator)
    for path in (draft.get_absolute_url(), address(draft)):
        assert client.get(path).status_code == 404
    with pytest.raises(NotAllowedNow):
        translate(draft, translator)
    submit(draft, contributor)
    assert STATEMENT.split("$")[0] in client.get(address(draft)).content.decode()


def test_a_translator_reads_no_reviews(client, assigned, reviewer, translator, contributor):
    translator.roles = [Role.CONTRIBUTOR, Role.REVIEWER]
    translator.save()
    review_round = assigned.revisions.get().rounds.get()
    submit_review(
        review_round=review_round, reviewer=reviewer, recommendation="REVISE", comment="Unclear."
    )
    client.force_login(translator)
    page = client.get(assigned.get_absolute_url()).content.decode()
    assert "m g h" in page
    assert "Unclear." not in page


# --- Saving ---------------------------------------------------------------------------------


def test_the_older_of_two_savings_is_refused_and_both_texts_are_shown(client, assigned, translator):
    client.force_login(translator)
    first = {"statement": "第一", "solution": "甲", "saved_at": ""}
    client.post(address(assigned), first)
    second = client.post(address(assigned), {**first, "statement": "第二"})
    page = second.content.decode()
    assert "第一" in page
    assert "第二" in page
    assert Translation.objects.get().statement == "第一"
    # What is shown has been read: saving again replaces it.
    shown = second.context["form"]["saved_at"].value()
    client.post(address(assigned), {**first, "statement": "第二", "saved_at": shown})
    assert Translation.objects.get().statement == "第二"


def test_what_is_typed_is_saved_and_the_older_window_is_told(client, assigned, translator):
    client.force_login(translator)
    autosave = address(assigned, "?part=save")
    data = {"statement": "第一", "solution": "", "saved_at": ""}
    assert "data-saved" in client.post(autosave, data).content.decode()
    refused = client.post(autosave, {**data, "statement": "第二"}).content.decode()
    assert "data-saved" not in refused
    assert "changed elsewhere" in refused
    assert Translation.objects.get().statement == "第一"


def test_what_is_typed_into_a_checked_one_is_shown_beside_it(
    client, assigned, contributor, translator
):
    check(assigned, contributor, translate(assigned, translator))
    client.force_login(translator)
    data = {"statement": "刚刚写的", "solution": "", "saved_at": ""}
    page = client.post(address(assigned), data).content.decode()
    assert "Your text is not saved" in page
    assert "刚刚写的" in page
    assert "下落过程中它失去多少能量" in page


def test_the_same_form_sent_twice_is_saved_once(assigned, translator):
    assert translate(assigned, translator) == translate(assigned, translator)


@pytest.mark.parametrize("text", ["\x00", "<script>alert(1)</script>", "$" * 20_000, "x" * 30_000])
def test_the_preview_answers_whatever_is_typed(client, assigned, translator, text):
    client.force_login(translator)
    data = {"statement": text, "solution": text}
    page = client.post(address(assigned, "?part=preview"), data)
    assert page.status_code == 200
    assert "<script>" not in page.content.decode()


# --- Checking -------------------------------------------------------------------------------


def test_checked_it_is_frozen_and_its_translator_credited(assigned, contributor, translator):
    translation = check(assigned, contributor, translate(assigned, translator))
    contribution = Contribution.objects.get(kind="TRANSLATED")
    assert (contribution.person, contribution.revision, contribution.note) == (
        translator,
        assigned.revisions.get(),
        "zh",
    )
    with pytest.raises(NotAllowedNow):
        translate(assigned, translator, translation.saved_at.isoformat(), statement="别的")
    for change in (lambda: translation.save(), lambda: translation.delete()):
        with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
            change()
    with pytest.raises(NotAllowedNow):
        check(assigned, contributor, translation)
    assert Contribution.objects.filter(kind="TRANSLATED").count() == 1


def test_nobody_checks_what_they_translated_themselves(draft, contributor, admin):
    submit(draft, contributor)
    assign(draft, contributor, contributor)
    translation = translate(draft, contributor)
    with pytest.raises(NotAllowedNow):
        check(draft, contributor, translation)
    # Nor when somebody else is the translator by now.
    assign(draft, contributor, make_person(Role.CONTRIBUTOR, "next"))
    with pytest.raises(NotAllowedNow):
        check(draft, contributor, translation)
    assert check(draft, admin, translation).checked_by == admin


def test_whose_translation_it_is_to_make_does_not_check_what_another_began(
    draft, contributor, translator, admin
):
    submit(draft, contributor)
    assign(draft, contributor, translator)
    translation = translate(draft, translator)
    # The author takes it over, and has not written a word of it.
    assign(draft, contributor, contributor)
    assert not translation.translators.filter(pk=contributor.pk).exists()
    with pytest.raises(NotAllowedNow):
        check(draft, contributor, translation)
    assert check(draft, admin, translation).checked_by == admin


@pytest.mark.parametrize("who", ["the translator", "a stranger", "a reviewer"])
def test_who_does_not_answer_for_the_problem_does_not_check_it(assigned, translator, reviewer, who):
    translation = translate(assigned, translator)
    people = {"the translator": translator, "a reviewer": reviewer}
    with pytest.raises(NotAllowedNow):
        check(assigned, people.get(who) or make_person(Role.CONTRIBUTOR, "x"), translation)


BAD = {
    "a formula is missing": {"statement": "小球在高度 $h$ 处。"},
    "a formula is new": {"statement": CHINESE + " $g$"},
    "nothing is translated": {"statement": STATEMENT},
    "no solution": {"solution": ""},
    "a figure": {"statement": CHINESE + "如图所示。"},
    "LaTeX outside of a formula": {"statement": CHINESE + r"\textbf{注}"},
    "HTML": {"statement": CHINESE + "<b>x</b>"},
    "nothing at all": {"statement": "", "solution": ""},
}


@pytest.mark.parametrize("texts", BAD.values(), ids=BAD)
def test_what_is_not_the_same_problem_is_not_checked(
    client, assigned, contributor, translator, texts
):
    translation = translate(assigned, translator, **texts)
    with pytest.raises(NotAllowedNow):
        check(assigned, contributor, translation)
    client.force_login(contributor)
    assert not client.get(address(assigned)).context["is_kept"]


def test_what_was_changed_since_it_was_read_is_not_checked(assigned, contributor, translator):
    read = translate(assigned, translator)
    translate(assigned, translator, read.saved_at.isoformat(), solution="能量为 $m g h$。")
    with pytest.raises(NotAllowedNow, match="in the meantime"):
        check(assigned, contributor, read)


def test_the_database_holds_what_a_checked_translation_is(assigned, contributor, translator):
    translation = translate(assigned, translator)
    for fields in ({"checked_at": translation.saved_at}, {"checked_by": contributor}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Translation.objects.update(**fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        Translation.objects.create(revision=translation.revision, language="zh")
    with pytest.raises(IntegrityError), transaction.atomic():
        Translation.objects.create(revision=translation.revision, language="xx")
    with pytest.raises(IntegrityError), transaction.atomic():
        assigned.credits.create(
            person=contributor, role="TRANSLATOR", language="zh", given_by=contributor
        )


# --- The next revision ----------------------------------------------------------------------


def revise(problem: Problem, author: User, **texts: str) -> Revision:
    if problem.status == "IN_REVIEW":
        actions.withdraw(problem=problem, author=author)
    actions.save_draft(problem=problem, author=author, saved_at="", reason="Clearer.", **texts)
    give_certificate(problem)
    submit(problem, author)
    problem.refresh_from_db()
    return problem.revisions.latest("number")


def test_a_new_revision_takes_the_translation_over_as_a_draft(
    client, assigned, contributor, translator
):
    first = check(assigned, contributor, translate(assigned, translator))
    assigned.refresh_from_db()
    second = revise(
        assigned, contributor, statement=STATEMENT + " On the Earth."
    ).translations.get()
    assert (second.statement, second.made_for) == (CHINESE, first.revision)
    assert not second.is_checked
    assert list(first.revision.translations.checked()) == [first]
    client.force_login(translator)
    page = client.get(address(assigned)).content.decode()
    assert "This text was written for revision 1." in page
    changes = reverse("curation:compare", args=[assigned.pk]) + "?from=1&amp;to=2"
    assert changes in page
    assert client.get(changes.replace("&amp;", "&")).status_code == 200
    # Never checked, it still says for which one it was made.
    third = revise(assigned, contributor, statement=STATEMENT + " On the Moon.").translations.get()
    assert third.made_for == first.revision


def test_who_changed_nothing_since_is_not_credited_again(assigned, contributor, translator):
    check(assigned, contributor, translate(assigned, translator))
    assigned.refresh_from_db()
    second = revise(assigned, contributor).translations.get()
    check(assigned, contributor, second)
    assert Contribution.objects.filter(kind="TRANSLATED").count() == 1


def test_a_text_typed_for_the_revision_before_is_refused_not_lost(
    client, assigned, contributor, translator
):
    saved_at = translate(assigned, translator).saved_at.isoformat()
    assigned.refresh_from_db()
    revise(assigned, contributor)
    client.force_login(translator)
    data = {"statement": "刚刚写的", "solution": SOLUTION, "saved_at": saved_at}
    page = client.post(address(assigned), data).content.decode()
    assert "刚刚写的" in page
    assert not Translation.objects.filter(statement="刚刚写的").exists()


def test_the_language_of_a_problem_is_not_one_it_is_translated_into(
    client, assigned, contributor, translator, benchmark
):
    translate(assigned, translator)
    actions.withdraw(problem=assigned, author=contributor)
    client.force_login(contributor)
    data = {
        **{"title": "A", "domain": "MECHANICS", "difficulty": "OLYMPIAD"},
        **{"benchmark": benchmark.pk, "problem": assigned.pk, "language": "zh"},
    }
    page = client.post(reverse("curation:new", args=["test"]) + "?part=save", data).content.decode()
    assert "see Language" in page
    assigned.refresh_from_db()
    assert assigned.language == "en"
