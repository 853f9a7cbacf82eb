#!/usr/bin/env python3
r"""
Have models' answers graded by PHYBench curation, from the command line.

One file, for Python 3.9 and later, with nothing to install:

    export PHYBENCH_URL=https://phybench.example
    python3 phybench.py login
    python3 phybench.py task inspect
    python3 phybench.py submit logs/run.eval --wait
    python3 phybench.py results --csv > results.csv
    python3 phybench.py publish

A file is sent as the harness wrote it, and read by the server alone: what it says of the file is
what its pages say. The token is read from PHYBENCH_TOKEN, else from the file that `login` wrote; it
is never an argument, which others on the machine could read.

Exit status: 0 done; 1 refused, and why; 2 not a command like this; 3 not known yet: some answers
are not graded, or the server could not be reached.
"""

import argparse
import contextlib
import csv
import getpass
import hashlib
import http.client
import io
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Callable

OLDEST_PYTHON = (3, 9)
if sys.version_info < OLDEST_PYTHON:
    # An older one can read this file, annotations in quotes, and must not go on.
    print(
        f"phybench.py needs Python 3.9 or newer, and this is Python {sys.version_info[0]}."
        f"{sys.version_info[1]}: start it with a newer one, e.g. python3.11 phybench.py --help.",
        file=sys.stderr,
    )
    sys.exit(2)

DONE, REFUSED, MISUSED, NOT_YET = 0, 1, 2, 3
"""Exit statuses; `argparse` ends with the third by itself."""
NOT_WHOLE = {"incomplete", "cancelled"}
"""States of a submission of which not all is graded."""


class Refused(Exception):
    """What ends a command; the message says what to do."""

    status = REFUSED
    kind = ""


class Misused(Refused):
    status = MISUSED


class Later(Refused):
    """What may go well at another time."""

    status = NOT_YET


# --- The server ---------------------------------------------------------------------------------

AWAY = {429, 502, 503}
"""The server is being started, or has enough for now: it is waited for, as long as it says."""
RETRIED = {500, 504} | AWAY
PATIENCE = 600.0
"""Seconds that one request is waited for."""
TRIES = 6
TIMEOUT_SECONDS = 120
POLL_SECONDS = 2.0


