"""
What came of it: sessions, analysis, documentation, and what else is known (parts 3 to 6).

Pure: no Django, no database.
"""

from grading.board.baselines.checklist.facts import Facts
from grading.board.baselines.checklist.items import Item, make_item
from grading.board.baselines.checklist.sentences import (
    describe_minutes,
    list_beside,
    list_demographics,
    list_effects,
    say_both,
    say_mean,
    say_spread,
    say_times,
)
from phybench_grader.statistics.studies import FEWEST


def build_sessions(facts: Facts) -> list[Item]:
    return [
        make_item(
            "3.1",
            "Problems in one session",
            f"{facts.problems}, in one sitting.",
        ),
        make_item(
            "3.1.1",
            "Whether their order was random",
            "Yes, for each person anew.",
        ),
        make_item(
            "3.2",
            "Whether people or answers are left out afterwards",
            _say_rules(facts),
        ),
        make_item(
            "3.2.1",
            "By which rules",
            *(f"- {one.label}" for one in facts.rules),
            facts.exclusions,
        ),
        make_item(
            "3.2.2",
            "How many each rule leaves out",
            *(f"- {one.label}: {one.left_out}" for one in facts.rules),
            f"All together: {facts.flow['left_out']}.",
            *(f"- By hand: {why}" for why in facts.by_hand),
        ),
        make_item(
            "3.3",
            "Whether people and models worked in the same surroundings",
            "No. People used a page, with buttons and a preview; models are sent text.",
            *(
                f"- {what}: people: {ours}; models: {theirs}"
                for what, ours, theirs in facts.conditions
            ),
        ),
        make_item(
            "3.3.1",
            "A graphical page for people, an interface of programs for models",
            "Yes.",
        ),
        make_item(
            "3.3.2",
            "Whether this is adjusted for",
            "Partial: people saw how their answer was read before they handed it in.",
        ),
        make_item(
            "3.4",
            "Whether people and models got the same instructions",
            f"Partial. Compared with the prompt {facts.prompt}:",
            *(f"- {what}: {count} of {facts.pool}" for what, count in facts.differences.items()),
        ),
        make_item(
            "3.4.1",
            "Whether this is adjusted for",
            "No: 3.4 lists what differs, and no figure is adjusted for it.",
        ),
        make_item("3.5", "Tools that people might use", facts.allowed_aids),
        make_item(
            "3.5.1",
            "How this was held",
            f"People attested beforehand ({facts.attested} of {facts.flow['joined']}):"
            f" {facts.attestation}"
            if facts.attestation.strip()
            else "",
            "Asked after the session whether they kept to it: "
            + ", ".join(f"{said}: {count}" for said, count in facts.aids.items())
            + ".",
            f"Browsers told of {facts.pastes} pastes, and that the page was left"
            f" {facts.away} times; no one is left out for these alone.",
        ),
        make_item(
            "3.6",
            "Explanations of people",
            f"Partial. Problems with notes: {facts.notes}. Problems given up, each with a"
            f" reason: {facts.outcomes.get('GAVE_UP', 0)}.",
        ),
    ]


def build_analysis(facts: Facts) -> list[Item]:
    head = facts.headline
    return [
        make_item(
            "4.1",
            "Test of the difference between people and models",
            *list_beside(facts.beside_models, head.people),
        ),
        make_item(
            "4.1.1",
            "Which test",
            "Each answer of a person beside the model’s mean on that problem. The interval of 95 %"
            " is clustered by people and by problems; a difference counts where it leaves out 0."
            " It is not corrected for there being several models."
            if facts.beside_models and head.people >= FEWEST
            else "",
            f"Planned, in the words of the study: {facts.analysis}"
            if facts.analysis.strip()
            else "",
        ),
        make_item(
            "4.2",
            "Uncertainty",
            f"Accuracy: {say_mean(head.accuracy, head.people)}",
            f"EED: {say_mean(head.eed, head.people)}",
            "Intervals of 95 %: quantiles of the beta distribution that the mean has with random"
            " weights and one imagined problem at the end of the scale. The variance is clustered"
            " by people and by problems.",
        ),
        make_item(
            "4.2.1",
            "Point, interval or distribution",
            "Point and interval, in 4.2.",
            *say_spread("Accuracy", head.accuracy_spread),
            *say_spread("EED", head.eed_spread),
        ),
        make_item("4.3", "Same figure for people and models", "Yes: accuracy and mean EED."),
        make_item(
            "4.4",
            "Same criteria of grading",
            "Yes: the same reference answers.",
            "Answers of people that are not graded, or could not be:"
            f" {head.accuracy.ungraded}. With any, a mean is a range, from all of them wrong to"
            " all of them right.",
        ),
        make_item("4.5", "Same way of grading", f"Yes: {facts.grader}." if facts.grader else ""),
        make_item(
            "4.6",
            "Whether the result hangs on whom the rules leave out",
            "With everybody: " + say_both(facts.everybody, is_exact=facts.is_everybody_exact),
            f"By all rules: {say_both(head)}",
            *(
                f"Only “{one.label}”: {say_both(one.figures, is_exact=one.is_exact)}"
                for one in facts.rules
            ),
        ),
    ]


