"""People: who signs in, and the roles that an admin gave them."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    CONTRIBUTOR = "CONTRIBUTOR", _("contributor")
    REVIEWER = "REVIEWER", _("reviewer")
    PARTICIPANT = "PARTICIPANT", _("participant")
    EVALUATOR = "EVALUATOR", _("evaluator")
    ADMIN = "ADMIN", _("admin")


class Language(models.TextChoices):
    """What problems are written in or translated into; the values are those of addresses."""

    EN = "en", _("English")
    ZH = "zh", _("Chinese")

    @classmethod
    def of_pages(cls) -> "Language":
        """Return that of the page that is being written; the pages call Chinese `zh-hans`."""
        return cls.ZH if (get_language() or "").startswith("zh") else cls.EN

    @property
    def own_name(self) -> str:
        """The language's name in itself, for who reads no other."""
        return {Language.EN: "English", Language.ZH: "中文"}[self]


WHAT_A_ROLE_DOES = {
    Role.CONTRIBUTOR: _("writes problems and revises them after review"),
    Role.REVIEWER: _("judges submitted problems"),
    Role.PARTICIPANT: _("answers problems, in studies or without a clock"),
    Role.EVALUATOR: _("submits models’ answers and reads their grades"),
    Role.ADMIN: _("gives roles, runs the benchmark and sees everything"),
}


class UserQuerySet(models.QuerySet["User"]):
    def with_role(self, role: Role) -> Self:
        return self.filter(is_active=True, roles__contains=[role])

    def sitting(self) -> Self:
        return self.filter(sits_until__isnull=False)


class UserManager(BaseUserManager["User"]):
    def get_queryset(self) -> UserQuerySet:
        # The rest is asked anew each time, and not written back by who saves a person. To name that
        # instead takes twice the time: Django then walks over all that leads to people.
        fields = self.model._meta.concrete_fields
        read = (one.name for one in fields if one.name != "sits_until")
        return UserQuerySet(self.model, using=self._db).only(*read)

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save()
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, roles=list(Role.values), **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractBaseUser):
    """
    Somebody who signs in with an e-mail address.

    The address is never shown to others; the display name, chosen by its owner, is.
    """

    email = models.EmailField(_("e-mail address"))
    display_name = models.CharField(
        _("display name"), max_length=60, help_text=_("Shown to others; need not be your own.")
    )
    is_named = models.BooleanField(
        _("show my name among the contributors"),
        default=True,
        help_text=_(
            "Otherwise you are listed there as “anonymous”. Problems you wrote still "
            "show your display name."
        ),
    )
    roles: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=20, choices=Role),
        default=list,
        blank=True,
        help_text=_("Given by an admin."),
    )
    interface_language = models.CharField(
        _("language of the pages"),
        max_length=10,
        choices=settings.LANGUAGES,
        blank=True,
    )
    problem_language = models.CharField(
        _("language of problems"),
        max_length=10,
        choices=Language,
        blank=True,
        help_text=_("Where a checked translation exists; otherwise the original."),
    )
    uses_single_keys = models.BooleanField(
        _("keyboard shortcuts of one letter or digit"),
        default=True,
        help_text=_(
            "The shortcuts printed beside choices and buttons work while the focus is "
            "in their form. Ctrl+Enter always submits the form."
        ),
    )
    # Which fields there are is the domain's: `curation` offers them.
    expertise: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=20),
        default=list,
        blank=True,
        verbose_name=_("fields of expertise"),
    )
    review_languages: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=10, choices=Language),
        default=list,
        blank=True,
        verbose_name=_("languages they review in"),
    )
    institution = models.CharField(
        _("institution"),
        max_length=120,
        blank=True,
        help_text=_("Where this person works or studies."),
    )
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_demo = models.BooleanField(_("made by the demo"), default=False)
    joined_at = models.DateTimeField(_("joined"), default=timezone.now, editable=False)
    last_seen_on = models.DateField(_("last seen"), null=True, blank=True, editable=False)
    sign_out_count = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text=_("How often all sessions of this person were ended at once."),
    )
    news_read_at = models.DateTimeField(
        default=timezone.now,
        editable=False,
        help_text=_("What happened since is new in their inbox."),
    )
    sits_until = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("When this person’s session ends, the last of several; empty if none goes on."),
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["display_name"]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(Lower("email"), name="one_person_an_email"),
            models.CheckConstraint(
                name="roles_are_known", condition=models.Q(roles__contained_by=Role.values)
            ),
            models.CheckConstraint(
                name="review_languages_are_known",
                condition=models.Q(review_languages__contained_by=Language.values),
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or f"person {self.pk}"

    def has_role(self, role: Role) -> bool:
        return self.is_active and role in self.roles

    def get_session_auth_hash(self) -> str:
        return self._mark_session(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._mark_session, super().get_session_auth_fallback_hash())

    def _mark_session(self, kept: str) -> str:
        """Have sessions that began before all were ended stay ended, whatever comes after."""
        return f"{kept}-{self.sign_out_count}" if self.sign_out_count else kept

    def role_labels(self) -> list[tuple[str, str]]:
        """Return each role held and what it does, in the order of `Role`."""
        return [
            (str(role.label), str(WHAT_A_ROLE_DOES[role])) for role in Role if role in self.roles
        ]

    # Django's own admin asks these. There are no permissions finer than the role.

    @property
    def is_staff(self) -> bool:
        return self.has_role(Role.ADMIN)

    @property
    def is_superuser(self) -> bool:
        return self.is_staff

    def has_perm(self, perm: str, obj: object = None) -> bool:
        return self.is_staff

    def has_perms(self, perm_list: list[str], obj: object = None) -> bool:
        return self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_staff


def display_name(user: User) -> str:
    """Name a person to others; allauth asks for this where it greets or writes to somebody."""
    return str(user)
