"""Endpoints, for admins: set up, asked which models they have, paused, resumed, paid for."""

from collections.abc import Callable
from datetime import date

from django.contrib import messages
from django.db.models import DecimalField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grading.endpoints import KeyringError
from grading.runs import actions as endpoint_actions
from grading.runs.forms import EndpointForm
from grading.runs.models import Endpoint, Spending
from grading.runs.sentences import translate
from phybench.pages.csv import csv_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.numbers.sentences import Sentence

ROWS = 60
"""Of what was spent, on the page; the file has all of it."""


@role_required(Role.ADMIN)
@require_GET
def endpoints(request: MemberRequest) -> HttpResponse:
    def today(column: str, kind: type[DecimalField] = DecimalField) -> Coalesce:
        sums = (
            Spending.objects.filter(endpoint=OuterRef("pk"), day=timezone.now().date())
            .order_by()
            .values("endpoint")
            .annotate(sum=Sum(column))
            .values("sum")
        )
        return Coalesce(Subquery(sums, output_field=kind()), 0, output_field=kind())

    found = Endpoint.objects.annotate(
        calls_today=today("calls"), tokens_today=today("tokens"), money_today=today("money")
    )
    return render(request, "grading/endpoints.html", {"endpoints": found})


@role_required(Role.ADMIN)
@require_GET
def endpoint(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Endpoint, pk=pk)
    context = {
        "endpoint": found,
        "spent": found.spending.all()[:ROWS],
        "today": found.spending.of_today().cost(),
        "under_way": found.under_way.filter(until__gt=timezone.now()).count(),
        "reserved": found.reservations.filter(calls__gt=0).select_related("run__model_run"),
        # Those offered stay on the list, though the endpoint names others.
        "models": [
            (model, model in found.offered)
            for model in dict.fromkeys([*found.offered, *found.models_found])
        ],
    }
    return render(request, "grading/endpoint.html", context)


@role_required(Role.ADMIN)
@sensitive_post_parameters("key")
@require_http_methods(["GET", "POST"])
def new_endpoint(request: MemberRequest) -> HttpResponse:
    return _edit(request, Endpoint())


@role_required(Role.ADMIN)
@sensitive_post_parameters("key")
@require_http_methods(["GET", "POST"])
def edit_endpoint(request: MemberRequest, pk: int) -> HttpResponse:
    return _edit(request, get_object_or_404(Endpoint, pk=pk))


def _edit(request: MemberRequest, endpoint: Endpoint) -> HttpResponse:
    stored = Endpoint.objects.get(pk=endpoint.pk) if endpoint.pk else None
    if request.method == "POST":
        form = EndpointForm(request.POST, instance=endpoint)
        if form.is_valid() and _save(request, form):
            return redirect(form.instance)
    else:
        form = EndpointForm(instance=endpoint)
    # The form has written into its own what may be refused.
    context = {"form": form, "endpoint": stored}
    return render(
        request, "grading/endpoint_form.html", context, status=400 if form.errors else 200
    )


def _save(request: MemberRequest, form: EndpointForm) -> bool:
    try:
        dropped = endpoint_actions.save(
            form.instance,
            key=form.cleaned_data["key"],
            clear_key=form.cleaned_data.get("clear_key", False),
        )
    except KeyringError as error:
        form.add_error("key", translate(Sentence(f"keys_{error.code}")))
        return False
    if dropped:
        messages.warning(
            request,
            _(
                "The host of the address changed, so the API key was deleted. Enter "
                "one for the new host."
            ),
        )
    messages.success(request, _("Saved. List its models to check that it responds."))
    return True


@role_required(Role.ADMIN)
@require_POST
def probe(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Endpoint, pk=pk)
    endpoint_actions.probe(found)
    return redirect(f"{found.get_absolute_url()}#models")


def _posted(act: Callable[[Endpoint], None]) -> Callable[..., HttpResponseBase]:
    @role_required(Role.ADMIN)
    @require_POST
    def view(request: MemberRequest, pk: int) -> HttpResponse:
        found = get_object_or_404(Endpoint, pk=pk)
        act(found)
        return redirect(found)

    return view


pause = _posted(endpoint_actions.pause)
resume = _posted(endpoint_actions.resume)


@role_required(Role.ADMIN)
@require_POST
def offer(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Endpoint, pk=pk)
    chosen = request.POST.getlist("model")
    endpoint_actions.offer(found, chosen)
    if chosen:
        messages.success(request, _("The models you ticked can now be chosen."))
    else:
        messages.warning(request, _("No model is offered now, so none can be chosen."))
    return redirect(found)


@role_required(Role.ADMIN)
@require_GET
def spending_csv(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Endpoint, pk=pk)
    header = ["day", "model", "calls", "tokens", "money", "currency", "estimated_calls"]
    rows = (
        [
            _write_day(one.day),
            one.model,
            one.calls,
            one.tokens,
            one.money,
            found.currency,
            one.estimated,
        ]
        for one in found.spending.all()
    )
    return csv_response(f"spending-{found.pk}", header, rows)


def _write_day(day: date) -> str:
    return day.isoformat()
