"""Short paths for unix sockets: the system allows about 100 bytes, a checkout's may be longer."""

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from development.failure import Failure

LONGEST_PARENT = 60


def temporary_folder() -> Path:
    """Return where temporary files go, unless that is too long for sockets."""
    folder = Path(tempfile.gettempdir())
    return folder if len(os.fsencode(folder)) <= LONGEST_PARENT else Path("/tmp")


def socket_folder(data_folder: Path) -> Path:
    """Return the private folder for the sockets of what keeps its data in `data_folder`."""
    parent = temporary_folder()
    name = f"phybench-{hashlib.sha256(str(data_folder.resolve()).encode()).hexdigest()[:12]}"
    folder = parent / name
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    # Anyone may make folders there: one that others can write into must not be trusted.
    is_own = stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid()
    if not is_own or state.st_mode & 0o022:
        raise Failure(f"{folder} belongs to another user: remove it, or set TMPDIR to a folder.")
    return folder
