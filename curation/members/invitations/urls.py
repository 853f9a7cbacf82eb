from django.urls import path

from curation.members.invitations import lists as invitation_lists
from curation.members.invitations import views as inviting

urlpatterns = [
    path("invitations/", invitation_lists.invitations, name="invitations"),
    path("invitations.csv", invitation_lists.invitations_csv, name="invitations_csv"),
    path("invitations/new/", inviting.invite, name="invite"),
    path("invitations/again/", inviting.send_failed_again, name="send_failed_again"),
    path("invitations/<int:pk>/again/", inviting.send_again, name="send_again"),
    path("invitations/<int:pk>/withdraw/", inviting.withdraw, name="withdraw_invitation"),
    path("invitations/links/new/", inviting.make_join_link, name="make_join_link"),
    path(
        "invitations/links/<int:pk>/withdraw/",
        inviting.withdraw_join_link,
        name="withdraw_join_link",
    ),
    # Also without an account: whoever has the link was given it.
    path("join/<str:secret>/", inviting.invitation, name="invitation"),
]
