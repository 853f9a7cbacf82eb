"""Connections go to what was checked, and to nothing else."""

import contextlib
import datetime
import email.parser
import ipaddress
import socket
import ssl
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from grading.endpoints import BaseURL, Cause, ChatClient, Egress, EndpointError, Limits
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import LOOPBACK, PARAMETERS, QUESTION, QUICK, reach


def answers(*addresses: str):
    """Look up names as if they had these addresses, one list after the other; keep the names."""
    asked: list[tuple[str, int]] = []
    left = list(addresses)

    def resolver(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return left.pop(0).split()

    return resolver, asked


def call(url: str, *, egress: Egress = LOOPBACK, limits: Limits = QUICK, **options):
    client = ChatClient(BaseURL.parse(url), egress=egress, limits=limits, **options)
    return client.complete(QUESTION, PARAMETERS)


def fail(url: str, **options) -> EndpointError:
    with pytest.raises(EndpointError) as raised:
        call(url, **options)
    return raised.value


def test_the_guard_of_these_tests_sees_what_leaves_this_machine(left):
    with pytest.raises(AssertionError), socket.socket() as one:
        one.connect(("192.0.2.1", 80))
    with pytest.raises(AssertionError):
        socket.getaddrinfo("example.com", 80)
    assert left == ["192.0.2.1", "example.com"]
    left.clear()


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1",
        "https://[::1]",
        "https://10.0.0.1",
        "https://[::ffff:127.0.0.1]",
        "https://[64:ff9b::7f00:1]",
        "https://[2002:7f00:1::]",
        "https://[::127.0.0.1]",
        "https://100.64.0.1",
        "https://169.254.169.254",
        "https://168.63.129.16",
        "https://192.0.0.192",
        "https://224.0.0.1",
        "http://8.8.8.8",
        "https://localhost",
    ],
)
def test_no_inner_address_is_connected_to(url):
    error = fail(url, egress=Egress())
    assert error.reason is Cause.EGRESS_DENIED
    assert error.status is None


def test_metadata_is_refused_even_where_everything_is_listed():
    everything = Egress.parse("0.0.0.0/0 ::/0")
    assert fail("http://169.254.169.254", egress=everything).reason is Cause.EGRESS_DENIED


def test_one_bad_address_among_those_of_a_name_is_enough(serve):
    server = serve(steps.ok())
    resolver, _ = answers("127.0.0.1 10.0.0.1")
    error = fail(f"http://judge.test:{server.server_port}/v1", resolver=resolver)
    assert error.reason is Cause.EGRESS_DENIED
    assert error.detail == "10.0.0.1 is neither public nor listed."
    assert server.requests == []


def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(serve):
    server = serve(steps.ok(), steps.ok())
    # A second look would find a way into the network.
    resolver, asked = answers("127.0.0.1", "10.0.0.1")
    url = f"http://judge.test:{server.server_port}/v1"

    assert call(url, resolver=resolver).text == "Rating: [[7]]"
    assert asked == [("judge.test", server.server_port)]
    assert server.requests[0].headers["host"] == f"judge.test:{server.server_port}"

    assert fail(url, resolver=resolver).reason is Cause.EGRESS_DENIED
    assert len(server.requests) == 1


def test_the_next_address_is_tried_when_one_does_not_answer(serve):
    server = serve(steps.ok())
    # Nobody listens at the first one.
    resolver, _ = answers("127.0.0.2 127.0.0.1")
    assert (
        call(f"http://judge.test:{server.server_port}/v1", resolver=resolver).text
        == "Rating: [[7]]"
    )


def test_a_literal_is_not_looked_up(serve):
    server = serve(steps.ok())
    resolver, asked = answers()
    assert reach(server, resolver=resolver).complete(QUESTION, PARAMETERS)
    assert asked == []


def refuse(host: str, port: int) -> list[str]:
    raise socket.gaierror("no such name")


@pytest.mark.parametrize("resolver", [refuse, lambda host, port: []])
def test_a_name_without_an_address_is_told(resolver):
    assert fail("https://judge.test", resolver=resolver).reason is Cause.DNS


def test_a_look_up_that_hangs_does_not_hold_the_call():
    done = threading.Event()

    def hang(host: str, port: int) -> list[str]:
        done.wait()
        return []

    try:
        limits = Limits(total=10.0, connect=0.2)
        assert fail("https://judge.test", resolver=hang, limits=limits).reason is Cause.DNS
    finally:
        done.set()


# --- TLS --------------------------------------------------------------------------------------


def make_certificate(folder, *names: str, days: int = 1):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=2))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(
            x509.SubjectAlternativeName(
                [
                    x509.IPAddress(ipaddress.ip_address(one))
                    if one[0].isdigit()
                    else x509.DNSName(one)
                    for one in names
                ]
            ),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file


@contextlib.contextmanager
def speak_tls(certificate):
    """Answer one call over TLS; gives the port, and the names that were asked for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)

    def answer(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        connection.settimeout(10)
        with (
            connection,
            contextlib.suppress(OSError),
            context.wrap_socket(connection, server_side=True) as encrypted,
            encrypted.makefile("rb") as request,
        ):
            request.readline()
            lines = b"".join(iter(request.readline, b"\r\n"))
            headers = email.parser.BytesParser().parsebytes(lines)
            # All of it: what is not read when the connection is closed would make a reset of that.
            request.read(int(headers["content-length"]))
            asked.append(headers["host"])
            encrypted.sendall(steps.ok().sent)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)
        thread = threading.Thread(target=answer, args=(listening,))
        thread.start()
        try:
            yield listening.getsockname()[1], asked
        finally:
            thread.join()


def test_over_tls_the_name_is_asked_for_at_the_checked_address(tmp_path):
    certificate = make_certificate(tmp_path, "judge.test")
    trust = ssl.create_default_context(cafile=certificate)
    resolver, _ = answers("127.0.0.1")
    with speak_tls(certificate) as (port, asked):
        reply = call(f"https://judge.test:{port}/v1", resolver=resolver, tls=trust)
    assert reply.text == "Rating: [[7]]"
    assert asked == ["judge.test", f"judge.test:{port}"]


def test_an_address_can_have_a_certificate(tmp_path):
    certificate = make_certificate(tmp_path, "127.0.0.1")
    trust = ssl.create_default_context(cafile=certificate)
    with speak_tls(certificate) as (port, _):
        assert call(f"https://127.0.0.1:{port}", tls=trust).text == "Rating: [[7]]"


@pytest.mark.parametrize(
    ("name", "days", "trusted"),
    [("judge.test", 1, False), ("other.test", 1, True), ("judge.test", -1, True)],
)
def test_who_can_not_show_who_it_is_gets_no_request(tmp_path, name, days, trusted):
    certificate = make_certificate(tmp_path, name, days=days)
    trust = ssl.create_default_context(cafile=certificate) if trusted else None
    resolver, _ = answers("127.0.0.1")
    with speak_tls(certificate) as (port, asked):
        error = fail(f"https://judge.test:{port}/v1", resolver=resolver, tls=trust)
    assert error.reason is Cause.TLS
    assert "certificate" in error.detail
    assert asked == ["judge.test"]


def test_an_endpoint_that_does_not_speak_tls_is_told(serve):
    server = serve()
    assert fail(f"https://127.0.0.1:{server.server_port}").reason is Cause.TLS
