"""Whom PostgreSQL runs as: it refuses to be root, which is what one often is in a container."""

import ctypes
import os
import pwd
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from development.failure import Failure

CLONE_NEWUSER = 0x10000000
NOBODY = 65534


@dataclass(frozen=True)
class Identity:
    """What a child process does to be someone PostgreSQL accepts."""

    become: Callable[[], None] | None
    owner: tuple[int, int] | None
    """Who has to own the files it writes, where that is someone else."""

    def own(self, folder: Path) -> None:
        """Give a folder and what is in it to the owner, where there is another."""
        if self.owner is None:
            return
        for path in (folder, *folder.rglob("*")):
            os.chown(path, *self.owner, follow_symlinks=False)


def choose_identity() -> Identity:
    """
    Stay who one is, unless that is root.

    Root becomes `nobody` within a user namespace, where its files still count as its own. A system
    that refuses namespaces (Docker does by default) has a real `postgres` or `nobody` instead.
    """
    if os.getuid() != 0:
        return Identity(None, None)
    if can_use_namespace():
        return Identity(become_nobody_in_namespace, None)
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Identity(become_user(entry.pw_uid, entry.pw_gid), (entry.pw_uid, entry.pw_gid))
    raise Failure("PostgreSQL refuses to run as root: start dev.py as another user.")


def become_nobody_in_namespace() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{NOBODY} 0 1")
    Path("/proc/self/gid_map").write_text(f"{NOBODY} 0 1")


def become_user(user: int, group: int) -> Callable[[], None]:
    def become() -> None:
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)

    return become


def can_use_namespace() -> bool:
    """Try it in a child process that does nothing else."""
    if sys.platform != "linux":
        return False
    child = os.fork()
    if child == 0:
        try:
            become_nobody_in_namespace()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
