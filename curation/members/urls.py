from django.urls import path

from curation.members import lists, views
from curation.members.invitations import lists as invitations
from curation.members.invitations import views as inviting
from phybench.pages.addresses import Address

urlpatterns = [
    path(
        "people/",
        Address(
            lists.members,
            {
                "show=requests": lists.requests,
                "show=changes": lists.person_changes,
                "show=invitations": invitations.invitations,
                "do=give_role": views.give_role,
                "do=again": inviting.send_again,
                "do=withdraw": inviting.withdraw,
                "do=make_link": inviting.make_link,
            },
        ),
        name="members",
    ),
    path(
        "people/<int:pk>/",
        Address(
            views.member,
            {
                "do=roles": views.set_roles,
                "do=confirm": views.confirm_address,
                "do=institution": views.set_institution,
                "do=deactivate": views.deactivate,
                "do=reactivate": views.reactivate,
            },
        ),
        name="member",
    ),
    path(
        "people/requests/<int:pk>/",
        Address(
            views.request_page,
            {"do=grant": views.grant_request, "do=decline": views.decline_request},
        ),
        name="request",
    ),
    path("b/<slug:slug>/settings/invite/", inviting.invite, name="invite"),
    # Also without an account: whoever has the link was given it.
    path("join/<str:secret>/", inviting.invitation, name="invitation"),
]
