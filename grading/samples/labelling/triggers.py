"""What the database refuses of samples, their answers and what people say of them."""

import pgtrigger

from grading.samples.labelling.models import LABELS
from phybench.work.triggers import require


def _name_table(kind: str, row: str) -> str:
    """
    Name the table of a kind of rows.

    >>> _name_table("first_error", "item")
    'grading_firsterroritem'
    """
    return f"grading_{kind.replace('_', '')}{row}"


def _find_open(kind: str) -> str:
    return f"""
    SELECT FROM {_name_table(kind, "item")} item
    JOIN {_name_table(kind, "sample")} sample ON sample.id = item.sample_id
    WHERE item.id = NEW.item_id
        AND sample.completed_at IS NULL AND sample.ended_at IS NULL
"""


def keep_samples(kind: str) -> list[pgtrigger.Trigger]:
    """Samples only end, once, and only settled ones are complete."""
    items = _name_table(kind, "item")
    return [
        pgtrigger.Protect(name=f"{kind}_sample_stays", operation=pgtrigger.Delete),
        pgtrigger.Protect(
            name=f"{kind}_sample_is_only_ended",
            operation=pgtrigger.Update,
            condition=pgtrigger.AnyChange(
                exclude=["completed_at", "ended_at", "ended_by", "why_ended"]
            ),
        ),
        pgtrigger.Protect(
            name=f"{kind}_sample_ends_once",
            operation=pgtrigger.Update,
            condition=pgtrigger.Q(old__completed_at__isnull=False)
            | pgtrigger.Q(old__ended_at__isnull=False),
        ),
        require(
            "complete_sample_is_settled",
            when=pgtrigger.Q(new__completed_at__isnull=False),
            found=f"""
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM {items} WHERE sample_id = NEW.id AND outcome = ''
                    )
                """,
        ),
    ]


def keep_items(kind: str) -> list[pgtrigger.Trigger]:
    """Answers stay as they were drawn, and their outcome is what people said."""
    return [
        pgtrigger.Protect(name=f"{kind}_item_stays", operation=pgtrigger.Delete),
        pgtrigger.Protect(
            name=f"{kind}_item_is_frozen",
            operation=pgtrigger.Update,
            condition=pgtrigger.AnyChange(exclude=["outcome"]),
        ),
        require(
            f"{kind}_outcome_is_of_an_open_sample",
            when=pgtrigger.Q(new__sample__isnull=False),
            found=f"""
                    SELECT FROM {_name_table(kind, "sample")} WHERE id = NEW.sample_id
                        AND completed_at IS NULL AND ended_at IS NULL
                """,
        ),
        # What figures count is what people said: two who agree, or who adjudicated.
        require(
            f"{kind}_outcome_is_what_people_said",
            when=~pgtrigger.Q(new__outcome=""),
            found=f"""
                    SELECT FROM {_name_table(kind, "item")} WHERE id = NEW.id AND outcome = ''
                    UNION ALL
                    SELECT FROM {_name_table(kind, "adjudication")}
                    WHERE item_id = NEW.id AND choice = NEW.outcome
                    UNION ALL
                    SELECT FROM {_name_table(kind, "label")}
                    WHERE item_id = NEW.id AND taken_back_at IS NULL
                    HAVING count(*) = {LABELS} AND min(choice) = NEW.outcome
                        AND max(choice) = NEW.outcome
                """,
            at_commit=True,
        ),
    ]


def keep_labels(kind: str) -> list[pgtrigger.Trigger]:
    """Labels are given while a sample is open, and only taken back, until they are adjudicated."""
    return [
        pgtrigger.Protect(name=f"{kind}_label_stays", operation=pgtrigger.Delete),
        pgtrigger.Protect(
            name=f"{kind}_label_is_only_taken_back",
            operation=pgtrigger.Update,
            condition=pgtrigger.AnyChange(exclude=["taken_back_at"]),
        ),
        pgtrigger.Protect(
            name=f"{kind}_label_is_taken_back_for_good",
            operation=pgtrigger.Update,
            condition=pgtrigger.Q(old__taken_back_at__isnull=False),
        ),
        require(
            f"{kind}_label_is_of_an_open_sample",
            when=pgtrigger.Q(new__item__isnull=False),
            found=_find_open(kind),
        ),
        require(
            "adjudicated_label_is_not_taken_back",
            when=pgtrigger.Q(new__taken_back_at__isnull=False),
            found=f"""
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM {_name_table(kind, "adjudication")} WHERE item_id = NEW.item_id
                    )
                """,
        ),
    ]


def keep_adjudications(kind: str) -> list[pgtrigger.Trigger]:
    """A third person settles, for good, what two others labelled differently."""
    return [
        pgtrigger.Protect(
            name="adjudication_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
        ),
        require(
            "adjudication_is_of_an_open_sample",
            when=pgtrigger.Q(new__item__isnull=False),
            found=_find_open(kind),
        ),
        require(
            "adjudicator_gave_no_label",
            when=pgtrigger.Q(new__item__isnull=False),
            found=f"""
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM {_name_table(kind, "label")}
                        WHERE item_id = NEW.item_id AND person_id = NEW.person_id
                    )
                """,
        ),
        require(
            "adjudicated_labels_differ",
            when=pgtrigger.Q(new__item__isnull=False),
            found=f"""
                    SELECT FROM {_name_table(kind, "label")}
                    WHERE item_id = NEW.item_id AND taken_back_at IS NULL
                    HAVING count(*) = {LABELS} AND min(choice) <> max(choice)
                """,
        ),
    ]
