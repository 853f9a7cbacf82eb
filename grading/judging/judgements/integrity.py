"""What holds of judgements: one a round, and it cost what its calls did."""

from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem
from grading.runs.models import ModelCall
from phybench.work.integrity import Invariant, register, those

_of_round = Judgement.objects.filter(
    item=OuterRef("pk"), round=OuterRef("round"), status=OuterRef("state")
)
_earlier = Judgement.objects.filter(
    item=OuterRef("item"), round=OuterRef("round"), pk__lt=OuterRef("pk")
)
_made = (
    ModelCall.objects.filter(run=OuterRef("item__run"), item=OuterRef("pk"))
    .order_by()
    .values("item")
)
_calls = JudgeCall.objects.annotate(
    all_tokens=Coalesce(Subquery(_made.annotate(sum=Sum("tokens")).values("sum")), 0),
    all_money=Coalesce(Subquery(_made.annotate(sum=Sum("money")).values("sum")), Decimal(0)),
)

register(
    Invariant(
        JudgeItem.objects.filter(state__in=[JudgeItem.State.SCORED, JudgeItem.State.UNSCORED]),
        those(~Exists(_of_round)),
        "has ended its round, but nothing is kept of what its judges said",
    ),
    Invariant(
        Judgement.objects.all(),
        those(Exists(_earlier)),
        "is the second judgement of its item in its round",
    ),
    Invariant(
        _calls,
        those(~Q(tokens=F("all_tokens"), money=F("all_money"))),
        "says that it cost something else than the call that was made for it",
    ),
)
