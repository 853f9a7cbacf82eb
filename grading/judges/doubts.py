"""Why the deterministic stage left a response undecided, in sentences for people."""

SENTENCES = {
    # How the response is built.
    "too_long": "The response is too long to be looked at.",
    "no_statement": "The response states no answer that could be found.",
    "unclear_thinking": "It is not clear where the thinking ends.",
    "too_many_statements": "The response states too many answers.",
    "chat_token": "The response holds the marks of a chat.",
    "struck_out": "Something in the response is struck out.",
    "framed": "A heading says that what stands below it is an example, a draft or wrong.",
    # What stands around the statement.
    "question": "The answer is put as a question.",
    "unfinished": "The sentence with the answer breaks off.",
    "open_box": "The box with the answer is not closed.",
    "leads_elsewhere": "What leads to the answer is not understood.",
    "quotation": "The answer is quoted.",
    "negation": "Something is denied beside the answer.",
    "hedge": "The answer is hedged.",
    "condition": "The answer depends on a condition.",
    "attribution": "The answer may be somebody else's.",
    "correction": "The answer may be taken back after it is given.",
    "goes_on": "The response goes on after the answer.",
    # What is stated.
    "empty_statement": "The last statement of an answer is empty.",
    "several_statements": "Several answers are stated, and none is taken back.",
    "names_another": "Another answer is named beside this one.",
    "words": "Words stand among the letters, so it may be read aloud: that is for a model to tell.",
    "unreadable": "What is stated can't be read as an answer of this kind.",
    "exclamation": "The number is followed by an exclamation mark, or a factorial.",
    "ambiguous_number": "The number can be read in two ways.",
    "nearly_equal": "The number is nearly the ground truth, as if rounded.",
    "power_of_ten": "The number is the ground truth but for a power of ten.",
    "not_set_as_mathematics": "The answer is not set as mathematics.",
    "relation": "The answer is a relation, not one expression.",
    "other_words": "The answer is not the ground truth word for word.",
    "symbolic": "The symbolic judge could not decide.",
}
"""Every reason for being undecided."""
