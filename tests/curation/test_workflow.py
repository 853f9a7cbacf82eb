import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from curation.texts.stage_texts import STAGES
from curation.texts.workflow import (
    EDITABLE,
    OVERRIDES,
    TRANSITIONS,
    NotAllowedNow,
    Opinion,
    Recommendation,
    Rule,
    SolveOutcome,
    Status,
    Step,
    Terms,
    conclude,
    decide,
    is_split,
    move,
)


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        (Step.CREATE, None, Status.DRAFT),
        (Step.IMPORT, None, Status.ACCEPTED),
        (Step.SUBMIT, Status.DRAFT, Status.IN_REVIEW),
        (Step.SUBMIT, Status.RETURNED, Status.IN_REVIEW),
        (Step.WITHDRAW, Status.IN_REVIEW, Status.RETURNED),
        (Step.PASS, Status.IN_REVIEW, Status.IN_REVIEW),
        (Step.ACCEPT, Status.IN_REVIEW, Status.ACCEPTED),
        (Step.RETURN, Status.IN_REVIEW, Status.RETURNED),
        (Step.REJECT, Status.IN_REVIEW, Status.REJECTED),
        (Step.REOPEN, Status.ACCEPTED, Status.RETURNED),
        (Step.REOPEN, Status.REJECTED, Status.RETURNED),
        (Step.KEEP, Status.RETURNED, Status.ACCEPTED),
        (Step.RETIRE, Status.ACCEPTED, Status.RETIRED),
    ],
)
def test_each_step_leads_where_the_documentation_says(step, before, after):
    assert move(step, before) == after


def test_every_step_and_status_not_in_the_table_is_refused_in_words():
    known = {(transition.step, transition.before) for transition in TRANSITIONS}
    for step in Step:
        for before in [None, *Status]:
            if (step, before) not in known:
                with pytest.raises(NotAllowedNow, match=r"This problem is .*, so it can't be"):
                    move(step, before)


@pytest.mark.parametrize(
    ("step", "before", "says"),
    [
        (Step.ACCEPT, None, "This problem is new, so it can't be accepted now."),
        (Step.ACCEPT, Status.RETIRED, "This problem is retired, so it can't be accepted now."),
    ],
)
def test_a_refused_step_says_where_the_problem_stands(step, before, says):
    with pytest.raises(NotAllowedNow) as refused:
        move(step, before)
    assert str(refused.value) == says


@given(st.lists(st.sampled_from(list(Step)), max_size=30))
def test_no_sequence_of_steps_leaves_the_table(steps):
    status = None
    reached = {None, *(transition.after for transition in TRANSITIONS)}
    for step in steps:
        try:
            status = move(step, status)
        except NotAllowedNow:
            continue
        assert status in reached
    # Only what was submitted and reviewed, or imported, can have been accepted. What may be kept
    # as it was accepted the table can't tell: the action does (`reporting.keep`).
    if status == Status.ACCEPTED and Step.KEEP not in steps:
        assert Step.IMPORT in steps or {Step.SUBMIT, Step.ACCEPT} <= set(steps)


def test_a_status_read_from_the_database_as_text_moves_like_its_name():
    assert move(Step.SUBMIT, "DRAFT") == Status.IN_REVIEW


def test_only_what_is_retired_has_no_way_back():
    begins = {transition.before for transition in TRANSITIONS}
    assert set(Status) - begins == {Status.RETIRED}


def test_an_author_may_edit_what_can_be_submitted():
    assert set(EDITABLE) == {Status.DRAFT, Status.RETURNED}


# --- Rules ----------------------------------------------------------------------------------


def opinions(*given: str) -> list[Opinion]:
    """Read opinions from words: `accept`, or `accept+AGREES` after a blind solve."""
    read = []
    for one in given:
        recommendation, _plus, solve = one.partition("+")
        outcome = SolveOutcome(solve) if solve else None
        read.append(Opinion(Recommendation(recommendation.upper()), outcome))
    return read


def say(terms: Terms, said: list[Opinion], others: tuple[SolveOutcome, ...] = ()) -> str:
    """Say in a word where a round is."""
    if is_split(terms, said, others):
        assert decide(terms, said, others) is None
        return "split"
    words = {Step.PASS: "passed", Step.RETURN: "returned", None: "open"}
    return words[decide(terms, said, others)]


