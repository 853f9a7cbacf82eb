"""
What saves in a study take while visitors ask for a board as fast as they are answered.

    python3 dev.py test tests/benchmarks/visitors.py -s

Forty-eight loops without a pause ask for a board of 11,520 answers: without a cookie, with one that
is made up anew each time, with that of one account, and for an address that nobody asked for yet,
whose page is made for each; straight from the web server, and, where there is an nginx, through it
as docs/deploy.md has it. Asked for: no save is lost or refused, their 95th percentile is at most
three times that of the same people alone in the same run, and visitors wait a second at most (but
for pages that are new). Who asks shares the machine with who answers. VISITORS_SECONDS (60) makes
each part shorter.
"""

import http.client
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from curation.problems.benchmarks.models import Benchmark
from development import web
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions.models import Save
from phybench.people.models import User
from tests.benchmarks.board import look_at_tables
from tests.benchmarks.sessions import Sitting, find_share, sign_in, sit
from tests.boards import make_scored_board
from tests.development.checkout import free_port, wait_until
from tests.processes import Processes

SECONDS = float(os.environ.get("VISITORS_SECONDS", "60"))
ASKING = str(Path(__file__).with_name("loops.py"))
SITTERS = 10
EVERY = 0.5
"""Seconds between two saves of a person: ten times as many as they type."""
PROBLEMS, MODELS, SAMPLES = 48, 60, 4
MOST_TIMES_IDLE, MOST_SECONDS = 3.0, 1.0
PATH = "/b/size/"
NEW = f"{PATH}?made-up"


def save_on(sitting: Sitting, seconds: float) -> None:
    over = time.monotonic() + seconds
    turn = time.monotonic() + random.uniform(0, EVERY)
    while turn < over:
        time.sleep(max(0.0, turn - time.monotonic()))
        sitting.save()
        turn += EVERY


def measure(sittings: list[Sitting], seconds: float) -> list[float]:
    """Have everybody save for so long; return what each save took."""
    for one in sittings:
        one.took.clear()
    with ThreadPoolExecutor(len(sittings)) as threads:
        for done in [threads.submit(save_on, one, seconds) for one in sittings]:
            done.result()
    return [took for one in sittings for took in one.took["save"]]


def start_attack(port: int, cookie: str, seconds: float, path: str = PATH) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, ASKING, str(port), path, str(seconds)),
            f"{settings.SESSION_COOKIE_NAME}={cookie}" if cookie else "",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )


def start_nginx(folder: Path, port: int, behind: int) -> subprocess.Popen[bytes]:
    """Start the proxy of docs/deploy.md, without TLS."""
    lines = f"""
        pid {folder}/nginx.pid; error_log {folder}/error.log; daemon off; user root;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
            fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
            server {{
                listen 127.0.0.1:{port};
                location / {{
                    proxy_pass http://127.0.0.1:{behind};
                    proxy_set_header Host $http_host;
                    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                }}
            }}
        }}
    """
    (folder / "nginx.conf").write_text(lines)
    return subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf")])


@pytest.mark.django_db(transaction=True)
def test_what_saves_take_while_visitors_ask_without_a_pause(
    processes: Processes, benchmark: Benchmark, admin: User, evaluator: User, tmp_path: Path
) -> None:
    chance = random.Random(1)
    made = make_scored_board(
        {
            f"Model {number}": [
                [100.0 * (chance.random() < 0.5) for _sample in range(SAMPLES)]
                for _problem in range(PROBLEMS)
            ]
            for number in range(MODELS)
        },
        slug="size",
    )
    study = studying.make(
        version=made.version,
        title="Saving",
        by=admin,
        problems=8,
        minutes=60,
        joining=Study.Joining.OPEN,
        consent="Yes.",
        most_people=SITTERS,
    )
    studying.open_study(study=study, by=admin)
    look_at_tables()
    port = free_port()
    processes.start(lambda environment: web.server(environment, port))
    for make in (web.worker, web.reserved, web.beat):
        processes.start(make)
    sittings = [sit(study, port, number) for number in range(SITTERS)]
    account = sign_in(evaluator)
    ways = {"dev.py run": port}
    if shutil.which("nginx"):
        ways["nginx"] = free_port()
        proxy = start_nginx(tmp_path, ways["nginx"], port)
        assert wait_until(lambda: web.answers(ways["nginx"]))
    measure(sittings, 10)  # what a process does for the first time is no part of it
    print(f"\n{'':<24}{'saves':>7}{'median':>8}{'95 %':>8}{'times':>7}{'asked':>8}{'95 %':>8}")
    wrong = []
    for way, at in ways.items():
        for one in sittings:
            one.port = at
        idle = measure(sittings, SECONDS / 2)
        idle_95 = find_share(idle, 0.95)
        print(f"{way + ', nobody':<24}{len(idle):>7}{_ms(statistics.median(idle))}{_ms(idle_95)}")
        for who, cookie, path in (
            ("no cookie", "", PATH),
            ("made up", "made-up", PATH),
            ("account", account, PATH),
            ("new address", "", NEW),
        ):
            attacker = start_attack(at, cookie, SECONDS + 2, path)
            time.sleep(2)
            took = measure(sittings, SECONDS)
            had = json.loads(attacker.communicate()[0])
            waited = find_share([seconds for seconds, _status in had], 0.95)
            times = find_share(took, 0.95) / idle_95
            print(
                f"{way + ', ' + who:<24}{len(took):>7}{_ms(statistics.median(took))}"
                f"{_ms(find_share(took, 0.95))}{times:>7.1f}{len(had):>8}{_ms(waited)}  "
                f"{dict(Counter(status for _seconds, status in had))}"
            )
            is_slow = waited > MOST_SECONDS and path == PATH
            if times > MOST_TIMES_IDLE or is_slow:
                wrong.append((way, who, times, waited))
    if "nginx" in ways:
        proxy.terminate()
    saved = sum(one.saved for one in sittings)
    kept = Save.objects.filter(item__session__in=[one.session for one in sittings]).count()
    failures = [failure for one in sittings for failure in one.failures]
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", PATH)
    first = connection.getresponse()
    first.read()
    cookie = first.headers["Set-Cookie"].partition(";")[0]
    again = {"If-None-Match": first.headers["ETag"], "Cookie": cookie}
    connection.request("GET", PATH, headers=again)
    status = connection.getresponse().status
    print(f"{kept} of {saved} saves kept; {failures[:5]}; to its ETag {status}")
    assert kept == saved
    assert not failures
    assert not wrong, wrong


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:>8.1f}"
