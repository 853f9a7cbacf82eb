from django.urls import path

from curation.members.invitations import lists
from curation.members.invitations import views as inviting
from phybench.pages.addresses import Address

urlpatterns = [
    path(
        "b/<slug:slug>/settings/members/",
        Address(
            lists.invitations,
            {
                "do=again": inviting.send_again,
                "do=all_again": inviting.send_failed_again,
                "do=withdraw": inviting.withdraw,
                "do=make_link": inviting.make_link,
            },
        ),
        name="invitations",
    ),
    path("b/<slug:slug>/settings/members/invite/", inviting.invite, name="invite"),
    # Also without an account: whoever has the link was given it.
    path("join/<str:secret>/", inviting.invitation, name="invitation"),
]
