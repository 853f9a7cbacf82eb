"""
Which key goes to which judge: named on the command line, held by the environment, never in a file.

A configuration names no keys, so that one from a stranger can send none anywhere.
"""

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from grading.endpoints import APIKey
from grading.judging.engine.configuration import Judge
from phybench.excerpt import show

KEY_NAME = re.compile(r"JUDGE_KEY_[A-Z0-9_]+", re.ASCII)
"""Nothing else in the environment is ever sent anywhere."""


class BadKey(Exception):
    """A key can't be had as it was asked for; the message says what to do, and shows no key."""


def read_keys(
    judges: Sequence[Judge], named: Sequence[str], environment: Mapping[str, str]
) -> dict[str, APIKey]:
    """
    Read keys by the judges' names, from variables named as `NAME` or `JUDGE=NAME`.

    Raises:
        BadKey: a name is not one for keys, its value is no key, or it would go to several hosts.
    """
    keys: dict[str, APIKey] = {}
    for one in named:
        name, _equals, variable = one.rpartition("=")
        meant = [judge for judge in judges if not name or judge.name == name]
        if not meant:
            raise BadKey(_("no judge is called “%(name)s”.") % {"name": show(name)})
        if len({judge.base_url.origin for judge in meant}) > 1:
            raise BadKey(_("the judges are at several hosts; write JUDGE=NAME for each."))
        key = _read_key(variable, environment)
        keys |= {judge.name: key for judge in meant}
    return keys


def _read_key(variable: str, environment: Mapping[str, str]) -> APIKey:
    if not KEY_NAME.fullmatch(variable):
        # What stands there may be a key, given by mistake: it is not said back.
        raise BadKey(_("name an environment variable that begins with JUDGE_KEY_."))
    try:
        return APIKey(environment.get(variable, "").strip())
    except ValueError as error:
        raise BadKey(f"{variable}: {error}") from None
