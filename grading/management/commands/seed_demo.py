"""Make the demo, once, and say how to sign in; `grading/demo/benchmark.py` has what it holds."""

from threading import Thread
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from grading.demo import people as demo_people
from phybench.people.demo_people import list_demo_people
from phybench.work import sandbox


class Command(BaseCommand):
    help = (
        "Make a benchmark “Demo” with people, problems, solvers and answers, and print the logins."
        " Where it is made already, only prints them; where real people or benchmarks are, does"
        " nothing. DEMO_PASSWORD sets the password, otherwise one is made."
    )

    # They load every view, and SymPy with them.
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        password = ""
        if not demo_people.is_made():
            if demo_people.is_in_use():
                self.stdout.write(_("No demo created: people or benchmarks exist already."))
                return
            # SymPy takes seconds to load, in the children that will check references and here: at
            # the same time, and not at all in a second run.
            Thread(target=sandbox.warm).start()
            from grading.demo import benchmark as demo

            chosen = demo_people.choose_password()
            if demo.make(chosen):
                demo_people.remember_password(chosen)
                password = chosen
        self.stdout.write(_("Demo people, by role:"))
        for person in list_demo_people():
            labels = ", ".join(label for label, _what in person.role_labels())
            self.stdout.write(f"  {person.email:<28} {labels}")
        # One just chosen need not be tried, which is slow by design.
        if password := password or demo_people.known_password():
            self.stdout.write(_("Their password: %(password)s") % {"password": password})
        else:
            self.stdout.write(_("Their password was set elsewhere. A new one for the admin:"))
            self.stdout.write(f"  manage.py changepassword {demo_people.ADMIN.email}")
