"""Processes of the application, as `dev.py run` starts them, on a test's own database."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

import redis
from django.conf import settings
from django.db import connection

from development import broker
from development.supervisor import Service, Supervisor
from tests.development.checkout import ROOT


class Processes:
    """Services of one test, on the test's database."""

    def __init__(self, folder: Path) -> None:
        name = quote(connection.settings_dict["NAME"])
        self.environment = {
            **os.environ,
            "DATABASE_URL": urlsplit(os.environ["DATABASE_URL"])._replace(path=name).geturl(),
            "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
            "CELERY_TASK_DEFAULT_QUEUE": settings.CELERY_TASK_DEFAULT_QUEUE,
        }
        self.folder = folder
        self.supervisors: list[Supervisor] = []

    def start(
        self, make: Callable[[dict[str, str]], Service], **environment: str
    ) -> subprocess.Popen[bytes]:
        """Start a process with a folder and a supervisor of its own: it may end before others."""
        folder = self.folder / str(len(self.supervisors))
        supervisor = Supervisor(folder=folder, log_folder=folder / "log", root=ROOT)
        self.supervisors.append(supervisor)
        supervisor.start(make({**self.environment, "VAR_DIR": str(folder), **environment}))
        [[running]] = supervisor.stages
        return running.process

    def start_own_broker(self) -> redis.Redis:
        sockets = self.folder / "sockets"
        sockets.mkdir()
        self.environment["CELERY_BROKER_URL"] = broker.broker_url(sockets)
        self.start(
            lambda environment: broker.make_service(
                folder=self.folder, sockets=sockets, environment=environment
            )
        )
        return redis.Redis(unix_socket_path=str(broker.socket_path(sockets)))


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process as the system does that is out of memory: at once and without a word."""
    process.kill()
    process.wait()
