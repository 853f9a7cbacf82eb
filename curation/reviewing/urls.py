from django.urls import path

from curation.reviewing.agreement import splits
from curation.reviewing.agreement import views as agreement
from curation.reviewing.assignments import lists, queue
from curation.reviewing.assignments import views as assigning
from curation.reviewing.discussion import views as comments
from curation.reviewing.pipeline_editor import views as plans
from curation.reviewing.reviews import draft_views, remarks
from curation.reviewing.reviews import views as reviewing
from phybench.pages.addresses import Address

of_round = Address(
    reviewing.review,
    {
        "do=take": queue.take,
        "do=decline": queue.decline,
        "do=show": reviewing.show_answer,
        "do=note": draft_views.note,
        "do=skip": draft_views.skip,
        "do=solve": reviewing.solve,
    },
)
of_queue = Address(
    queue.queue,
    {"do=next": queue.review_next, "do=reject": splits.reject, "show=splits": splits.splits},
)
of_settings = Address(
    plans.review_settings,
    {
        "do=copy": plans.copy_plan,
        "do=rename": plans.rename_plan,
        "do=delete": plans.delete_plan,
        "do=mark": assigning.conflicts,
        "do=lift": assigning.lift_conflict,
        "show=plan": plans.show_plan,
        "show=stage": plans.new_stage,
        "show=conflicts": assigning.conflicts,
    },
)
of_stage = Address(
    plans.stage,
    {"do=move": plans.move_stage, "do=delete": plans.delete_stage},
)

urlpatterns = [
    path("b/<slug:slug>/review/", of_queue, name="queue"),
    path(
        "b/<slug:slug>/review/assign/",
        Address(
            lists.rounds,
            {
                "do=revoke": assigning.revoke,
                "show=asked": lists.asked,
                "show=choose": assigning.assign,
                "show=spread": assigning.spread,
            },
        ),
        name="assignments",
    ),
    path("b/<slug:slug>/review/figures/", agreement.agreement, name="figures"),
    path("b/<slug:slug>/settings/review/", of_settings, name="review_settings"),
    path("b/<slug:slug>/settings/review/<int:pk>/", of_stage, name="stage"),
    path("r/<int:pk>/", of_round, name="review"),
    path(
        "r/<int:pk>/save/",
        Address(draft_views.draft, {"do=drop": draft_views.drop}),
        name="review_draft",
    ),
    path(
        "r/<int:pk>/talk/",
        Address(comments.talk, {"do=reply": comments.reply, "do=settle": comments.settle}),
        name="talk",
    ),
    path("r/<int:pk>/decide/", splits.decide, name="decide"),
    path(
        "p/<int:pk>/remarks/<str:kind>/<int:remark_pk>/",
        remarks.answer_remark,
        name="answer_remark",
    ),
]
