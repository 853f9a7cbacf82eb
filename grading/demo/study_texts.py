"""What the demo's studies say: all that a report asks for, of people who are made up."""

from typing import Any

from grading.studies.models import Study
from grading.studies.questions import read_questions

QUESTIONS = read_questions(
    """
    Do you study physics? [must be yes]
    In which year are you? [1 | 2 | 3 | 4 or later]
    Have you taken part in a physics olympiad? [yes/no]
    How many courses of physics have you passed? [number]
    Which part of physics do you like best?
    """
)
CONSENT = """\
This study is part of a demo. Everybody in it is simulated, and so are their answers.

What a real one says here: you solve some physics problems by yourself within a fixed time. We
keep your answers, your notes and when you wrote them under a pseudonym, and we publish them only
without names. You may stop at any time without a reason. Your teachers do not see how you did.
If you have a question, write to study@demo.example.\
"""
STUDY: dict[str, Any] = {
    "title": "Demo: physics students (simulated)",
    "consent": CONSENT,
    "allowed_aids": "Pen, paper and a table of constants. No books, no calculator, no internet.",
    "attestation": "I use no language model, no search engine and no help of other people.",
    "pauses": "The clock goes on in a pause. Take one whenever you like.",
    "completion_code": "DEMO-2024",
    "shows_results": True,
    "shows_keys": False,
    "population": "Students of physics in their first to fourth year, all of them simulated.",
    "recruitment": "None: these people are made up. A real study says who was asked, and how.",
    "pay": "None. A real study says what an hour is paid.",
    "training_pay": "None.",
    "bonus": "None. A real study says what right answers earn.",
    "pay_alike": "Yes: nobody was paid.",
    "pilot": "None: what simulated people do was known beforehand.",
    "ai_tools": "None were allowed, and no one who is simulated used any.",
    "paper": "None: this study is part of a demo.",
    "venue": "Nowhere: this study is part of a demo.",
    "data": Study.Data.SINGLE,
    "data_where": "In this installation: “CSV” on the page of results.",
    "materials": "In this installation: the pool, the prompt and the consent are on its pages.",
    "code": "With the source code of this site, in phybench_grader/statistics, grading/baselines.",
    "ethics": "Not needed: nobody real took part. A real study names the board and its number.",
    "authors_part": Study.AuthorsPart.NO,
    "hypothesis": "Students answer between 50 and 70 % of the problems correctly.",
    "exclusions": (
        "Left out is who stops early, who works for fewer than 20 minutes, and who says afterwards"
        " that they did not keep to the allowed aids. Results are shown with and without each rule."
    ),
    "rules": {Study.Rule.STOPPED: 1, Study.Rule.AIDS: 1, Study.Rule.SHORT: 20},
    "analysis": (
        "Mean accuracy over answers, with a 95 % interval that is clustered by person and by"
        " problem. A problem left empty or given up counts 0; one seen before does not count."
    ),
    "expected_accuracy": 60.0,
    "person_correlation": 0.1,
    "problem_correlation": 0.2,
}
"""The study that has ended."""
TRIAL: dict[str, Any] = {
    **STUDY,
    "title": "Demo: try a session",
    "consent": (
        "This study is part of a demo, for you to see how a session goes: three problems and half"
        " an hour. What you write is kept in this installation like anything else here. You may"
        " stop at any time."
    ),
    "questions": read_questions("Have you sat such a session before? [yes/no]"),
    "attestation": "",
    "completion_code": "",
    "shows_keys": True,
    "population": "Whoever looks at this demo.",
    "recruitment": "Every participant of this site finds it under “Studies”.",
    "pay": "None.",
    "ethics": "Not needed: nothing is found out here.",
    "hypothesis": "None.",
    "exclusions": "Nobody is left out.",
    "rules": {},
}
"""The one that is open."""
MOVED = "The examinations took a week longer than announced."
EXTENDED = "The network of the room was down for a while."
WHY_GAVE_UP = "I don’t know how to begin."
