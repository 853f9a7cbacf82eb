"""
Which key goes to which judge: named on the command line, held by the environment, never in a file.

A configuration names no keys, so that one from a stranger can send none anywhere.
"""

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from grading.endpoints import APIKey
from grading.judging.engine.configuration import Judge
from phybench.pages.excerpt import show

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
            known = _(", ").join(show(judge.name) for judge in judges)
            raise BadKey(
                _("no judge is called “%(name)s”. Judges of the configuration: %(known)s.")
                % {"name": show(name), "known": known or _("none")}
            )
        if len({judge.base_url.origin for judge in meant}) > 1:
            raise BadKey(
                _(
                    "the judges are at several hosts: write --key-env JUDGE=NAME once for each, "
                    "so that no host gets another’s API key."
                )
            )
        key = _read_key(variable, environment)
        keys |= {judge.name: key for judge in meant}
    return keys


def _read_key(variable: str, environment: Mapping[str, str]) -> APIKey:
    if not KEY_NAME.fullmatch(variable):
        # What stands there may be a key, given by mistake: it is not said back.
        raise BadKey(
            _(
                "name an environment variable that begins with JUDGE_KEY_ and is in capitals, such "
                "as JUDGE_KEY_1; put the API key into that variable."
            )
        )
    given = environment.get(variable, "").strip()
    if not given:
        raise BadKey(
            _(
                "the environment variable %(name)s is not set or is empty. Set it to the API key, "
                "for example with “export %(name)s=…”, or leave out --key-env if the endpoint "
                "needs no API key."
            )
            % {"name": variable}
        )
    try:
        return APIKey(given)
    except ValueError as error:
        # Its words are listed for translators where those of the pages are.
        raise BadKey(f"{variable}: {_(str(error))}") from None
