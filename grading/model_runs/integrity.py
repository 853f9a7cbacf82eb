"""What holds of runs of models: an answer's calls are those that were made for it."""

from decimal import Decimal

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from grading.model_runs.models import ModelRunAnswer
from grading.runs.models import ModelCall
from phybench.work.integrity import Invariant, register, those

_made = ModelCall.objects.filter(run=OuterRef("run"), item=OuterRef("pk")).order_by().values("item")
_answers = ModelRunAnswer.objects.annotate(
    all_calls=Coalesce(Subquery(_made.annotate(sum=Count("pk")).values("sum")), 0),
    all_tokens=Coalesce(Subquery(_made.annotate(sum=Sum("tokens")).values("sum")), 0),
    all_money=Coalesce(Subquery(_made.annotate(sum=Sum("money")).values("sum")), Decimal(0)),
)

register(
    Invariant(
        _answers,
        those(
            ~Q(calls_made=F("all_calls"), tokens=F("all_tokens"), money=F("all_money")),
        ),
        "says that it cost something else than its calls",
    ),
)
