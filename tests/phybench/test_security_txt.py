"""A site says where faults of security are reported, where its settings do."""

import pytest

ADDRESS = "/.well-known/security.txt"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("contact", "line"),
    [
        ("security@bench.example.org", "Contact: mailto:security@bench.example.org"),
        ("https://bench.example.org/report", "Contact: https://bench.example.org/report"),
    ],
)
def test_anybody_reads_where_to_report_and_until_when_that_holds(client, settings, contact, line):
    settings.SECURITY_CONTACT = contact

    lines = client.get(ADDRESS).content.decode().splitlines()

    assert lines[0] == line
    assert lines[1].startswith("Expires: 20")


@pytest.mark.django_db
def test_a_site_that_names_nobody_has_no_such_file(client, settings):
    settings.SECURITY_CONTACT = ""

    assert client.get(ADDRESS).status_code == 404
