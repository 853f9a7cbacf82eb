from django.urls import path

from phybench.people.tokens import views as tokens

urlpatterns = [
    path("profile/tokens/new/", tokens.new, name="new_token"),
    path("profile/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
]
