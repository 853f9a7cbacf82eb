"""What is wrong with a line of a file of items, by the code that rows keep in place of words."""

from collections.abc import Mapping


def gettext_noop(text: str) -> str:
    """Mark a text for translation, which is done where it is shown."""
    return text


FAULTS: Mapping[str, str] = {
    "row_of_line": gettext_noop("Line {line}: {what}."),
    "row_cut_off": gettext_noop(
        "the file ends in the middle of this line and is incomplete: fetch or write it again"
    ),
    "row_not_json": gettext_noop("not JSON at column {column}: {what}"),
    "row_unreadable": gettext_noop("JSON that can’t be read: write a plain object"),
    "row_no_object": gettext_noop("not an object {{…}}"),
    "row_twice": gettext_noop("its “{name}” is there twice: keep one"),
    "row_same_id": gettext_noop("the same id as line {first}, {id}: give each its own"),
    "row_differ": gettext_noop("its “{one}” and its “{other}” differ: keep one of them"),
    "row_no_question": gettext_noop("it has no “question”"),
    "row_no_id": gettext_noop(
        "it has no “id”, which is an integer or a text of up to 200 characters: add one"
    ),
    "row_reference": gettext_noop(
        "its reference answer is neither a text nor a list of texts: write it in quotation marks"
    ),
    "row_type": gettext_noop("its “type” is not one of {kinds}"),
    "row_no_text": gettext_noop("its “{name}” is not text: write it in quotation marks"),
    "row_too_long": gettext_noop(
        "its “{name}” has a text of {count} characters, and a judge is sent at most {most}: shorten"
        " it"
    ),
    # Only rows of older runs have this one.
    "row_language": gettext_noop("its “language” is not one of {languages}"),
    "row_compares": gettext_noop(
        "this judge compares two answers: write “question”, “first” and “second” in place of the"
        " chat"
    ),
    "row_no_objects": gettext_noop("its “{name}” is not a list of objects"),
    "row_message": gettext_noop(
        "one of its messages has no role, or no content that is text: write “content” as one text"
    ),
    "row_turn": gettext_noop("one of its “turns” has no question or no response: add it"),
    "row_other_question": gettext_noop("its “question” is not in its chat: leave it out"),
    "row_role": gettext_noop(
        "its chat has a message by “{role}”: allowed roles are user, assistant and system"
    ),
    "row_answer_first": gettext_noop(
        "its chat has an answer before the first question: remove the answer"
    ),
    "row_two_last_answers": gettext_noop(
        "its chat ends with an answer that differs from its “response”: keep one of them"
    ),
    "row_after_the_answer": gettext_noop(
        "its chat has a system message after the last answer: remove the message"
    ),
    "row_no_chat": gettext_noop("its chat contains no question"),
}
