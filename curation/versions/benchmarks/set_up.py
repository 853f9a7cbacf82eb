"""
The first page of an empty install: whoever started it becomes the admin of its first benchmark.

Who may is known by a code that the terminal printed, and only while there is no admin.
"""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from curation.versions.benchmarks import actions
from phybench.people.accounts import is_without_admin, make_set_up_code
from phybench.people.forms import NameField, NewAccountForm, form_says_why_not
from phybench.people.models import User


class SetUpForm(NewAccountForm):
    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        help_text=_("The terminal in which you started the server printed it."),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    benchmark = NameField(
        label=_("Name of your benchmark"),
        max_length=80,
        help_text=_("For example the name of your group. You can change it later."),
    )
    field_order = ["code", "benchmark", "display_name", "email", "password1", "password2"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["display_name"].label = _("Your name")

    def clean_code(self) -> str:
        # As it is read out or copied, with what a copy takes along.
        code = "".join(one for one in self.cleaned_data["code"].lower() if one.isalnum())
        if not constant_time_compare(code, make_set_up_code().replace("-", "")):
            raise forms.ValidationError(
                gettext("This is not the code. Copy it from the terminal, or open the link there.")
            )
        return make_set_up_code()


@transaction.atomic
def set_up(form: SetUpForm) -> tuple[User, Benchmark]:
    """
    Make the first admin, with all roles, and the first benchmark.

    Raises:
        NotAllowedNow: somebody else did meanwhile.
    """
    with connection.cursor() as cursor:
        # Of two at once the second waits here, and then there is an admin.
        cursor.execute(f'LOCK TABLE "{User._meta.db_table}" IN SHARE ROW EXCLUSIVE MODE')
    given = form.cleaned_data
    is_taken = User.objects.filter(email__iexact=given["email"]).exists()
    if is_taken or not is_without_admin():
        raise NotAllowedNow(gettext("There is an account already. Sign in with it."))
    admin = User.objects.create_superuser(
        given["email"].lower(), given["password1"], display_name=given["display_name"]
    )
    name = given["benchmark"]
    made = actions.make(
        by=admin, slug=slugify(name) or "benchmark", settings={"name": name}, goals={}
    )
    return admin, made


@login_not_required
@sensitive_post_parameters("password1", "password2", "code")
@never_cache
@require_http_methods(["GET", "POST"])
def set_up_page(request: HttpRequest) -> HttpResponse:
    if not is_without_admin():
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = SetUpForm(sent, initial={"code": request.GET.get("code", "")})
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            admin, benchmark = set_up(form)
            login(request, admin, backend=settings.AUTHENTICATION_BACKENDS[0])
            messages.success(request, gettext("“%(name)s” is yours to fill.") % {"name": benchmark})
            return redirect("curation:overview", benchmark.slug)
    status = 400 if form.errors else 200
    return render(request, "curation/set_up.html", {"form": form}, status=status)
