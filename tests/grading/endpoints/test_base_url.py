import pytest

from grading.endpoints import BadURL, BaseURL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        ("HTTPS://API.Example.com:443/v1/", "https://api.example.com/v1"),
        ("https://example.com", "https://example.com"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        (
            "https://xn--bcher-kva.example:8443/openai/v1",
            "https://xn--bcher-kva.example:8443/openai/v1",
        ),
        ("http://vllm_box:80/v1", "http://vllm_box/v1"),
        ("https://example.com/deployments/gpt-4o@2", "https://example.com/deployments/gpt-4o@2"),
    ],
)
def test_a_base_url_is_written_in_one_way(text, expected):
    assert str(BaseURL.parse(text)) == expected
    assert BaseURL.parse(expected) == BaseURL.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "api.example.com/v1",
        "ftp://example.com",
        "file:///etc/passwd",
        "https://",
        "https://user@example.com",
        "https://user:secret@example.com",
        "https://@example.com",
        "https://example.com?x=1",
        "https://example.com/v1?",
        "https://example.com/v1#part",
        "https://example.com/#",
        "https://example.com/v1/../admin",
        "https://example.com//v1",
        "https://example.com:0",
        "https://example.com:99999",
        "https://example.com:x",
        "https://exa mple.com",
        "https://example.com\r\nHost: other",
        "https://example.com\\@other.com",
        "https://example.com%2eother.com",
        "https://bücher.example",
        "https://ｅxample.com",
        "https://-example.com",
        "https://example..com",
        "https://example.com.",
        "https://[::1",
        "https://[fe80::1%25eth0]",
        "https://[v1.x]",
        # 127.0.0.1 in other words
        "https://2130706433",
        "https://0x7f000001",
        "https://0x7f.1",
        "https://0177.0.0.1",
        "https://127.1",
        "https://127.0.0.0x1",
        "https://127.0.0.01",
        "https://" + "a" * 500 + ".com",
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(text):
    with pytest.raises(BadURL):
        BaseURL.parse(text)
