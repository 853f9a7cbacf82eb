"""One's own page, which is named without the app: all rooms lead to it."""

from django.urls import path

from curation.members import own_views as own
from curation.reviewing.assignments import queue
from phybench.news.mails import views as mails
from phybench.pages.addresses import Address

urlpatterns = [
    path(
        "me/",
        Address(
            own.profile,
            {
                "tab=roles": own.my_roles,
                "tab=institution": own.my_institution,
                "tab=credits": own.offers,
                "tab=reviewing": queue.reviewing_profile,
                "tab=e-mails": mails.choose_mails,
                "do=ask": own.ask_for_role,
                "do=take_back": own.take_back_request,
                "do=accept": own.accept_offer,
                "do=decline": own.decline_offer,
            },
        ),
        name="profile",
    ),
]
