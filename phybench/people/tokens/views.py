"""One's own tokens: make one, revoke one. They are listed on the profile."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench.people.tokens import actions
from phybench.people.tokens.forms import TokenForm


@role_required(Role.EVALUATOR)
@never_cache
@sensitive_variables("secret")
@require_http_methods(["GET", "POST"])
def new(request: MemberRequest) -> HttpResponse:
    """Make a token and show it, this once."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            token, secret = actions.make(person=request.user, **form.read())
        except actions.TooMany as refused:
            form.add_error(None, str(refused))
        else:
            context = {"token": token, "secret": secret}
            return render(request, "phybench/token_made.html", context)
    status = 400 if form.errors else 200
    return render(request, "phybench/new_token.html", {"form": form}, status=status)


@require_http_methods(["GET", "POST"])
def revoke(request: MemberRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(request.user.tokens.filter(revoked_at=None), pk=pk)
    if request.method == "GET":
        return render(request, "phybench/revoke_token.html", {"token": token})
    actions.revoke(token=token)
    messages.success(
        request, _("Revoked: %(token)s is no longer accepted.") % {"token": token.name}
    )
    return redirect("profile")
