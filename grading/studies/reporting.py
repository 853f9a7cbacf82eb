"""What the report of a study says of it besides its plan."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Reporting(models.Model):
    """
    Fields of a study that only its report needs.

    The first are part of what is fixed beforehand. The rest can be said at any time, also when the
    study has ended: where the data lie is known only then.
    """

    class AuthorsPart(models.TextChoices):
        NO = "NO", _("no")
        YES = "YES", _("yes, some took part")
        UNKNOWN = "UNKNOWN", _("not known")

    class Data(models.TextChoices):
        UNKNOWN = "UNKNOWN", _("not said yet")
        SINGLE = "SINGLE", _("public, for each person without the name")
        SUMS = "SUMS", _("public, only as totals over people")
        CLOSED = "CLOSED", _("not public")

    population = models.TextField(_("population"), max_length=2000, blank=True)
    recruitment = models.TextField(_("recruitment"), max_length=2000, blank=True)
    pay = models.TextField(_("pay and bonus"), max_length=2000, blank=True)
    ethics = models.TextField(_("ethics approval"), max_length=2000, blank=True)
    authors_part = models.CharField(
        _("authors of problems took part"),
        max_length=7,
        choices=AuthorsPart,
        default=AuthorsPart.UNKNOWN,
    )
    # --- At any time
    pilot = models.TextField(
        _("pilot"),
        max_length=2000,
        blank=True,
        help_text=_("Whether the design was tried with some people first, and what that changed."),
    )
    ai_tools = models.TextField(
        _("AI tools that people might use"),
        max_length=2000,
        blank=True,
        help_text=_("Name them with their versions, or say that there were none."),
    )
    training_pay = models.TextField(_("pay for the practice problem"), max_length=2000, blank=True)
    bonus = models.TextField(
        _("bonus for correct answers"),
        max_length=2000,
        blank=True,
        help_text=_("Say how much and for what, or that there was none."),
    )
    pay_alike = models.TextField(
        _("whether all were paid alike"),
        max_length=2000,
        blank=True,
        help_text=_("If not, say what the pay depended on."),
    )
    paper = models.CharField(_("link to the paper"), max_length=500, blank=True)
    venue = models.CharField(_("where the paper is published"), max_length=500, blank=True)
    data = models.CharField(
        _("data of the people"), max_length=7, choices=Data, default=Data.UNKNOWN
    )
    data_where = models.TextField(
        _("where the data are, or why they are not public"), max_length=2000, blank=True
    )
    materials = models.TextField(
        _("where the materials are"),
        max_length=2000,
        blank=True,
        help_text=_("The problems, the instructions for people, and this page."),
    )
    code = models.TextField(_("where the code of the analysis is"), max_length=2000, blank=True)

    class Meta:
        abstract = True


SAID_ANY_TIME = (
    *("pilot", "ai_tools", "training_pay", "bonus", "pay_alike", "paper", "venue"),
    *("data", "data_where", "materials", "code"),
)
"""Fields that are not fixed beforehand: to say them later is no deviation."""
