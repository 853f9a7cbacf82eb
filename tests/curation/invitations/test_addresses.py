"""What was pasted gives addresses, and says of each line that it did not take why."""

import time

import pytest

from curation.members.invitations.addresses import MOST, MOST_REFUSED, read_addresses


def read(text: str) -> list[tuple[str, str]]:
    return [(one.email, one.name) for one in read_addresses(text).entries]


def refused(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.why) for one in read_addresses(text).refused]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ann@a.org", [("ann@a.org", "")]),
        ("Ann Lee <ann@a.org>", [("ann@a.org", "Ann Lee")]),
        ('"Lee, Ann" <ann@a.org>', [("ann@a.org", "Lee, Ann")]),
        ("Ann <ann@a.org>, Bob <bob@a.org>;", [("ann@a.org", "Ann"), ("bob@a.org", "Bob")]),
        ("Ann <ann@a.org> Bob <bob@a.org>", [("ann@a.org", "Ann"), ("bob@a.org", "Bob")]),
        ("ann@a.org bob@a.org\tcleo@a.org", [(f"{n}@a.org", "") for n in ("ann", "bob", "cleo")]),
        ("email,name\r\nann@a.org,Ann Lee\r\n", [("ann@a.org", "Ann Lee")]),
        ("name;email\nAnn Lee;ann@a.org", [("ann@a.org", "Ann Lee")]),
        ("姓名，邮箱\n李安，ann@a.org", [("ann@a.org", "李安")]),
        ("李安＜ann＠a.org＞、bob@a.org", [("ann@a.org", "李安"), ("bob@a.org", "")]),
        ("\ufeffann@a.org", [("ann@a.org", "")]),
        ('"Ann,ann@a.org', [("ann@a.org", "Ann")]),
        ("mailto:ann@a.org", [("ann@a.org", "")]),
        ("(ann@a.org)", [("ann@a.org", "")]),
        ("Ann ann@a.org", [("ann@a.org", "Ann")]),
        (f"{'A' * 61} <ann@a.org>", [("ann@a.org", "")]),
        ("\n\n  \n", []),
    ],
)
def test_addresses_are_found_with_the_names_beside_them(text, found):
    assert read(text) == found
    assert refused(text) == []


def test_an_address_that_comes_again_is_taken_once_and_says_where_it_was():
    text = "ann@a.org\nbob@a.org\nANN@A.org"
    assert [email for email, _name in read(text)] == ["ann@a.org", "bob@a.org"]
    assert refused(text) == [(3, "This address is in line 1 already.")]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ann Lee", "There is no e-mail address in this line."),
        ("ann@", "This is not a complete e-mail address."),
        ("ann@a", "This is not a complete e-mail address."),
        ("Ann <>", "There is no e-mail address in this line."),
        ("@a.org", "This is not a complete e-mail address."),
        ("ann@@a.org", "This is not a complete e-mail address."),
        (f"{'a' * 250}@a.org", "This address is too long."),
        ("ann@a.org\0", "This is not a complete e-mail address."),
    ],
)
def test_what_is_no_address_is_refused_with_a_reason_and_the_next_line_is_taken(line, why):
    text = f"first@a.org\n{line}\nlast@a.org"
    assert [email for email, _name in read(text)] == ["first@a.org", "last@a.org"]
    assert refused(text) == [(2, why)]


@pytest.mark.parametrize(
    ("line", "taken", "strays"),
    [
        ("ann@a.org, bob.b.org", ["ann@a.org"], 1),
        ("ann@a.org bob.b.org", ["ann@a.org"], 1),
        ("ann@a.org, Bob, cleo@a.org", ["ann@a.org", "cleo@a.org"], 1),
        ("ann@a.org, bob, dan.d.org, cleo@a.org", ["ann@a.org", "cleo@a.org"], 2),
        ("Ann J. Lee, ann@a.org, Physics", ["ann@a.org"], 0),
    ],
)
def test_a_word_without_its_sign_is_refused_and_greets_nobody(line, taken, strays):
    assert [email for email, _name in read(line)] == taken
    assert {name for _email, name in read(line)} <= {"", "Ann J. Lee"}
    assert refused(line) == [(1, "This is not a complete e-mail address.")] * strays


def test_a_heading_is_passed_over_in_the_first_line_alone():
    assert refused("name,email\nann@a.org\nname,email") == [
        (3, "There is no e-mail address in this line.")
    ]


def test_no_more_than_the_most_are_taken_and_the_others_say_so():
    found = read_addresses("\n".join(f"p{number}@a.org" for number in range(MOST + 2)))
    assert len(found.entries) == MOST
    assert [one.why for one in found.refused] == ["At most 10000 addresses are taken at once."] * 2


@pytest.mark.parametrize("between", ["\n", ","], ids=["lines", "cells"])
def test_what_is_no_list_of_addresses_is_not_read_to_its_end_and_this_is_said(between):
    found = read_addresses(between.join(f"no@{number}" for number in range(2 * MOST_REFUSED)))
    assert (len(found.entries), len(found.refused)) == (0, MOST_REFUSED + 1)
    assert found.refused[-1].why == "Nothing after this line was read."


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "<" * 1_000_000,
        '"' * 999_999,
        "a@" * 500_000,
        "<@" * 300_000,
        ",@" * 300_000,
        "<a@b.org>" * 100_000,
    ],
    ids=["letters", "brackets", "quotes", "signs", "both", "cells", "closed brackets"],
)
def test_a_hostile_text_takes_no_longer_than_an_honest_one(text):
    began = time.process_time()
    read_addresses(text)
    assert time.process_time() - began < 10
