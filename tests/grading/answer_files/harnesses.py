"""
What harnesses write, in small: the shapes are theirs, the words our own.

Each has answers to the problems C1 and C2: “x” and “y”. Where asking failed, they are as Inspect
0.3.285 with `mockllm/model` and lm-evaluation-harness 0.4.13 were seen to write them, and as the
batches are documented.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from phybench.files.answer_files.answers import Reason
from phybench.files.answer_files.fields import FieldMap
from tests.grading.answer_files.files import as_lines

BOTH = (("C1", "x"), ("C2", "y"))


@dataclass(frozen=True)
class Harness:
    content: bytes
    field_map: FieldMap
    rows_in: str = ""


def list_rows(write: Callable[[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    return [write(problem, text) for problem, text in BOTH]


def _of_phybench(problem: str, text: str) -> dict[str, Any]:
    return {
        "id": problem,
        "model": "A model",
        "repeat_index": 0,
        "model_answer": text if problem == "C1" else None,
        "model_solution": f"\\boxed{{{text}}}" if problem == "C1" else text,
    }


def _of_lm_evaluation_harness(problem: str, text: str) -> dict[str, Any]:
    return {
        "doc_id": int(problem[1:]) - 1,
        "doc": {"id": problem, "question": "Which energy?", "answer": "m g h"},
        "target": "m g h",
        "arguments": {"gen_args_0": {"arg_0": "Which energy?", "arg_1": {"temperature": 0.0}}},
        "resps": [[text]],
        "filtered_resps": ["[invalid]"],
        "filter": "strict-match",
        "metrics": ["exact_match"],
        "doc_hash": "1f",
        "prompt_hash": "2f",
        "target_hash": "3f",
        "exact_match": float("nan"),
    }


def _of_inspect(problem: str, text: str) -> dict[str, Any]:
    return {
        "id": problem,
        "epoch": 1,
        "input": "Which energy?",
        "target": "m g h",
        "messages": [
            {"role": "user", "content": "Which energy?"},
            {"role": "assistant", "content": [{"type": "text", "text": text}]},
        ],
        "output": {
            "model": "A model",
            "choices": [
                {"message": {"role": "assistant", "content": text}, "stop_reason": "stop"},
            ],
            "completion": text,
            "usage": {"input_tokens": 9, "output_tokens": 7, "total_tokens": 16},
            "time": 2.5,
        },
        "scores": {"match": {"value": "I", "answer": "q", "explanation": "It is q."}},
        "model_usage": {"A model": {"input_tokens": 9, "output_tokens": 7}},
        "events": [{"event": "model", "output": {"completion": "thinking aloud"}}],
    }


INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "energy", "task_id": "T1", "model": "maker/a-model", "scorers": [{}, {}, {}]},
    "plan": {"name": "plan", "steps": [{"solver": "system"}, {"solver": "generate"}, {}]},
    "results": {"total_samples": 2, "scores": [{"name": "match"}]},
    "samples": list_rows(_of_inspect),
    "reductions": [{"scorer": "match", "samples": [{"value": 0}]}],
}


def _of_helm(problem: str, text: str) -> dict[str, Any]:
    return {
        "instance": {
            "id": problem,
            "input": {"text": "Which energy?"},
            "references": [{"output": {"text": "m g h"}, "tags": ["correct"]}],
        },
        "train_trial_index": 0,
        "request": {"model": "A model", "prompt": "Which energy?", "temperature": 0.0},
        "result": {
            "success": True,
            "completions": [
                {
                    "text": text,
                    "tokens": [{"text": text, "logprob": -0.5}],
                    "finish_reason": {"reason": "stop"},
                }
            ],
            "request_time": 2.5,
        },
    }


def _of_simple_evals(problem: str, text: str) -> dict[str, Any]:
    return {
        "score": 0.5,
        "usage": {"output_tokens": 7},
        "prompt": [{"role": "user", "content": "Which energy?"}],
        "completion": [{"role": "assistant", "content": text}],
        "prompt_id": problem,
    }


SIMPLE_EVALS = {
    "score": 0.5,
    "htmls": ["<p>", "<p>"],
    "convos": [[{"role": "user", "content": "Which energy?"}]] * 2,
    "metadata": {"example_level_metadata": list_rows(_of_simple_evals)},
}


def _of_openai(problem: str, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": f"batch_req_{problem}",
        "custom_id": problem,
        "response": {
            "status_code": 200,
            "request_id": "r",
            "body": {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "model": "A model",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16},
            },
        },
        "error": None,
    }


def _of_openai_responses(problem: str, text: str) -> dict[str, Any]:
    said = [{"type": "output_text", "text": text[:1]}, {"type": "output_text", "text": text[1:]}]
    output = [
        {"type": "reasoning", "summary": []},
        {"type": "message", "role": "assistant", "content": said},
    ]
    body = {"id": "resp_1", "model": "A model", "output": output, "usage": {"output_tokens": 7}}
    return {"id": "b", "custom_id": problem, "response": {"body": body}, "error": None}


def _of_anthropic(problem: str, text: str) -> dict[str, Any]:
    message = {
        "id": "msg_1",
        "role": "assistant",
        "model": "A model",
        "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": text}],
        "stop_reason": "stop",
        "usage": {"input_tokens": 9, "output_tokens": 7},
    }
    return {"custom_id": problem, "result": {"type": "succeeded", "message": message}}


def _of_google(problem: str, text: str) -> dict[str, Any]:
    parts = [{"text": "Hm.", "thought": True}, {"text": text}]
    return {
        "key": problem,
        "response": {
            "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": "stop"}],
            "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 7},
            "modelVersion": "A model",
        },
    }


def _of_vllm(problem: str, text: str) -> dict[str, Any]:
    return {
        "request_id": "0",
        "problem_id": problem,
        "outputs": [{"index": 0, "text": text, "finish_reason": "stop"}],
    }


BY_PROBLEM = {
    problem: {"model": "A model", "response": text, "usage": {"completion_tokens": 7}}
    for problem, text in BOTH
}
OPENAI = "response.body"
HARNESSES = {
    "PHYBench": Harness(
        json.dumps(list_rows(_of_phybench)).encode(),
        FieldMap(
            id="id",
            response="model_answer",
            otherwise="model_solution",
            sample="repeat_index",
            model="model",
        ),
    ),
    "lm-evaluation-harness": Harness(
        as_lines(*list_rows(_of_lm_evaluation_harness)),
        FieldMap(id="doc.id", response="resps[][]"),
    ),
    "Inspect": Harness(
        json.dumps(INSPECT, indent=2).encode(),
        FieldMap(
            id="id",
            response="output.completion",
            sample="epoch",
            samples_from=1,
            model="output.model",
            finish_reason="output.choices[].stop_reason",
            tokens="output.usage.output_tokens",
            latency="output.time",
        ),
        rows_in="samples",
    ),
    "HELM": Harness(
        json.dumps({"adapter_spec": {}, "request_states": list_rows(_of_helm)}).encode(),
        FieldMap(
            id="instance.id",
            response="result.completions[].text",
            sample="train_trial_index",
            model="request.model",
            finish_reason="result.completions[].finish_reason.reason",
            latency="result.request_time",
        ),
        rows_in="request_states",
    ),
    "simple-evals": Harness(
        json.dumps(SIMPLE_EVALS).encode(),
        FieldMap(id="prompt_id", response="completion[-1].content", tokens="usage.output_tokens"),
        rows_in="metadata.example_level_metadata",
    ),
    "OpenAI's batches": Harness(
        as_lines(*list_rows(_of_openai)),
        FieldMap(
            id="custom_id",
            response=f"{OPENAI}.choices[].message.content",
            model=f"{OPENAI}.model",
            finish_reason=f"{OPENAI}.choices[].finish_reason",
            tokens=f"{OPENAI}.usage.completion_tokens",
        ),
    ),
    "OpenAI's batches of responses": Harness(
        as_lines(*list_rows(_of_openai_responses)),
        FieldMap(
            id="custom_id",
            response=f"{OPENAI}.output[-1].content",
            model=f"{OPENAI}.model",
            tokens=f"{OPENAI}.usage.output_tokens",
        ),
    ),
    "Anthropic's batches": Harness(
        as_lines(*list_rows(_of_anthropic)),
        FieldMap(
            id="custom_id",
            response="result.message.content",
            model="result.message.model",
            finish_reason="result.message.stop_reason",
            tokens="result.message.usage.output_tokens",
        ),
    ),
    "Google's batches": Harness(
        as_lines(*list_rows(_of_google)),
        FieldMap(
            id="key",
            response="response.candidates[].content.parts",
            model="response.modelVersion",
            finish_reason="response.candidates[].finishReason",
            tokens="response.usageMetadata.candidatesTokenCount",
        ),
    ),
    "vLLM": Harness(
        as_lines(*list_rows(_of_vllm)),
        FieldMap(
            id="problem_id",
            response="outputs[].text",
            finish_reason="outputs[].finish_reason",
        ),
    ),
    "an object by problem": Harness(
        json.dumps(BY_PROBLEM).encode(),
        FieldMap(id="(key)", response="response", model="model", tokens="usage.completion_tokens"),
    ),
    "a table": Harness(
        b"index,model_name,sample,prediction,completion_tokens,latency_ms\r\n"
        b"C1,A model,1,x,7,2500\r\nC2,A model,1,y,7,2500\r\n",
        FieldMap(
            id="index",
            response="prediction",
            sample="sample",
            samples_from=1,
            model="model_name",
            tokens="completion_tokens",
            latency="latency_ms",
        ),
    ),
}


@dataclass(frozen=True)
class Failing:
    """A file in which not all questions were answered."""

    content: bytes
    outcomes: tuple[str | Reason, ...]
    """What each row is: a response, or why it is none."""
    model: str = ""
    """Of the file, where no row names one."""


ASKED = {"role": "user", "content": r"Which energy? Answer in \boxed{E}."}
SYSTEM = {"role": "system", "content": "You are a physicist."}
CALLED = {"role": "assistant", "content": "", "tool_calls": [{"function": "add"}]}
RETURNED = {"role": "tool", "content": r"\boxed{2}"}


def said(content: object, role: str = "assistant") -> dict[str, object]:
    return {"role": role, "content": content}


THOUGHT = [{"type": "reasoning", "reasoning": "x?", "text": "x?"}, {"type": "text", "text": "y"}]


def _of_inspect_failing(
    *messages: dict[str, Any], error: str = "", completion: str = "", stop: str = "stop"
) -> dict[str, Any]:
    choices = [{"message": one, "stop_reason": stop} for one in messages[-1:]]
    return {
        "epoch": 1,
        "input": ASKED["content"],
        "target": "m g h",
        "messages": [SYSTEM, ASKED, *messages],
        "output": {
            "model": "A model",
            "choices": choices if messages and messages[-1]["role"] == "assistant" else [],
            "completion": completion,
        },
        "scores": {},
        **({"error": {"message": error, "traceback": "…", "traceback_ansi": "…"}} if error else {}),
        "error_retries": [],
    }


def _log(*samples: dict[str, Any], status: str = "success") -> bytes:
    numbered = [{"id": f"C{n}", **one} for n, one in enumerate(samples, start=1)]
    return json.dumps({**INSPECT, "status": status, "samples": numbered}).encode()


def log_of(*samples: tuple[str, str, str], model: str = "openai/gpt-x") -> bytes:
    """
    Write the log of an evaluation as Inspect does, where replies name the model as the API does.

    Args:
        samples: id, the model that the output names, and what was said; "" if the call failed.
        model: what was configured.
    """
    listed = []
    for identifier, named, text in samples:
        messages = [said(text)] if text else []
        one = _of_inspect_failing(*messages, error="" if text else "Timeout", completion=text)
        one["output"]["model"] = named
        listed.append({"id": identifier, **one})
    return json.dumps(
        {**INSPECT, "eval": {"task": "energy", "model": model}, "samples": listed}
    ).encode()


def _list_chats(*chats: list[Any]) -> bytes:
    return as_lines(
        *({"id": f"C{n}", "model": "A", "messages": one} for n, one in enumerate(chats, start=1))
    )


def _of_openai_failing(body: object, *, error: object = None, status: int = 200) -> dict[str, Any]:
    return {"response": {"status_code": status, "body": body} if body else None, "error": error}


def _chat(message: dict[str, object], finish_reason: str = "stop") -> dict[str, Any]:
    choices = [{"message": {"role": "assistant", **message}, "finish_reason": finish_reason}]
    return {"model": "A model", "choices": choices}


def _response(status: str, *said_in_it: str | None) -> dict[str, Any]:
    """Make a response of the Responses API; None is a thought, after which nothing was said."""
    thought = {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "z"}]}
    output = [
        thought
        if text is None
        else {"type": "message", **said([{"type": "output_text", "text": text}])}
        for text in said_in_it
    ]
    reason = {"reason": "max_output_tokens"} if status == "incomplete" else None
    return {
        **{"object": "response", "model": "A", "status": status, "error": None},
        **{"output": output, "incomplete_details": reason},
    }


def _batch(*rows: dict[str, Any], name: str = "custom_id") -> bytes:
    return as_lines(*({name: f"C{n}", **one} for n, one in enumerate(rows, start=1)))


FAILED, EMPTY = Reason.FAILED, Reason.EMPTY
FAILING = {
    "Inspect, some samples failed": Failing(
        _log(
            _of_inspect_failing(said("x"), completion="x"),
            _of_inspect_failing(error="RuntimeError('before')"),
            _of_inspect_failing(said("y"), completion="y", error="RuntimeError('after')"),
            _of_inspect_failing(said(""), stop="content_filter"),
            _of_inspect_failing(CALLED, RETURNED, said(THOUGHT), completion="y"),
            _of_inspect_failing(CALLED, RETURNED, error="provider", completion="calling add"),
            _of_inspect_failing(),
        ),
        ("x", FAILED, FAILED, EMPTY, "y", FAILED, EMPTY),
    ),
    "Inspect, all samples failed": Failing(
        _log(*(_of_inspect_failing(error="Refused") for _n in range(2)), status="error"),
        (FAILED, FAILED),
    ),
    "Inspect, all samples met a limit": Failing(
        _log(_of_inspect_failing(), _of_inspect_failing()), (EMPTY, EMPTY)
    ),
    "chats that somebody else ends": Failing(
        _list_chats(
            [ASKED, said("x")],
            [SYSTEM, ASKED],
            [ASKED, said("x"), said(r"Are you sure? Is it \boxed{z}?", "user")],
            [ASKED, said("z"), said("Are you sure?", "user"), said("y"), RETURNED],
            [ASKED, said("z"), said("Are you sure?", "user"), CALLED, RETURNED],
            [ASKED, CALLED, RETURNED],
            [said("x", "developer"), ASKED, said(THOUGHT)],
            [],
        ),
        ("x", EMPTY, EMPTY, "y", EMPTY, EMPTY, "y", EMPTY),
    ),
    "chats that are all ended by a tool": Failing(
        _list_chats([ASKED, said("x"), RETURNED], [SYSTEM, ASKED]), ("x", EMPTY)
    ),
    "prompts with examples, of which one has no reply": Failing(
        _list_chats(
            [SYSTEM, ASKED, said("z"), ASKED, said("x")], [SYSTEM, ASKED, said("z"), ASKED]
        ),
        ("x", EMPTY),
    ),
    "prompts with examples beside the replies": Failing(
        as_lines(
            {"id": "C1", "model": "A", "messages": [ASKED, said("z"), ASKED], "reply": "x"},
            {"id": "C2", "model": "A", "messages": [ASKED, said("z"), ASKED], "reply": ""},
        ),
        ("x", EMPTY),
    ),
    "chats of calls that failed": Failing(
        as_lines(
            {"id": "C1", "model": "A", "messages": [ASKED, said("x")], "error": "Timeout"},
            {"id": "C2", "model": "A", "messages": [ASKED, said("y"), said("Sure?", "user")]},
        ),
        (FAILED, EMPTY),
    ),
    "ShareGPT, where a person speaks last": Failing(
        as_lines(
            {"id": "C1", "conversations": [{"from": "human", "value": "Q"}]},
            {
                "id": "C2",
                "conversations": [{"from": "human", "value": "Q"}, {"from": "gpt", "value": "x"}],
            },
            {
                "id": "C3",
                "conversations": [
                    {"from": "gpt", "value": "y"},
                    {"from": "human", "value": "Are you sure?"},
                ],
            },
        ),
        (EMPTY, "x", EMPTY),
        "A model",
    ),
    "OpenAI's batches": Failing(
        _batch(
            _of_openai_failing(_chat({"content": "x"})),
            _of_openai_failing(None, error={"code": "batch_expired", "message": "Too late."}),
            _of_openai_failing({"error": {"message": "Server error"}}, status=500),
            _of_openai_failing({"id": "r"}, status=429),
            _of_openai_failing(_chat({"content": None, "refusal": "I can't."})),
            _of_openai_failing(_chat({"content": None, "tool_calls": [{}]}, "tool_calls")),
            _of_openai_failing(_chat({"content": "", "reasoning_content": r"\boxed{z}"}, "length")),
            _of_openai_failing(_chat({"content": [{"type": "text", "text": "y"}]})),
        ),
        ("x", FAILED, FAILED, FAILED, EMPTY, EMPTY, EMPTY, "y"),
    ),
    "OpenAI's batches of responses, cut off in thought": Failing(
        _batch(
            _of_openai_failing(
                {
                    "model": "A",
                    "output": [
                        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "z"}]},
                        {"type": "message", **said([{"type": "output_text", "text": "x"}])},
                    ],
                }
            ),
            _of_openai_failing(
                {
                    "model": "A",
                    "output": [
                        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "z"}]}
                    ],
                }
            ),
            _of_openai_failing({"model": "A", "output": [], "error": {"code": "server_error"}}),
        ),
        ("x", EMPTY, FAILED),
    ),
    "OpenAI's batches of responses, without an error": Failing(
        _batch(
            _of_openai_failing(_response("completed", "x")),
            _of_openai_failing(_response("failed")),
            _of_openai_failing(_response("cancelled", "half of it")),
            _of_openai_failing(_response("incomplete")),
            _of_openai_failing(_response("incomplete", None)),
            _of_openai_failing(_response("incomplete", "y")),
        ),
        ("x", FAILED, FAILED, FAILED, EMPTY, "y"),
    ),
    "responses of OpenAI, a row each": Failing(
        as_lines(
            {"id": "C1", **_response("completed", "x")},
            {"id": "C2", **_response("failed")},
            {"id": "C3", **_response("incomplete")},
        ),
        ("x", FAILED, FAILED),
    ),
    "a table of answers and of tests that failed": Failing(
        b"id,model,output,status\nC1,A,x,failed\nC2,A,,failed\n", ("x", EMPTY)
    ),
    "OpenAI's batches of responses, all cut off in thought": Failing(
        _batch(
            _of_openai_failing(
                {
                    "model": "A",
                    "output": [
                        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "z"}]}
                    ],
                }
            ),
        ),
        (EMPTY,),
    ),
    "Anthropic's batches": Failing(
        _batch(
            {
                "result": {
                    "type": "succeeded",
                    "message": {
                        "model": "A",
                        **said(
                            [
                                {"type": "thinking", "thinking": "z", "text": "z"},
                                {"type": "text", "text": "x"},
                            ]
                        ),
                    },
                }
            },
            {
                "result": {
                    "type": "errored",
                    "error": {
                        "type": "error",
                        "error": {"type": "invalid_request_error", "message": "Too long."},
                    },
                }
            },
            {"result": {"type": "expired"}},
            {"result": {"type": "canceled"}},
        ),
        ("x", FAILED, FAILED, FAILED),
    ),
    "Google's batches": Failing(
        _batch(
            {
                "response": {
                    "modelVersion": "A",
                    "candidates": [{"content": {"role": "model", "parts": [{"text": "x"}]}}],
                }
            },
            {"error": {"code": 13, "message": "Internal"}},
            {"response": {"modelVersion": "A", "candidates": [{"finishReason": "SAFETY"}]}},
            name="key",
        ),
        ("x", FAILED, EMPTY),
    ),
    "HELM": Failing(
        json.dumps(
            {
                "request_states": [
                    _of_helm("C1", "x"),
                    {**_of_helm("C2", ""), "result": {"success": False, "completions": []}},
                ]
            }
        ).encode(),
        ("x", FAILED),
    ),
    "lm-evaluation-harness": Failing(
        as_lines(_of_lm_evaluation_harness("C1", "x"), _of_lm_evaluation_harness("C2", "")),
        ("x", EMPTY),
        "A model",
    ),
    "OpenCompass": Failing(
        json.dumps(
            {
                str(n): {
                    "origin_prompt": [{"role": "HUMAN", "prompt": ASKED["content"]}],
                    "prediction": text,
                    "gold": "m g h",
                }
                for n, text in enumerate(("x", "", "y"))
            }
        ).encode(),
        ("x", EMPTY, "y"),
        "A model",
    ),
    "a table with a column for errors": Failing(
        b"id,model,response,error\nC1,A,x,\nC2,A,,Timeout\nC3,A,y,None\nC4,A,y,0.02\n"
        b"C5,A,half of it,Timeout\n",
        ("x", FAILED, "y", "y", FAILED),
    ),
}
"""Only what a model said is an answer, and nothing where asking it failed."""
