"""What is judged: a question with what was answered to it, and what it is judged by."""

import json
from dataclasses import dataclass

from phybench_grader.judges.prompts.filling import hash_values
from phybench_grader.judges.prompts.templates import PromptLanguage
from phybench_grader.judges.truth import TruthKind
from phybench_grader.numbers.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and the answer to it."""

    question: str
    answer: str
    system: str = ""
    """What the system said before the answer; the model had to keep to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to judge. What is None was not given, which is not the same as empty."""

    id: int | str
    """As it stands in the file."""
    question: str = ""
    response: str | None = None
    references: tuple[str, ...] = ()
    """The ground truth, or the references of each turn."""
    type: TruthKind | None = None
    turns: tuple[Turn, ...] = ()
    reference_solution: str = ""
    first: str | None = None
    second: str | None = None
    model: str = ""
    """Who responded, where that is known: it does not judge itself. Of a pair, who gave `first`."""
    second_model: str = ""
    """Who gave `second`, where that is known."""
    language: PromptLanguage | None = None
    """The language of its prompt, where the configuration leaves that to the item."""
    other_language: str = ""
    """The language that it names in that place, where no judge has a prompt in it."""
    category: str = ""
    """What sort of question it is; some sorts are judged with a reference, and others without."""
    refused: Sentence | None = None
    """Why it can't be judged (see `faults`); the rest of it is not to be relied on."""
    canary: str = ""
    """Its name, if its verdict is known and it is there to try the judge."""

    @property
    def key(self) -> str:
        return str(self.id)

    @property
    def reference(self) -> str:
        """The first reference, or the only one; empty where there is none."""
        return self.references[0] if self.references else ""

    @property
    def input_hash(self) -> str:
        """A hash over all that is judged: the same item under the same id."""
        turns = {
            f"turn_{number}": "\x00".join(
                # What has no system message is hashed as it was before there were any.
                [turn.question, turn.answer, *([turn.system] if turn.system else [])]
            )
            for number, turn in enumerate(self.turns, start=1)
        }
        given = {
            "question": self.question,
            "response": self.response,
            "type": self.type,
            "reference_solution": self.reference_solution,
            "first": self.first,
            "second": self.second,
            "model": self.model,
            # What has no second one is hashed as it was before there were any.
            "second_model": self.second_model or None,
            "language": self.language,
            "other_language": self.other_language or None,
            "category": self.category or None,
            "refused": json.dumps(self.refused.write()) if self.refused else None,
            **{f"reference_{number}": one for number, one in enumerate(self.references, start=1)},
        }
        return hash_values({name: text for name, text in given.items() if text is not None} | turns)
