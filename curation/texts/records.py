"""
What the app itself writes into histories, assignments and plans: a sentence for each code.

Rows keep the code with what is filled in, see `phybench/pages/sentences.py`;
`sentences.py` writes it in the reader's language. What a person typed is kept beside, as text.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_noop

CONFIRMATION = gettext_noop("I have checked each undecided case, and the answer is right as it is.")
"""What an author confirms whose certificate has cases that could not be told."""

OF_HISTORIES: Mapping[str, str] = {
    "certified": gettext_noop(
        "The grader treats {passed} of {cases} variants of the answer correctly."
    ),
    "certified_and_confirmed": gettext_noop(
        "The grader treats {passed} of {cases} variants of the answer correctly. The author "
        "confirmed the rest: “{confirmation}”"
    ),
    "confirmation": CONFIRMATION,
    "not_certified": gettext_noop("The answer is not checked yet: no variant of it was tried."),
    "compared": gettext_noop("The author compared it with {problems}: it is different."),
    "followed": gettext_noop("{first} {rest}"),
    "stage_decided": gettext_noop("{stage}: {counts}"),
    "stage_overridden": gettext_noop("Stage “{stage}”:"),
    "accept": gettext_noop("{count} accept"),
    "revise": gettext_noop("{count} revise"),
    "reject": gettext_noop("{count} reject"),
    "solves_agree": gettext_noop("{agreeing} of {all} blind solves agree"),
    "listed": gettext_noop("{first}, {rest}"),
    "of_report": gettext_noop("Error report {number}:"),
    "found_while_ruling": gettext_noop("Found while ruling on a contested grade:"),
    "correction_abandoned": gettext_noop("The correction was abandoned:"),
}
"""Of steps in a problem's life and of error reports; a colon is before what a person wrote."""

OBSTACLES: Mapping[str, str] = {
    "round_closed": gettext_noop("the stage is closed"),
    "no_reviewer": gettext_noop("no longer a reviewer"),
    "had_part": gettext_noop("contributed to the problem"),
    "of_institution": gettext_noop("is of an author’s institution"),
    "in_conflict": gettext_noop("conflict of interest"),
    "has_reviewed": gettext_noop("has reviewed it"),
    "is_assigned": gettext_noop("is already asked"),
    "has_seen_answer": gettext_noop("has seen the answer"),
    "has_read_reviews": gettext_noop("has read its reviews"),
    "sees_answers": gettext_noop("sees every answer, as an admin"),
    # What keeps a rule from offering it; an admin may still assign it by hand.
    "across_demo": gettext_noop("on the other side of the demo"),
    "has_declined": gettext_noop("declined it"),
    "is_needed_blind": gettext_noop("needed to solve it blind in a later stage"),
    "other_domain": gettext_noop("does not name the domain"),
    "other_language": gettext_noop("does not name the language"),
    "is_full": gettext_noop("has the maximum number of open reviews"),
    "was_late": gettext_noop("was late or declined too often in the last 90 days"),
}
"""Why somebody is not given a round, in a few words."""

OF_ASSIGNMENTS: Mapping[str, str] = {
    **OBSTACLES,
    "released": gettext_noop("No longer a reviewer."),
    "released_institution": gettext_noop("Conflict: of an author’s institution."),
    "released_credit": gettext_noop("Credited on the problem, or in conflict with who is."),
    "released_conflict": gettext_noop("Conflict:"),
    "places_given": gettext_noop("All its reviews are given or asked for."),
    "place_free": gettext_noop("1 more review is needed. {why}"),
    "places_free": gettext_noop("{count} more reviews are needed. {why}"),
    "no_others": gettext_noop("There are no other reviewers."),
    "reasons": gettext_noop("{counts}."),
    "reason_count": gettext_noop("{why}: {count}"),
    "reasons_listed": gettext_noop("{first}; {rest}"),
    "not_assignable": gettext_noop("{name} can’t be asked to review “{title}”: {why}."),
    "holds_one": gettext_noop("{name} holds one open review, as many as one person should."),
    "holds_many": gettext_noop("{name} holds {count} open reviews, as many as one person should."),
    "round_full": gettext_noop("All reviews of this stage are given or asked for."),
}
"""Of assignments and of plans of them."""

RECORDED: Mapping[str, str] = {**OF_HISTORIES, **OF_ASSIGNMENTS}