def build_documentation(facts: Facts) -> list[Item]:
    flow = facts.flow
    return [
        make_item("5.1.1", "What people are like", *list_demographics(facts.demographics)),
        make_item(
            "5.1.2",
            "What people were told",
            *(
                f"Consent, version {number}: SHA-256 {sha256}"
                for number, sha256 in facts.consents.items()
            ),
            f"Consent, as it is now: {facts.consent}" if facts.consent.strip() else "",
            f"Pauses: {facts.pauses}" if facts.pauses.strip() else "",
            "People see their own results afterwards."
            if facts.shows_results
            else "People do not see their own results.",
        ),
        make_item(
            "5.1.3",
            "Time",
            f"A session: {describe_minutes(facts.session_minutes)}"
            if len(facts.session_minutes) >= FEWEST
            else "",
            *(say_times(one) for one in facts.times),
            "Times of right answers alone are biased: easier problems and quicker people are among"
            " them more often.",
        ),
        make_item("5.1.4", "AI tools that people might use, with their versions", facts.ai_tools),
        make_item(
            "5.1.5",
            "How many began and did not finish",
            f"{flow['invited']} on the list, {flow['joined']} joined, {flow['practised']}"
            f" practised, {flow['started']} started, {flow['finished']} finished,"
            f" {flow['withdrawn']} withdrew, {flow['left_out']} left out by a rule.",
            f"Problems: {facts.outcomes.get('ANSWERED', 0)} answered,"
            f" {facts.outcomes.get('EMPTY', 0)} left empty, {facts.outcomes.get('GAVE_UP', 0)}"
            f" given up, {facts.outcomes.get('SEEN', 0)} seen before.",
        ),
        *_build_access(facts),
        make_item("5.3", "Whether the materials are public", facts.materials),
        make_item("5.4", "Whether the code of the analysis is public", facts.code),
    ]


def _build_access(facts: Facts) -> list[Item]:
    is_public, where = facts.is_data_public, facts.data_where
    return [
        make_item(
            "5.2",
            "Whether the data of people are public",
            "" if is_public is None else "Yes." if is_public else "No.",
            where if is_public else "",
        ),
        make_item(
            "5.2.1",
            "Whether they are of single people",
            "Yes, without their names."
            if facts.is_data_single
            else "No, only sums over people."
            if is_public
            else "Not public: see 5.2.2."
            if is_public is False
            else "",
        ),
        make_item(
            "5.2.2",
            "Why they are not public",
            "They are public: see 5.2." if is_public else where if is_public is False else "",
        ),
    ]


def build_more(facts: Facts) -> list[Item]:
    return [
        make_item(
            "6.1",
            "Deviations from the preregistration",
            *(f"- {one.at}, {one.field}: {one.why}" for one in facts.deviations),
            "" if facts.deviations or not facts.preregistration_sha256 else "None.",
        ),
        make_item("6.2", "Hypothesis", facts.hypothesis),
        make_item(
            "6.3",
            "More time",
            f"Times: {facts.extensions}. Minutes together: {facts.extended_minutes}.",
            *(f"- {why}" for why in facts.why_extended),
        ),
        make_item(
            "6.4",
            "Answers that came after the end",
            f"Saves that came too late: {facts.late_saves}. Of them count, each as a deviation:"
            f" {facts.late_counted}.",
        ),
        make_item(
            "6.5",
            "Effect of the place in the session",
            *list_effects(facts.effects, facts.headline.people),
        ),
        make_item("6.6", "State of the study", f"{facts.state}."),
    ]


def _say_rules(facts: Facts) -> str:
    if any(one.field == "rules" for one in facts.deviations):
        return "Yes, by rules that were changed after the first person had started: see 6.1."
    if facts.preregistration_sha256:
        return "Yes, by rules fixed before the first person started."
    return "Yes, by rules."
