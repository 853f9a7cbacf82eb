"""Do to a problem what was planned for its row, if everything still stands as it did then."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.authoring.drafts import actions
from curation.exchange.models import Import
from curation.exchange.plans import Action, PlannedRow
from curation.exchange.present import Bank, make_form_key
from curation.exchange.published import import_published
from curation.exchange.rows import Row
from curation.exchange.terms import ImportTerms
from curation.problems.models import Problem
from curation.texts.workflow import NotAllowedNow


class Changed(Exception):
    """A row that can't be carried out as it was planned; the message says why."""


def carry_out(row: Row, planned: PlannedRow, terms: ImportTerms) -> Problem:
    """
    Create or update a problem, in one transaction.

    Raises:
        Changed: something was done to the problem since, or to whose it is; nothing was written.
    """
    try:
        with transaction.atomic():
            if planned.action == Action.UPDATE:
                return _update(row, planned, terms)
            return _create(row, planned, terms)
    except IntegrityError:
        raise Changed(_say_changed()) from None
    except NotAllowedNow as refusal:
        raise Changed(str(refusal)) from None


def _create(row: Row, planned: PlannedRow, terms: ImportTerms) -> Problem:
    if Bank([row], terms).find(row) is not None:
        raise Changed(_say_changed())
    values = dict(planned.values)
    if terms.purpose == Import.Purpose.PUBLISHED:
        return import_published(
            benchmark=terms.benchmark, broken_rules=planned.broken, actor=terms.person, **values
        )
    assert terms.person is not None
    return actions.create_draft(
        author=terms.person, benchmark=terms.benchmark, form_key=make_form_key(row), **values
    )


def _update(row: Row, planned: PlannedRow, terms: ImportTerms) -> Problem:
    assert terms.person is not None
    if planned.problem_id is None:
        raise Changed(_say_changed())
    # Held before it is looked at: nobody saves it between the look and the change.
    held = Problem.objects.select_for_update().filter(pk=planned.problem_id).first()
    present = Bank([row], terms).find(row) if held else None
    if held is None or present is None or present.state != planned.state:
        raise Changed(_say_changed())
    newest = present.newest
    actions.save_draft(
        problem=held,
        author=terms.person,
        saved_at="" if newest.submitted_at else newest.saved_at.isoformat(),
        **planned.values,
    )
    return held


def _say_changed() -> str:
    return _(
        "the problem was changed after this was planned: import the file again to see what "
        "it would do"
    )
