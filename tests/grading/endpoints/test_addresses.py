"""Which addresses are connected to: each way to write an inner one is refused."""

import pytest

from grading.endpoints import Egress

PUBLIC = ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8"]
INNER = [
    "127.0.0.1",
    "127.255.0.9",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",  # carriers' shared addresses
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "240.0.0.1",
    "::1",
    "fc00::1",
    "fec0::1",
    "2001:db8::1",
    "2001:0:7f00:1::1",  # Teredo
    "3fff::1",
    "::127.0.0.1",  # IPv4-compatible
    "::8.8.8.8",
    "::ffff:127.0.0.1",  # mapped
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",  # translated
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::808:808",  # a NAT64 of one's own
    "2002:7f00:1::",  # 6to4
    "2002:a00:1::1",
    "2a00::5efe:7f00:1",  # ISATAP
    "2a00::200:5efe:10.0.0.1",
    "5f00::1",
]
NEVER = [
    "0.0.0.0",
    "0.1.2.3",
    "::",
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "192.0.0.192",
    "100.100.100.200",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fe80::1%eth0",
    "224.0.0.1",
    "239.255.255.250",
    "ff02::1",
    "255.255.255.255",
    "::ffff:169.254.169.254",
]
METADATA_INSIDE = ["64:ff9b::169.254.169.254", "2002:a9fe:a9fe::", "64:ff9b::168.63.129.16"]
EVERYTHING = Egress.parse("0.0.0.0/0 ::/0")


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_reached_by_https_only(address):
    assert Egress().explain_refusal(address, encrypted=True) == ""
    assert "https" in Egress().explain_refusal(address, encrypted=False)


@pytest.mark.parametrize("address", [*INNER, *NEVER, *METADATA_INSIDE])
def test_no_other_address_is_connected_to(address):
    assert address in Egress().explain_refusal(address, encrypted=True)


@pytest.mark.parametrize("address", NEVER)
def test_what_gives_away_credentials_is_refused_even_if_listed(address):
    assert EVERYTHING.explain_refusal(address, encrypted=True) != ""


def test_a_listed_address_is_reached_without_tls():
    egress = Egress.parse("10.1.0.0/16, 127.0.0.1 ::1")
    for address in ("10.1.2.3", "127.0.0.1", "::ffff:10.1.2.3", "::1"):
        assert egress.explain_refusal(address, encrypted=False) == ""
    for address in ("10.2.0.1", "127.0.0.2", "64:ff9b::10.1.2.3"):
        assert egress.explain_refusal(address, encrypted=True) != ""


@pytest.mark.parametrize("text", ["10.1.0.1/16", "example.com", "10.0.0.0/33"])
def test_a_list_with_a_mistake_is_refused(text):
    with pytest.raises(ValueError, match=text.partition("/")[0]):
        Egress.parse(text)


@pytest.mark.parametrize("address", ["", "localhost", "2130706433", "0x7f000001", "0177.0.0.1"])
def test_what_is_no_address_is_refused(address):
    assert EVERYTHING.explain_refusal(address, encrypted=True) != ""
