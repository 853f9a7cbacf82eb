"""Where a response has its answer: think blocks of all forms, and the last definite statement."""

import pytest

from phybench_grader.judges.location import locate
from phybench_grader.judges.thoughts import Thinking, find_final


@pytest.mark.parametrize(
    ("response", "text", "thinking"),
    [
        ("B", "B", Thinking.NONE),
        ("<think>A</think>B", "B", Thinking.CLOSED),
        ("<THINK>A</THINK>B", "B", Thinking.CLOSED),
        ("< think >A</ think >B", "B", Thinking.CLOSED),
        ("<think\n>A</think>B", "B", Thinking.CLOSED),
        ('<think type="deep">A</think>B', "B", Thinking.CLOSED),
        ("A</think>B", "B", Thinking.CLOSED),
        ("A</think>B</think>C", "C", Thinking.CLOSED),
        ("<think>A</think>\n<think>B</think>C", "C", Thinking.CLOSED),
        ("<think>A<think>B</think>C</think>D", "D", Thinking.CLOSED),
        ("<thinking>A</thinking>B", "B", Thinking.CLOSED),
        ("<thought>A</thought>B", "B", Thinking.CLOSED),
        ("<reasoning>A</reasoning>B", "B", Thinking.CLOSED),
        ("<scratchpad>A</scratchpad>B", "B", Thinking.CLOSED),
        ("[THINK]A[/THINK]B", "B", Thinking.CLOSED),
        ("<think>A</thinking>B", "B", Thinking.CLOSED),
        ("<think>A</think>", "", Thinking.NOTHING_AFTER),
        ("<think>A</think> \n", "", Thinking.NOTHING_AFTER),
        ("A</think>", "", Thinking.NOTHING_AFTER),
        ("<think>A", "", Thinking.UNCLOSED),
        ("\n <think>A", "", Thinking.UNCLOSED),
        ("", "", Thinking.EMPTY),
        (" \n", "", Thinking.EMPTY),
        ("Use `<think>` here: B", "Use `<think>` here: B", Thinking.NONE),
        ("```\n<think>\n```\nB", "```\n<think>\n```\nB", Thinking.NONE),
        ("I think B", "I think B", Thinking.NONE),
        ("a <thinker> b", "a <thinker> b", Thinking.NONE),
        ("x < think > y", "x < think > y", Thinking.UNCLEAR),
        ("B, without <think> tags", "B, without <think> tags", Thinking.UNCLEAR),
        ("B, without <think></think>", "", Thinking.UNCLEAR),
        ("B (no </think>.)", ".)", Thinking.UNCLEAR),
        ("<think>A</think>B<think>C", "B<think>C", Thinking.UNCLEAR),
        ("<think>A</think>B<think>C</think>", "", Thinking.UNCLEAR),
        ("<think>`</think>` B", "<think>`</think>` B", Thinking.UNCLEAR),
    ],
)
def test_what_counts_is_what_follows_the_thinking(response, text, thinking):
    final = find_final(response)

    assert (final.text, final.thinking) == (text, thinking)


@pytest.mark.parametrize(
    ("response", "text", "rule"),
    [
        ("B", "B", "whole"),
        ("**B**", "B", "whole"),
        ("We look at it.\n\n**B**", "B", "last_line"),
        (r"So $\boxed{7}$.", "7", "boxed"),
        (r"\boxed{\frac{a}{b}}", r"\frac{a}{b}", "boxed"),
        (r"\boxed {7}", "7", "boxed"),
        (r"First \boxed{1}. Then $x = \boxed{2}$.", "2", "boxed"),
        (r"\boxed{\text{B}}", "B", "boxed"),
        ("The answer is 7.", "7", "phrase"),
        ("The final answer is: **7**.", "7", "phrase"),
        ("Therefore, the answer is $7$.", "7", "phrase"),
        ("The answer is 7.5.", "7.5", "phrase"),
        ("Answer: 7", "7", "label"),
        ("**Final Answer:** 7", "7", "label"),
        ("## Answer\n\n7", "7", "label"),
        ("Die Antwort lautet 7.", "7", "phrase"),
        ("Vastaus: 7", "7", "label"),
        ("答案是7。", "7", "phrase"),
        ("<answer> 7 </answer>", "7", "answer_tag"),
        ("The answer is 6. Wait, no, the answer is 7.", "7", "phrase"),
        (r"The answer is $\boxed{7}$.", "7", "boxed"),
        ("<think>6</think>The answer is 7.", "7", "phrase"),
    ],
)
def test_the_last_statement_is_found_with_its_place_and_the_rule(response, text, rule):
    found = locate(response)

    assert (found.last.text, found.rule, found.doubt) == (text, rule, None)
    assert response[found.last.start : found.last.end] == text


@pytest.mark.parametrize(
    ("response", "doubt"),
    [
        ("The answer is 7?", "question"),
        ("If it rains, the answer is 7.", "condition"),
        ("Maybe the answer is 7.", "hedge"),
        ("I do not hold that the answer is 7.", "negation"),
        ("Ann says the answer is 7.", "attribution"),
        ("The answer is 7. But see below.", "goes_on"),
        ("The answer is 7...", "unfinished"),
        (r"\boxed{7", "open_box"),
        (r"\boxed 7", "open_box"),
        (r"-\boxed{7}", "leads_elsewhere"),
        (r"\boxed{7} km", "goes_on"),
        ("We talk about the weather.\nIt is nice.", "no_statement"),
        ("<|im_start|>The answer is 7.", "chat_token"),
        ("Answer: 7, as no <think> block shows", "unclear_thinking"),
        (r"\boxed{7} " * 300, "too_many_statements"),
    ],
)
def test_what_is_not_definite_is_found_and_doubted(response, doubt):
    assert locate(response).doubt == doubt


@pytest.mark.parametrize(
    ("response", "rule"),
    [("", "no_answer"), ("<think>7</think>", "no_answer"), ("<think>7", "truncated")],
)
def test_no_answer_has_its_rule_too(response, rule):
    assert (locate(response).rule, locate(response).last) == (rule, None)