class Problem(Refused):
    """What the server refused, and why."""

    def __init__(self, error: urllib.error.HTTPError) -> None:
        try:
            said = json.loads(error.read())
        except (ValueError, OSError, http.client.HTTPException):
            said = None
        said = said if isinstance(said, dict) else {}
        pause = error.headers.get("Retry-After") or ""
        self.code = error.code
        self.pause = float(pause) if pause.isdigit() else None
        self.kind = str(said.get("type", "")).rpartition("#")[2]
        super().__init__(str(said.get("detail") or said.get("title") or f"Status {error.code}."))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow nothing: the token would go where another server says."""

    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


class Heard(http.client.HTTPConnection):
    """Hear why a server stopped reading: it refuses what is too large before all of it is sent."""

    def send(self, data: Any) -> None:
        try:
            super().send(data)
        except (BrokenPipeError, ConnectionResetError):
            if self.sock is None:
                raise


class HeardSafely(Heard, http.client.HTTPSConnection):
    pass


class Plain(urllib.request.HTTPHandler):
    def http_open(self, request: Any) -> Any:
        return self.do_open(Heard, request)


class Safe(urllib.request.HTTPSHandler):
    def https_open(self, request: Any) -> Any:
        return self.do_open(HeardSafely, request, context=getattr(self, "_context", None))


class Server:
    """The API; without a token what everybody may read of it."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url = check_url(url)
        self.token = token
        self.opener = urllib.request.build_opener(NoRedirect, Plain, Safe)

    def get(self, path: str, **query: Any) -> Any:
        return self.ask("GET", add_query(path, **query))

    def post(self, path: str, sent: Any, key: str = "") -> Any:
        return self.ask("POST", path, json.dumps(sent).encode(), {"Idempotency-Key": key})

    def put(self, path: str, sent: Any) -> Any:
        return self.ask("PUT", path, json.dumps(sent).encode())

    def delete(self, path: str) -> Any:
        return self.ask("DELETE", path)

    def send_file(self, path: str, file: Path, key: str, fields: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/octet-stream", "Idempotency-Key": key}
        headers["X-Field-Map"] = json.dumps(fields) if fields else ""
        return self.ask("POST", path, file, headers)

    def ask(self, method: str, path: str, body: Any = None, headers: Any = None) -> Any:
        """Send a request until it is answered; what is sent twice is done once, by its key."""
        content = self.send(method, path, body, headers)[0]
        try:
            return json.loads(content) if content else None
        except ValueError:
            raise Refused(f"{self.url} is no server of PHYBench curation.") from None

    def send(self, method: str, path: str, body: Any = None, headers: Any = None) -> Any:
        """Do so; return the bytes of the answer, and its headers."""
        turn, waited = 0, 0.0
        while True:
            try:
                return self.send_once(method, path, body, headers or {})
            except Problem as why:
                if why.code not in RETRIED and why.kind != "in-progress":
                    raise
                later, pause, is_away = Later(str(why)), why.pause, why.code in AWAY
                later.kind = why.kind
            except (OSError, EOFError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                later = Later(f"{self.url} can’t be reached: {reason}.")
                pause, is_away = None, False
            wait = min(2.0**turn * 0.5, 30.0) if pause is None else pause
            if waited + wait > PATIENCE or not (is_away or turn < TRIES - 1):
                raise later from None
            say(f"{later} Trying again in {wait:.0f} s.")
            time.sleep(wait)
            turn, waited = turn + 1, waited + wait

    def send_once(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Any:
        sent = {"Accept": "application/json", "Content-Type": "application/json"}
        sent.update({name: value for name, value in headers.items() if value})
        sent["User-Agent"] = "phybench-client"
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        opened: Any = None
        try:
            if isinstance(body, Path):
                body = opened = Progress(body)
                sent["Content-Length"] = str(opened.size)
            request = urllib.request.Request(
                f"{self.url}/api/v1{path}", data=body, headers=sent, method=method
            )
            with self.opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                return response.read(), response.headers
        except urllib.error.HTTPError as error:
            raise Problem(error) from None
        finally:
            if opened is not None:
                opened.close()


def add_query(path: str, **query: Any) -> str:
    asked = urllib.parse.urlencode({k: v for k, v in query.items() if v not in (None, "")})
    return f"{path}?{asked}" if asked else path


class Progress(io.RawIOBase):
    """A file that says how much of it was sent, where somebody looks."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.file = path.open("rb")
        self.size = os.fstat(self.file.fileno()).st_size
        self.sent = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self.file.read(size if size and size > 0 else 64 * 1024)
        self.sent += len(piece)
        if sys.stderr.isatty() and self.size:
            end = "\n" if self.sent == self.size else ""
            line = f"\r{self.path.name}: {100 * self.sent // self.size} %"
            print(line, end=end, file=sys.stderr, flush=True)
        return piece

    def close(self) -> None:
        self.file.close()
        super().close()


LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check_url(url: str) -> str:
    """Return an address without its end; refuse one over which the token could be read."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Misused(
            "Name the server with --url or PHYBENCH_URL, such as https://phybench.example"
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise Misused(f"Use https: over {url} others could read the token.")
    return url.rstrip("/")


# --- The token ----------------------------------------------------------------------------------


def find_config() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "phybench" / "token.json"


def read_config() -> dict[str, str]:
    path = find_config()
    try:
        found = path.stat()
    except OSError:
        return {}
    if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
        raise Refused(f"Others can read {path}. Revoke that token, and log in again.")
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {"url": str(kept["url"]), "token": str(kept["token"])}
    except (OSError, ValueError, KeyError, TypeError):
        raise Refused(f"{path} can’t be read: log in again.") from None


def write_config(url: str, token: str) -> Path:
    path = find_config()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A file that is there keeps its rights: it is made anew.
    path.unlink(missing_ok=True)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        json.dump({"url": url, "token": token}, file)
    return path


def connect(given: argparse.Namespace, *, for_everybody: bool = False) -> Server:
    token = os.environ.get("PHYBENCH_TOKEN", "")
    url = given.url or os.environ.get("PHYBENCH_URL", "")
    if token:
        return Server(url, token)
    kept = read_config()
    is_for_it = bool(kept) and (not url or check_url(url) == kept["url"])
    if is_for_it:
        return Server(kept["url"], kept["token"])
    if for_everybody:
        return Server(url)
    if kept:
        raise Refused(f"The token that is kept is for {kept['url']}: log in to {url}.")
    raise Refused("Log in first: phybench.py login; or set PHYBENCH_TOKEN.")


# --- Commands -----------------------------------------------------------------------------------


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def tell(line: str) -> None:
    """Say how far it is, where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r{line}", end="", file=sys.stderr, flush=True)


def show(given: argparse.Namespace, data: Any, lines: Iterable[str]) -> None:
    if given.json:
        print(json.dumps(data, ensure_ascii=False, indent=1))
        return
    for line in lines:
        print(clean(line))


def confirm(given: argparse.Namespace, what: str, nothing: str) -> None:
    """Go on once somebody said yes to what can't be undone."""
    if given.yes:
        return
    if not sys.stdin.isatty():
        raise Refused(f"{nothing} To do it without a question: --yes.")
    say(f"{what} This can’t be undone. Type yes:")
    if sys.stdin.readline().strip().lower() != "yes":
        raise Refused(nothing)


def login(given: argparse.Namespace) -> int:
    url = check_url(given.url or os.environ.get("PHYBENCH_URL", ""))
    say(f"Make a token at {url}/me/tokens/new/")
    if sys.stdin.isatty():
        token = getpass.getpass("Token: ").strip()
    else:
        token = sys.stdin.readline().strip()
    organisations = Server(url, token).get("/organisations")
    path = write_config(url, token)
    names = ", ".join(one["name"] for one in organisations)
    show(
        given,
        {"url": url, "organisations": organisations, "file": str(path)},
        [f"Logged in{names and ', for '}{names}. The token is kept in {path}."],
    )
    return DONE


def find_benchmark(server: Server, given: argparse.Namespace) -> tuple[str, int]:
    """Return the benchmark that was named, or the only one, with its newest version."""
    found = [one for one in server.get("/benchmarks") if one["current_version"]]
    if given.benchmark:
        by_slug = [one for one in found if one["slug"] == given.benchmark]
        chosen = by_slug or [one for one in found if one.get("name") == given.benchmark]
    else:
        chosen = found
    slugs = ", ".join(one["slug"] for one in found)
    if not found:
        raise Refused("No benchmark has a published version yet.")
    if not chosen:
        raise Refused(f"There is no benchmark “{clean(given.benchmark)}”. There are: {slugs}.")
    if len(chosen) != 1:
        raise Refused(f"Name the benchmark with --benchmark: {slugs}.")
    return chosen[0]["slug"], chosen[0]["current_version"]


def find_version(server: Server, given: argparse.Namespace) -> str:
    slug, number = find_benchmark(server, given)
    return f"/benchmarks/{slug}/versions/{given.version or number}"


def problems(given: argparse.Namespace) -> int:
    server = connect(given)
    rows = server.get(f"{find_version(server, given)}/problems")
    print(json.dumps(rows, ensure_ascii=False, indent=1))
    return DONE


def task(given: argparse.Namespace) -> int:
    """Download what a harness needs to ask a model: the problems and the prompt are in it."""
    server = connect(given)
    harness = urllib.parse.quote(given.harness, safe="")
    content, headers = server.send("GET", f"{find_version(server, given)}/tasks/{harness}")
    named = Path(headers.get_filename() or given.harness).name
    path = Path(given.output or named)
    try:
        if path.exists() and path.read_bytes() != content:
            raise Refused(f"{path} is there already, and is another: name one with --output.")
        path.write_bytes(content)
    except OSError as why:
        raise Refused(f"{path}: {why.strerror}.") from None
    show(given, {"file": str(path)}, [str(path)])
    return DONE


def read_map(written: str) -> dict[str, Any]:
    """Read which field holds what, as it is given on the command line."""
    try:
        return dict(json.loads(written))
    except (ValueError, TypeError):
        example = 'write JSON such as {"id": "nr", "response": "said"}'
        raise argparse.ArgumentTypeError(example) from None


def hash_file(path: Path) -> str:
    hashed = hashlib.sha256()
    try:
        with path.open("rb") as file:
            for piece in iter(lambda: file.read(1024 * 1024), b""):
                hashed.update(piece)
    except OSError as why:
        raise Refused(f"{path}: {why.strerror}.") from None
    return hashed.hexdigest()


def make_key(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def prepare(server: Server, given: argparse.Namespace) -> Any:
    """Return the draft of these files, sent and read; of files sent before, that of before."""
    with tempfile.TemporaryDirectory() as room:
        packed = [pack(Path(one), Path(room) / str(at)) for at, one in enumerate(given.files)]
        return prepare_files(server, given, {hash_file(one): one for one in packed})


def pack(path: Path, room: Path) -> Path:
    """Return a file as it is, and a folder as a zip, the same bytes each time."""
    if not path.is_dir():
        return path
    room.mkdir()
    folder = path.resolve()
    packed = room / f"{folder.name}.zip"
    inside = sorted(
        (one.relative_to(folder.parent), one)
        for one in folder.rglob("*")
        if one.is_file() and not one.is_symlink()
    )
    try:
        with zipfile.ZipFile(packed, "w") as into:
            for name, file in inside:
                if any(part.startswith(".") for part in name.relative_to(folder.name).parts):
                    continue
                info = zipfile.ZipInfo(name.as_posix())  # dated 1980, whenever it was written
                info.compress_type = zipfile.ZIP_DEFLATED
                with file.open("rb") as source, into.open(info, "w", force_zip64=True) as target:
                    shutil.copyfileobj(source, target)
    except OSError as why:
        raise Refused(f"{path}: {why.strerror}.") from None
    except ValueError:
        raise Refused(f"{path}: a file’s name in it is not UTF-8. Rename it.") from None
    return packed


def prepare_files(server: Server, given: argparse.Namespace, hashes: Mapping[str, Path]) -> Any:
    slug, _number = find_benchmark(server, given)
    begun = {"benchmark": slug, "organisation": given.organisation}
    draft = find_draft(server, begun, make_key(begun, sorted(hashes), given.model), given.again)
    path = f"/drafts/{draft['id']}"
    if draft["state"] != "open":
        return draft
    try:
        send_parts(server, draft, hashes, given)
        draft = wait_while(server, path, lambda one: one["is_reading"], "reading")
        if draft["obstacle"]:
            raise Refused("\n".join([draft["obstacle"], *list_hints(draft)]))
    except Refused as why:
        # Nothing can be done with it here; what may go well later stays.
        if not isinstance(why, Later):
            forget(server, path)
        raise
    return draft


def forget(server: Server, path: str) -> None:
    # Where that is refused too, the first reason is the one to tell.
    with contextlib.suppress(Refused):
        server.delete(path)


def find_draft(server: Server, begun: Mapping[str, Any], key: str, again: bool) -> Any:
    """
    Return the draft of these files: the one that was begun before, where it is still there.

    A key is the files’, so the same command finds the same draft; after a draft that was discarded,
    or was graded and is meant to be graded again, the next key follows from that one.
    """
    while True:
        draft = server.post("/drafts", begun, key)
        try:
            found = server.get(f"/drafts/{draft['id']}")
        except Problem as why:
            if why.code != 404:
                raise
        else:
            if found["state"] != "graded" or not again:
                return found
        key = make_key(key, draft["id"])


def send_parts(
    server: Server, draft: Mapping[str, Any], hashes: Mapping[str, Path], given: argparse.Namespace
) -> None:
    path = f"/drafts/{draft['id']}/parts"
    there = {one["sha256"]: one for one in draft["parts"]}
    for sha256, file in hashes.items():
        part = there.get(sha256)
        if part is None:
            named = add_query(path, name=file.name[:200], model=given.model)
            server.send_file(named, file, make_key(named, sha256, given.fields), given.fields)
        elif given.fields:
            server.put(f"{path}/{part['id']}", {**part["field_map"], **given.fields})


def list_hints(draft: Mapping[str, Any]) -> Iterator[str]:
    """Say how a command says what a file doesn’t."""
    for part in draft["parts"]:
        if part["lacks"] == ["model"]:
            yield "Name it with --model."
        elif part["lacks"]:
            yield f"{part['name']} has these fields; say with --fields which holds what:"
            yield from (f"  {one['path']}: {one['example']}" for one in part["fields"])


def wait_while(server: Server, path: str, goes_on: Callable[[Any], bool], doing: str) -> Any:
    while True:
        found = server.get(path)
        if not goes_on(found):
            return found
        job = found.get("job") or {}
        tell(f"{job['done']} of {job['of']} queued" if job.get("of") else f"{doing} …")
        time.sleep(POLL_SECONDS)


def preview(given: argparse.Namespace) -> int:
    """Send the files, and tell what grading them would come to; nothing is graded."""
    draft = prepare(connect(given), given)
    lines = draft["said"] if draft["state"] == "open" else ["These files were submitted before."]
    show(given, draft, lines)
    return DONE


def submit(given: argparse.Namespace) -> int:
    """Send the files and have them graded; sent again, it goes on where it was."""
    server = connect(given)
    draft = prepare(server, given)
    path = f"/drafts/{draft['id']}"
    if draft["state"] == "open":
        if not given.json:
            for line in draft["said"]:
                say(clean(line))
        if draft["graded_before"] and not given.again:
            raise Refused(
                f"The same files were graded before, as submission {draft['graded_before']}."
                " To have them graded once more: --again."
            )
        sent = {
            "version": draft["version"],
            "is_named": given.named,
            "again": given.again,
            "mail": given.mail,
            "webhook": given.webhook,
        }
        server.post(f"{path}/grade", sent, make_key(path, sent, (draft["job"] or {}).get("id")))
        draft = {"state": "queuing"}
    else:
        say("These files were submitted before: this is what came of them.")
    if draft["state"] == "queuing":
        draft = wait_while(server, path, lambda one: one["state"] == "queuing", "queuing")
        if draft["state"] == "open":
            detail = (draft["job"] or {}).get("detail")
            raise Refused(detail or "Nothing was queued. Run the same command again.")
    status = follow(server, given, draft["submissions"])
    return status if given.wait else DONE


def follow(server: Server, given: argparse.Namespace, pks: Iterable[int]) -> int:
    """Show submissions, and where it is asked for, wait until they are graded."""
    shown = [server.get(f"/submissions/{pk}") for pk in pks]
    while given.wait and any(one["progress"]["waiting"] for one in shown):
        done, total = (sum(one["progress"][name] for one in shown) for name in ("done", "total"))
        tell(f"{done} of {total} graded")
        time.sleep(POLL_SECONDS)
        shown = [server.get(f"/submissions/{one['id']}") for one in shown]
    show(given, shown, (line for one in shown for line in describe_submission(one)))
    return DONE if all(map(is_whole, shown)) else NOT_YET


def is_whole(submission: Mapping[str, Any]) -> bool:
    progress = submission["progress"]
    return not progress["waiting"] and progress["state"] not in NOT_WHOLE


def describe_submission(one: Mapping[str, Any]) -> Iterator[str]:
    progress = one["progress"]
    yield (
        f"{one['model']}, submission {one['number']} (id {one['id']}): {progress['state']},"
        f" {progress['done']} of {progress['total']}"
    )
    counts = ", ".join(f"{count} {name.lower()}" for name, count in progress["counts"].items())
    yield f"  {counts}; {progress['missing']} missing"
    for name in ("accuracy", "eed"):
        figure, span = progress[name], progress[f"{name}_range"]
        if span:
            yield f"  {name} {span['low']:.1f} to {span['high']:.1f}: not all is graded"
        elif figure and figure["value"] is not None:
            yield f"  {name} {figure['value']:.1f}"
        else:
            yield f"  {name} –: nothing is graded"


def draft(given: argparse.Namespace) -> int:
    """Tell how far a draft is, and what it would come to."""
    found = connect(given).get(f"/drafts/{given.id}")
    show(given, found, [*found["said"], *filter(None, [found["obstacle"]])])
    return DONE


def drafts(given: argparse.Namespace) -> int:
    """List the drafts of all your organisations that are not graded, newest first."""
    found = connect(given).get("/drafts")
    lines = [
        f"{one['id']}: {one['benchmark']}, version {one['version']}, begun {one['made_at'][:16]}"
        for one in found
    ]
    show(given, found, lines or ["There is no draft."])
    return DONE


def discard(given: argparse.Namespace) -> int:
    """Delete drafts, once somebody says yes: what was uploaded for them is gone then."""
    server = connect(given)
    open_ones = {one["id"] for one in server.get("/drafts")}
    unknown = [str(pk) for pk in given.ids if pk not in open_ones]
    if unknown:
        raise Refused(
            f"There is no draft {', '.join(unknown)} that is not graded. Nothing was discarded;"
            " “drafts” lists those that are there."
        )
    ids = sorted(set(given.ids))
    named = ", ".join(map(str, ids))
    confirm(given, f"Discard {named} with all files?", "Nothing was discarded.")
    for pk in ids:
        server.delete(f"/drafts/{pk}")
    show(given, {"discarded": ids}, [f"Discarded: {named}."])
    return DONE


def find_submissions(server: Server, given: argparse.Namespace) -> list[int]:
    if given.ids:
        return list(given.ids)
    newest = server.get("/submissions", limit=1)["items"]
    if not newest:
        raise Refused("Nothing was submitted yet.")
    return [newest[0]["id"]]


def status(given: argparse.Namespace) -> int:
    server = connect(given)
    return follow(server, given, find_submissions(server, given))


def publish(given: argparse.Namespace) -> int:
    return change(given, "publish", "Show the score of {} to everybody?")


def withdraw(given: argparse.Namespace) -> int:
    return change(given, "withdraw", "Withdraw {}?")


def change(given: argparse.Namespace, verb: str, question: str) -> int:
    """Publish or withdraw submissions, once somebody says yes."""
    server = connect(given)
    pks = find_submissions(server, given)
    shown = [server.get(f"/submissions/{pk}") for pk in pks]
    named = ", ".join(f"{one['model']}, submission {one['number']}" for one in shown)
    confirm(given, question.format(clean(named)), "Nothing was done.")
    made = [server.post(f"/submissions/{pk}/{verb}", {}) for pk in pks]
    show(given, made, (line for one in made for line in describe_submission(one)))
    return DONE


CSV_HEADER = ("id", "model", "sample", "status", "verdict", "accuracy", "eed", "reason")
STARTS_A_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def defuse(value: Any) -> Any:
    is_formula = isinstance(value, str) and STARTS_A_FORMULA.match(value)
    return f"'{value}" if is_formula else "" if value is None else value


def results(given: argparse.Namespace) -> int:
    server = connect(given)
    rows: list[dict[str, Any]] = []
    is_complete = True
    for pk in find_submissions(server, given):
        found = server.get(f"/submissions/{pk}")
        is_complete &= is_whole(found)
        cursor: str | None = ""
        while cursor is not None:
            page = server.get(f"/submissions/{pk}/results", cursor=cursor, limit=1000)
            rows += [{**one, "submission": pk, "model": found["model"]} for one in page["items"]]
            cursor = page["next"]
    if given.csv:
        writer = csv.writer(sys.stdout)
        writer.writerow([*CSV_HEADER, "key_corrected_since"])
        for one in rows:
            cells = [one["problem"], one["model"], one["sample"], one["status"], one["verdict"]]
            cells += [one["accuracy"], one["eed"], one["reason"]]
            cells.append("yes" if one["is_key_corrected"] else "no")
            writer.writerow([defuse(cell) for cell in cells])
    else:
        show(given, rows, map(describe_result, rows))
    return DONE if is_complete else NOT_YET


def describe_result(one: Mapping[str, Any]) -> str:
    eed = "" if one["eed"] is None else one["eed"]
    return f"{one['problem']}\t{one['sample'] or ''}\t{one['verdict'] or one['status']}\t{eed}"


def leaderboard(given: argparse.Namespace) -> int:
    """Show the board, as everybody may read it: a token is not needed."""
    server = connect(given, for_everybody=True)
    board = server.get(f"{find_version(server, given)}/board", sort=given.sort)
    show(given, board, describe_board(board))
    return DONE


BOARD_HEADINGS = ("Rank", "Solver", "Accuracy", "95 %", "EED", "95 %")


def describe_board(board: Mapping[str, Any]) -> Iterator[str]:
    """Write a board as a table; a figure that is not there is a dash."""
    yield f"{board.get('benchmark', '–')}, version {board.get('version', '–')}"
    groups = [*(board.get("studies") or ()), *filter(None, [board.get("people")])]
    cells = [list_cells(one, name_row(one)) for one in board.get("rows") or ()]
    cells += [list_cells(one, name_group(one)) for one in groups]
    if not cells:
        yield "This board has no answers yet."
        return
    table = [BOARD_HEADINGS, *cells]
    widths = [max(map(measure, column)) for column in zip(*table)]
    for written in table:
        padded = (cell + " " * (width - measure(cell)) for cell, width in zip(written, widths))
        yield "  ".join(padded).rstrip()


def list_cells(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    figures = (cell for name in ("accuracy", "eed") for cell in write_figure(row, name))
    return (write_range(row.get("rank_low"), row.get("rank_high"), ""), clean(name), *figures)


def name_row(row: Mapping[str, Any]) -> str:
    """Name a model, and say why its figures are ranges, if they are."""
    return f"{row.get('name') or '–'}{say_open(row)}"


def say_open(row: Mapping[str, Any]) -> str:
    counts = (row.get("waiting"), "still being graded"), (row.get("not_graded"), "not graded")
    said = [f"{count} {words}" for count, words in counts if count]
    if row.get("carried_from"):
        said.append(f"answers to version {row['carried_from']}")
    return f" ({', '.join(said)})" if said else ""


def name_group(people: Mapping[str, Any]) -> str:
    named = people.get("name") or people.get("study") or "People without a study"
    count = people.get("people")
    name = str(named) if count is None else f"{named} ({count} people)"
    return f"{name}{say_open(people)}"


def write_figure(row: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Write a figure and its interval; where not all is graded, between what it can lie."""
    figure, span = row.get(name) or {}, row.get(f"{name}_range") or {}
    value = figure.get("value")
    if value is None or span:
        return write_range(span.get("low"), span.get("high"), ".1f"), "–"
    return f"{value:.1f}", write_range(figure.get("low"), figure.get("high"), ".1f")


def write_range(low: "float | None", high: "float | None", form: str) -> str:
    if low is None or high is None:
        return "–"
    ends = format(low, form), format(high, form)
    return ends[0] if ends[0] == ends[1] else "–".join(ends)


def clean(text: str) -> str:
    """Leave out what a terminal would obey."""
    return "".join(one for one in text if one in "\n\t" or unicodedata.category(one)[0] != "C")


def measure(text: str) -> int:
    """Count the columns that a terminal needs for a text: Chinese characters take two."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="phybench.py",
        description="Have models' answers graded by PHYBench curation.",
        epilog="Exit status: 0 done, 1 refused, 2 used wrongly, 3 not all is known yet.",
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--url", default="", help="the server; else PHYBENCH_URL, else as logged in"
    )
    shared.add_argument("--json", action="store_true", help="write JSON")
    of_benchmark = argparse.ArgumentParser(add_help=False)
    of_benchmark.add_argument(
        "--benchmark", default="", help="its name or slug, needed where there are several"
    )
    of_version = argparse.ArgumentParser(add_help=False)
    of_version.add_argument("--version", type=int, help="its newest, where none is named")
    files = argparse.ArgumentParser(add_help=False)
    files.add_argument(
        "files", nargs="+", metavar="FILE", help="as the harness wrote it, or its folder"
    )
    files.add_argument("--model", default="", help="who wrote the rows that name no model")
    files.add_argument(
        "--fields",
        type=read_map,
        default={},
        help='which field holds what, as JSON: {"id": "nr", "response": "said", "model": "who"}',
    )
    files.add_argument("--organisation", type=int, help="its id, needed by who is of several")
    files.add_argument("--again", action="store_true", help="though they were graded before")
    waits = argparse.ArgumentParser(add_help=False)
    waits.add_argument("--wait", action="store_true", help="wait until all is graded")
    ids = argparse.ArgumentParser(add_help=False)
    ids.add_argument(
        "ids", nargs="*", type=int, metavar="ID", help="the newest, where none is named"
    )
    asks = argparse.ArgumentParser(add_help=False)
    asks.add_argument("--yes", action="store_true", help="without asking first")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[Any], int], text: str, *parents: Any) -> Any:
        made = commands.add_parser(name, help=text, parents=[shared, *parents])
        made.set_defaults(run=run)
        return made

    add("login", login, "keep a token for later commands")
    add("problems", problems, "write what a version asks", of_benchmark, of_version)
    asking = add("task", task, "download a harness's task file", of_benchmark, of_version)
    asking.add_argument("harness", metavar="HARNESS", help="such as inspect")
    asking.add_argument("--output", default="", metavar="FILE", help="else as it is called there")
    add("preview", preview, "upload files, and tell how they are read", files, of_benchmark)
    sending = add("submit", submit, "upload files and have them graded", files, of_benchmark, waits)
    sending.add_argument("--named", action="store_true", help="rank these, whatever comes later")
    sending.add_argument("--mail", action="store_true", help="e-mail me once they are graded")
    sending.add_argument("--webhook", default="", help="post there once they are graded")
    drafted = add("draft", draft, "tell what a draft would come to")
    drafted.add_argument("id", type=int, metavar="ID")
    add("drafts", drafts, "list what is uploaded and not graded")
    discarded = add("discard", discard, "delete drafts with their files", asks)
    discarded.add_argument("ids", nargs="+", type=int, metavar="ID", help="as “drafts” lists them")
    add("status", status, "tell how far submissions are", ids, waits)
    listing = add("results", results, "tell how each answer was graded", ids)
    listing.add_argument("--csv", action="store_true", help="write CSV")
    add("publish", publish, "put submissions on the board", ids, asks)
    add("withdraw", withdraw, "take submissions off the board", ids, asks)
    ranking = add("leaderboard", leaderboard, "show the board", of_benchmark, of_version)
    ranking.add_argument("--sort", choices=("eed", "accuracy"), default="eed")
    return parser


def main(arguments: "list[str] | None" = None) -> int:
    given = make_parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except Refused as why:
        if given.json:
            said = {"refused": str(why), "type": why.kind}
            print(json.dumps(said, ensure_ascii=False))
        say(clean(str(why)))
        return why.status
    except BrokenPipeError:
        # Who reads, as `head` does, has enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        say("Interrupted. The same command goes on where this stopped.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