@pytest.mark.parametrize(
    ("rule", "given", "outcome"),
    [
        # All have to accept; anything else goes back to the author.
        ("UNANIMOUS", ["accept"], "passed"),
        ("UNANIMOUS", ["revise"], "returned"),
        ("UNANIMOUS", ["accept", "accept"], "passed"),
        ("UNANIMOUS", ["accept", "revise"], "returned"),
        ("UNANIMOUS", ["revise", "revise"], "returned"),
        # More than half; a tie is no majority.
        ("MAJORITY", ["accept"], "passed"),
        ("MAJORITY", ["revise"], "returned"),
        ("MAJORITY", ["accept", "revise"], "returned"),
        ("MAJORITY", ["accept", "accept", "revise"], "passed"),
        ("MAJORITY", ["accept", "revise", "revise"], "returned"),
        ("MAJORITY", ["accept", "accept", "revise", "revise"], "returned"),
        # No rule rejects, nor passes over who does.
        *(
            (rule, given, "split")
            for rule in Rule.values
            for given in (
                ["reject"],
                ["reject", "reject"],
                ["accept", "reject"],
                ["revise", "reject"],
                ["accept", "accept", "reject"],
                ["accept", "revise", "reject"],
                ["accept+AGREES", "reject+DISAGREES"],
                ["accept+AGREES", "accept+AGREES", "reject+NO_ANSWER"],
                # Nor does any choose between two answers.
                ["accept+AGREES", "accept+DISAGREES"],
                ["accept+AGREES", "revise+DISAGREES"],
                ["revise+AGREES", "revise+DISAGREES"],
                ["accept+AGREES", "accept+AGREES", "accept+DISAGREES"],
            )
        ),
    ],
)
def test_a_rule_turns_reviews_into_a_decision_or_leaves_it_to_a_person(rule, given, outcome):
    terms = Terms(Rule(rule), reviews_needed=len(given))
    assert say(terms, opinions(*given)) == outcome


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (["accept+AGREES"], "open"),
        (["reject+DISAGREES"], "open"),
        (["accept+AGREES", "accept+AGREES"], "passed"),
        # To accept what one did not come to oneself is not to have come to it.
        (["accept+DISAGREES", "accept+DISAGREES"], "open"),
        # What could not be told is neither for nor against: somebody else is asked.
        (["accept+AGREES", "accept+NOT_TOLD"], "open"),
        (["accept+NOT_TOLD", "accept+NOT_TOLD"], "open"),
        (["accept+AGREES", "accept+NOT_TOLD", "accept+AGREES"], "passed"),
        (["accept+AGREES", "accept+NO_ANSWER"], "open"),
        # However well it is solved, a reviewer can want something mended.
        (["accept+AGREES", "revise+AGREES"], "returned"),
        (["accept+AGREES", "revise+NOT_TOLD"], "returned"),
        (["revise+DISAGREES", "accept+DISAGREES"], "returned"),
    ],
)
def test_blind_solves_have_to_agree_before_a_stage_is_passed(given, outcome):
    terms = Terms(Rule.BLIND_SOLVES, reviews_needed=2, solves_needed=2)
    assert say(terms, opinions(*given)) == outcome


@pytest.mark.parametrize("rule", Rule)
def test_a_blind_solve_counts_though_its_solver_has_not_reviewed(rule):
    terms, said = Terms(rule, solves_needed=1), opinions("accept+AGREES")
    assert say(terms, said) == "passed"
    assert say(terms, said, (SolveOutcome.NO_ANSWER, SolveOutcome.NOT_TOLD)) == "passed"
    assert say(terms, said, (SolveOutcome.DISAGREES,)) == "split"


SHIPPED = [
    (pipeline, stage["name"], Terms(
        Rule(stage["rule"]), stage.get("reviews_needed", 1), stage.get("solves_needed", 0)
    ))
    for pipeline, stages in STAGES.items()
    for stage in stages
]  # fmt: skip


@pytest.mark.parametrize(("pipeline", "stage", "terms"), SHIPPED)
def test_each_shipped_stage_passes_what_all_accept_and_leaves_a_rejection_to_a_person(
    pipeline, stage, terms
):
    solved = "+AGREES" if terms.solves_needed else ""
    fine = [f"accept{solved}"] * (terms.reviews_needed - 1)
    assert say(terms, opinions(*fine, f"accept{solved}")) == "passed"
    assert say(terms, opinions(*fine, f"revise{solved}")) == "returned"
    assert say(terms, opinions(*fine, "reject")) == "split"
    assert say(terms, opinions(*["reject"] * terms.reviews_needed)) == "split"
    assert say(terms, opinions(*fine)) == "open"


RULES = st.sampled_from(list(Rule))
OPINION = st.builds(
    Opinion, st.sampled_from(list(Recommendation)), st.sampled_from([None, *SolveOutcome])
)
OPINIONS = st.lists(OPINION, max_size=6)
TERMS = st.builds(Terms, RULES, st.integers(1, 4), st.integers(1, 3))


@given(TERMS, OPINIONS, st.randoms(use_true_random=False))
def test_a_decision_does_not_depend_on_the_order_of_reviews(terms, said, random):
    shuffled = list(said)
    random.shuffle(shuffled)
    assert decide(terms, said) == decide(terms, shuffled)


@given(TERMS, OPINIONS)
def test_nothing_is_decided_before_enough_reviews_are_in(terms, said):
    if len(said) < terms.reviews_needed:
        assert decide(terms, said) is None
        assert not is_split(terms, said)


