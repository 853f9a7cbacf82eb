from django.urls import path

from phybench.people.tokens import views as tokens

urlpatterns = [
    path("me/tokens/new/", tokens.new, name="new_token"),
    path("me/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
]
