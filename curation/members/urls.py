from django.urls import path

from curation.members import lists as member_lists
from curation.members import own_views as own
from curation.members import views as members

urlpatterns = [
    path("people/", member_lists.members, name="members"),
    path("people.csv", member_lists.members_csv, name="members_csv"),
    path("people/give-a-role/", members.give_role, name="give_role"),
    path("people/changes/", member_lists.person_changes, name="person_changes"),
    path("people/changes.csv", member_lists.person_changes_csv, name="person_changes_csv"),
    path("people/<int:pk>/", members.member, name="member"),
    path("people/<int:pk>/roles/", members.set_roles, name="set_roles"),
    path("people/<int:pk>/institution/", members.set_institution, name="set_institution"),
    path("people/<int:pk>/deactivate/", members.deactivate, name="deactivate"),
    path("people/<int:pk>/reactivate/", members.reactivate, name="reactivate"),
    path("requests/", member_lists.requests, name="requests"),
    path("requests/<int:pk>/", members.request_page, name="request"),
    path("requests/<int:pk>/grant/", members.grant_request, name="grant_request"),
    path("requests/<int:pk>/decline/", members.decline_request, name="decline_request"),
    path("requests/<int:pk>/take-back/", own.take_back_request, name="take_back_request"),
    path("profile/roles/", own.my_roles, name="my_roles"),
    path("profile/roles/ask/", own.ask_for_role, name="ask_for_role"),
    path("profile/institution/", own.my_institution, name="my_institution"),
    path("profile/credits/", own.offers, name="offers"),
    path("profile/credits/<int:pk>/accept/", own.accept_offer, name="accept_offer"),
    path("profile/credits/<int:pk>/decline/", own.decline_offer, name="decline_offer"),
]