@given(TERMS, OPINIONS, st.lists(st.sampled_from(SolveOutcome), max_size=3))
def test_no_rule_rejects_and_none_decides_where_somebody_does(terms, said, others):
    decided = decide(terms, said, others)
    assert decided is not Step.REJECT
    if any(one.recommendation is Recommendation.REJECT for one in said):
        assert decided is None


@given(TERMS, OPINIONS)
def test_a_stage_is_passed_by_those_who_accept_and_solved(terms, said):
    if decide(terms, said) is Step.PASS:
        accepting = sum(one.recommendation is Recommendation.ACCEPT for one in said)
        assert accepting > len(said) / 2
        if terms.rule is not Rule.MAJORITY:
            assert accepting == len(said)
        if terms.rule is Rule.BLIND_SOLVES:
            agreeing = [one for one in said if one.solve is SolveOutcome.AGREES]
            assert len(agreeing) >= terms.solves_needed


@given(TERMS, OPINIONS)
def test_a_decision_of_a_rule_is_a_step_from_review(terms, said):
    decided = decide(terms, said)
    if decided:
        for is_last in (True, False):
            move(conclude(decided, is_last=is_last), Status.IN_REVIEW)


def test_the_last_stage_passed_accepts_and_an_earlier_one_does_not():
    assert conclude(Step.PASS, is_last=True) is Step.ACCEPT
    assert conclude(Step.PASS, is_last=False) is Step.PASS
    assert conclude(Step.RETURN, is_last=True) is Step.RETURN


@pytest.mark.parametrize("is_last", [True, False])
def test_what_was_never_accepted_is_rejected_with_its_problem(is_last):
    assert conclude(Step.REJECT, is_last=is_last) is Step.REJECT


@given(st.sampled_from(OVERRIDES), st.booleans())
def test_a_correction_is_never_rejected_with_its_problem(step, is_last):
    concluded = conclude(step, is_last=is_last, is_correction=True)
    assert move(concluded, Status.IN_REVIEW) is not Status.REJECTED
    if step is not Step.REJECT:
        assert concluded is conclude(step, is_last=is_last)


class Life(RuleBasedStateMachine):
    """A problem through any stages, by whatever its people think of, in any order."""

    @initialize(stages=st.lists(TERMS, min_size=1, max_size=4))
    def begin(self, stages):
        self.stages = stages
        self.status = move(Step.CREATE, None)
        self.place = 0
        self.said: list[Opinion] = []
        self.passed: set[int] = set()
        self.was_overridden = False
        self.is_published = False

    def take(self, step: Step) -> bool:
        try:
            self.status = move(step, self.status)
        except NotAllowedNow:
            return False
        return True

    def close(self, step: Step) -> None:
        is_last = self.place == len(self.stages) - 1
        step = conclude(step, is_last=is_last, is_correction=self.is_published)
        assert self.take(step)
        self.is_published = self.is_published or step is Step.ACCEPT
        self.said = []
        if step in {Step.PASS, Step.ACCEPT}:
            self.passed.add(self.place)
        if step is Step.PASS:
            self.place += 1

    @rule()
    def submit(self):
        if self.take(Step.SUBMIT):
            self.place, self.said, self.passed = 0, [], set()

    @rule()
    def withdraw(self):
        self.take(Step.WITHDRAW)

    @rule()
    def retire(self):
        self.take(Step.RETIRE)

    @rule()
    def reopen(self):
        self.take(Step.REOPEN)

    @invariant()
    def only_a_person_rejects(self):
        if self.status is Status.REJECTED:
            assert self.was_overridden

    @precondition(lambda self: self.is_published)
    @rule()
    def keep(self):
        if self.take(Step.KEEP):
            # What was accepted had passed them all, or an admin had decided.
            self.passed = set(range(len(self.stages)))

    @precondition(lambda self: self.status is Status.IN_REVIEW)
    @rule(
        opinion=st.builds(
            Opinion, st.sampled_from(list(Recommendation)), st.sampled_from([None, *SolveOutcome])
        )
    )
    def review(self, opinion):
        self.said.append(opinion)
        if step := decide(self.stages[self.place], self.said):
            self.close(step)

    @precondition(lambda self: self.status is Status.IN_REVIEW)
    @rule(step=st.sampled_from(OVERRIDES))
    def override(self, step):
        self.was_overridden = True
        self.close(step)

    @invariant()
    def it_stands_where_the_table_leads(self):
        assert self.status in {transition.after for transition in TRANSITIONS}
        assert 0 <= self.place < len(self.stages)

    @invariant()
    def what_was_accepted_is_lost_only_by_being_retired(self):
        if self.is_published:
            assert self.status not in {Status.DRAFT, Status.REJECTED}

    @invariant()
    def only_who_passed_every_stage_is_accepted_unless_an_admin_decided(self):
        if self.status in {Status.ACCEPTED, Status.RETIRED} and not self.was_overridden:
            assert self.passed == set(range(len(self.stages)))


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=60, stateful_step_count=40)
