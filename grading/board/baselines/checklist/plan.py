"""
What was planned: the evaluation, the design, and the people (parts 0 to 2).

Pure: no Django, no database.
"""

from grading.board.baselines.checklist.facts import Facts
from grading.board.baselines.checklist.items import Item, make_item
from grading.board.baselines.checklist.sentences import count, describe, write_range


def build_evaluation(facts: Facts) -> list[Item]:
    samples = facts.samples
    return [
        make_item("0.1", "Title", facts.title),
        make_item("0.2", "Link to the paper", facts.paper),
        make_item("0.3", "Year", facts.year),
        make_item("0.4", "Where it is published", facts.venue),
        make_item("0.5", "Kind of evaluation", "Capability: physics problems, one formula each."),
        make_item("0.6", "Form of the problems", "Text with formulas."),
        make_item(
            "0.7",
            "Language of the problems",
            *(f"{name}: {count(number, 'problem')}" for name, number in facts.languages.items()),
        ),
        make_item(
            "0.8",
            "Problems in the data set",
            f"{facts.public_items + facts.hidden_items} in {facts.version}: {facts.public_items}"
            f" public, {facts.hidden_items} hidden; {facts.withdrawn_items} withdrawn since.",
            f"SHA-256 of the version: {facts.version_sha256}" if facts.version_sha256 else "",
        ),
        make_item(
            "0.9", "Problems that models answer", count(facts.public_items, "public problem") + "."
        ),
        make_item(
            "0.10",
            "Answers of a model to a problem",
            "" if samples is None else write_range(*samples),
        ),
    ]


def build_design(facts: Facts) -> list[Item]:
    head, every = facts.headline, facts.everybody
    return [
        make_item(
            "1.1",
            "Number of people",
            f"{head.people} by the study’s rules, {every.people} whose session ended.",
        ),
        make_item(
            "1.2",
            "Problems that people answered together",
            f"{len(facts.per_problem)} of a pool of {facts.pool}.",
        ),
        make_item(
            "1.2.1",
            "How these were chosen",
            f"Pool: {facts.pool} of the {facts.public_items} public problems.",
            f"Each person got {facts.problems} at random, balanced by domain, by difficulty and"
            " by how often each was given.",
        ),
        make_item("1.3", "People for each problem", describe(facts.per_problem)),
        make_item("1.4", "Problems for each person", describe(facts.each)),
        make_item(
            "1.5",
            "Whether the design is fair to both people and models",
            "Partial. Grading is the same for both; what differs is listed in 3.3 and 3.4.",
        ),
        make_item("1.6", "Pilot or other iteration of the design", facts.pilot),
        make_item(
            "1.7",
            "Whether effort is controlled",
            f"Partial. For people: {count(facts.problems, 'problem')} in"
            f" {count(facts.minutes, 'minute')}, by the server’s clock. For models: a limit of"
            " tokens for each reply.",
        ),
        make_item("1.8", "Power analysis", _say_power(facts)),
        make_item(
            "1.8.1",
            "Smallest difference that can be detected",
            ""
            if facts.detectable is None
            else f"{facts.detectable:.1f} points of accuracy, with a power of 80 % at a two-sided"
            " level of 5 %.",
        ),
        make_item("1.9", "Ethics review", facts.ethics),
        make_item(
            "1.10",
            "Preregistration",
            f"Frozen by this site on {facts.frozen_at}, as the first person started; SHA-256"
            f" {facts.preregistration_sha256}."
            if facts.preregistration_sha256
            else "",
            f"Deviations since, which 6.1 lists: {len(facts.deviations)}."
            if facts.preregistration_sha256
            else "",
        ),
    ]


def _say_power(facts: Facts) -> str:
    if facts.detectable is None:
        return ""
    return (
        f"Yes, as the study was planned. Assumed: {facts.most_people} people,"
        f" {count(facts.problems, 'problem')} each of {facts.pool}, accuracy"
        f" {facts.expected_accuracy:g} %, correlation of the answers of one person"
        f" {facts.person_correlation:g}, to one problem {facts.problem_correlation:g}."
    )


def build_people(facts: Facts) -> list[Item]:
    flow = facts.flow
    return [
        make_item("2.1", "Population that the result is about", facts.population),
        make_item(
            "2.1.1",
            "What people were asked about themselves",
            *(f"- {one}" for one in facts.questions),
        ),
        make_item(
            "2.2", "How people were found", facts.recruitment, f"Could join: {facts.joining}."
        ),
        make_item(
            "2.3",
            "Whether people were chosen or left out as they joined",
            "Yes.",
        ),
        make_item(
            "2.3.1",
            "By what",
            *(f"Had to say yes to: {one}" for one in facts.must_be_yes),
            "Everybody had to solve a practice problem first.",
        ),
        make_item(
            "2.3.2",
            "How many were left out before they started",
            f"Joined: {flow['joined']}. Did not finish the practice problem:"
            f" {flow['joined'] - flow['practised']}. Did not start after it:"
            f" {flow['practised'] - flow['started']}.",
        ),
        make_item("2.4", "Whether authors of problems took part", facts.authors_part),
        make_item(
            "2.5",
            "Whether people had seen the problems",
            "No one got a problem that this site had shown them before, or that they had a part"
            " in.",
            "Problems that people said they had seen elsewhere, and that do not count:"
            f" {facts.outcomes.get('SEEN', 0)}.",
        ),
        make_item(
            "2.6",
            "Training",
            "Yes: one practice problem, apart from the study’s.",
        ),
        make_item(
            "2.6.1",
            "Kind of training",
            "People typed an answer until it was read as they meant it.",
        ),
        make_item("2.6.2", "Pay for the training", facts.training_pay),
        make_item("2.7", "Whether people were paid", facts.pay),
        make_item("2.7.1", "How much", "As 2.7 says." if facts.pay.strip() else ""),
        make_item("2.7.2", "Bonus for good answers", facts.bonus),
        make_item(
            "2.7.2.1",
            "How much the bonus was, and for what",
            "As 2.7.2 says." if facts.bonus.strip() else "",
        ),
        make_item("2.7.3", "Whether all were paid alike", facts.pay_alike),
        make_item(
            "2.7.3.1", "If not, by what", "As 2.7.3 says." if facts.pay_alike.strip() else ""
        ),
    ]
