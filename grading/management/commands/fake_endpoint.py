"""Play an endpoint on this machine; `grading/demo/fake_answers.py` has what it answers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from grading.demo.fake_answers import MODELS, make_script
from grading.demo.fake_endpoint import FakeEndpoint
from grading.runs import actions as endpoint_actions
from grading.runs.models import Endpoint

NAME = "Fake endpoint (made-up answers)"
PORT = 8899


class Command(BaseCommand):
    help = (
        "Answer as an endpoint would, on this machine and with made-up answers, until Ctrl-C: to"
        " walk the pages with no model at hand. It is added to the endpoints as “" + NAME + "”."
        " Loopback has to be listed in ENDPOINT_EGRESS_ALLOW, as `dev.py` does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help=f"where it listens ({PORT})")
        parser.add_argument(
            "--only-listen", action="store_true", help="leave the list of endpoints as it is"
        )

    def handle(self, *, port: int, only_listen: bool, **options: Any) -> None:
        try:
            server = FakeEndpoint(make_script(), port=port, models=MODELS)
        except OSError as error:
            raise CommandError(
                _("Can’t listen on port %(port)d (%(error)s): choose another with --port.")
                % {"port": port, "error": error.strerror}
            ) from None
        if not only_listen:
            endpoint = Endpoint.objects.filter(name=NAME).first() or Endpoint(name=NAME)
            endpoint.base_url, endpoint.offered = str(server.base_url), list(MODELS)
            endpoint_actions.save(endpoint, key=None)
            endpoint_actions.resume(endpoint)
        self.stdout.write(
            _("A fake endpoint with made-up answers listens at %(url)s until Ctrl-C.")
            % {"url": server.base_url}
        )
        try:
            with server:
                server.serve_forever()
        except KeyboardInterrupt:
            self.stdout.write(_("Stopped."))
