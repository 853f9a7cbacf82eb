"""What narrows the list of runs of models, and that of one run's answers."""

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from grading.model_runs.models import ModelRun, ModelRunAnswer
from phybench.pages.listing import ListFilter, choice


class ModelRunFilter(ListFilter):
    state = choice(_("Status"), ModelRun.State.choices)
    q = django_filters.CharFilter(label=_("Model"), field_name="name", lookup_expr="icontains")


class AnswerFilter(ListFilter):
    show = choice(
        "", [*ModelRunAnswer.State.choices, *ModelRunAnswer.Remark.choices], method="find"
    )
    reason = django_filters.CharFilter(field_name="failure_reason")
    q = django_filters.CharFilter(label=_("Problem"), field_name="item__identifier")

    def find(
        self, found: QuerySet[ModelRunAnswer], name: str, show: str
    ) -> QuerySet[ModelRunAnswer]:
        is_remark = show in ModelRunAnswer.Remark.values
        return found.filter(remark=show) if is_remark else found.filter(state=show)
