"""
Guess which field of a file holds what, by the names that harnesses use.

The names are those of lm-evaluation-harness, Inspect, HELM, simple-evals, vLLM, PHYBench, and of
the batches of OpenAI, Anthropic and Google; earlier ones are surer than later ones.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from typing import Any

from phybench.files.answer_files import paths
from phybench.files.answer_files.fields import MOST_FIELDS, FieldMap
from phybench.files.answer_files.formats.json_rows import KEY, VALUE
from phybench.files.answer_files.formats.row import Row
from phybench.files.answer_files.values import (
    LONGEST_NAME,
    is_missing,
    take_id,
    take_name,
    take_number,
    take_seconds,
)

IDS = (
    *("problem_id", "question_id", "custom_id", KEY, "id", "task_id", "prompt_id", "item_id"),
    *("example_id", "instance_id", "qid", "pid", "uid", "unique_id", "problem", "key"),
    *("question_number", "doc_id", "sample_id", "index", "idx", "number"),
)
PLAIN = frozenset({KEY, "id", "uid", "problem", "key", "index", "idx", "number"})
"""Of these, those that mean the problem's only at the top, or in one of the fields below."""
OF_A_PROBLEM = frozenset(
    {"doc", "instance", "metadata", "problem", "question", "item", "input", "sample"}
)
RESPONSES = (
    *("model_answer", "model_solution", "model_response", "model_output", "llm_response"),
    *("response", "response_text", "completion", "generated_text", "generation", "output"),
    *("prediction", "raw_output", "raw_response", "full_response", "output_text", "reply"),
    *("responses", "completions", "generations", "outputs", "predictions", "samples"),
    *("choices[].message.content", "choices[].text", "candidates[].content.parts"),
    *("completions[].text", "generations[].text", "outputs[].text", "responses[].text"),
    *("completions[].content", "generations[].content", "responses[].content"),
    *("message.content", "output[-1].content", "output[].content", "completion[-1].content"),
    *("response[-1].content", "resps", "filtered_resps", "generated_answer"),
    *("predicted_answer", "model_prediction", "pred", "answer", "solution", VALUE),
    *("text", "messages[-1].content", "convo[-1].content", "conversation[-1].content"),
    "conversations[-1].value",
)
OF_A_KEY = frozenset({"answer", "solution"})
"""Of these, those that hold the reference answer where the row states the problem."""
STATEMENTS = ("content", "prompt", "problem", "question", "statement")
NOT_ANSWERED = frozenset(
    {
        *("arguments", "attachments", "doc", "events", "gold", "ground_truth", "input", "inputs"),
        *("instance", "judge", "judgement", "judgment", "metrics", "problem", "prompt", "question"),
        *("reference", "references", "request", "scores", "target"),
    }
)
"""Fields in which no answer of the model stands, whatever they hold."""
SAMPLES = (
    *("repeat_index", "sample_index", "sample_idx", "sample_number", "sample_no", "sample_num"),
    *("sample", "epoch", "repeat", "rollout", "rollout_id", "generation_index", "attempt", "trial"),
    *("sample_id", "run", "run_index", "train_trial_index", "k"),
)
FROM_ONE = ("epoch",)
MODEL = "(model)"
"""What the field is called that no row has: of a packed folder, how it names the model."""
MODELS = (
    *("model", "model_name", "model_id", "modelVersion", "engine", "deployment", "solver", MODEL),
)
FINISH_REASONS = (
    *("finish_reason", "finishReason", "stop_reason", "finish_reasons[]", "finish_reason.reason"),
)
TOKENS = ("completion_tokens", "output_tokens", "candidatesTokenCount", "num_output_tokens")
LATENCIES = (
    *("latency", "latency_s", "latency_ms", "latency_seconds", "duration", "duration_s"),
    *("elapsed", "elapsed_time", "generation_time", "total_time", "output.time", "request_time"),
)
MOSTLY = 0.5
"""How much of a field must be known ids, where its name does not say that it holds ids."""
Values = Mapping[str, list[Any]]
"""By path, what is not empty there in the rows that were looked at."""


def guess(
    rows: Iterable[Row],
    *,
    known: Collection[str] = (),
    remarks: Mapping[str, str] | None = None,
) -> FieldMap:
    """
    Guess from some rows what their fields hold; what can't be guessed stays empty.

    Args:
        known: ids of problems, by which of several ids that of the problem is known.
        remarks: what stands beside the rows, by path; it may name the model.
    """
    rows = list(rows)
    values, empty = _collect(row.values for row in rows)
    response = _guess_response(values) or _choose_response(empty, values)
    # Where one row holds several samples, no number of the row's is theirs.
    has_several = any(len(paths.find(row.values, response)) > 1 for row in rows if response)
    sample = "" if has_several else _choose(values, SAMPLES, take_number)
    numbers = [take_number(value) or 0 for value in values.get(sample, ())]
    first = min(numbers, default=0)
    is_pair = response == "model_answer" and "model_solution" in values
    model = _choose(values, MODELS, take_name)
    return FieldMap(
        id=_guess_id(values, frozenset(known)),
        response=response,
        otherwise="model_solution" if is_pair else "",
        sample=sample,
        samples_from=int(first == 1 or (first > 1 and sample in FROM_ONE)),
        model=model,
        model_name="" if model else _guess_name(remarks or {}),
        finish_reason=_choose(values, FINISH_REASONS, take_name, in_lists=True),
        tokens=_choose(values, TOKENS, take_number, in_lists=True),
        latency=_choose(values, LATENCIES, take_seconds),
    )


def knows_ids(rows: Iterable[Row], field_map: FieldMap, known: Container[str]) -> bool:
    """Tell whether an id of some rows is that of a problem."""
    found = (paths.find(row.values, field_map.id)[:1] for row in rows if field_map.id)
    return any(take_id(value) in known for values in found for value in values)


def is_row(values: Mapping[str, Any]) -> bool:
    """Tell whether an object says by itself which problem it answers, and what."""
    found = guess([Row(1, values)])
    return bool(found.id and found.response)


def is_header(names: Iterable[str]) -> bool:
    """Tell whether some of these are names of columns, not of problems."""
    return not {*IDS, *RESPONSES, *MODELS}.isdisjoint(names)


def _collect(rows: Iterable[Mapping[str, Any]]) -> tuple[Values, list[str]]:
    """Return what the rows hold by path, and the paths on which none of them holds anything."""
    values: dict[str, list[Any]] = defaultdict(list)
    empty: dict[str, None] = {}
    for row in rows:
        for path, value in paths.list_paths(row):
            if is_missing(value):
                if len(empty) < MOST_FIELDS:
                    empty[path] = None
            elif path in values or len(values) < MOST_FIELDS:
                values[path].append(value)
    return values, [path for path in empty if path not in values]


def _match(path: str, name: str, *, in_lists: bool = False) -> bool:
    """Tell whether a path ends in a name, on no way through a list that the name does not have."""
    if path == name:
        return True
    before = path.removesuffix(name)
    return before != path and before.endswith(".") and (in_lists or "[" not in before)


def _choose(
    values: Values,
    names: Iterable[str],
    take: Callable[[Any], object],
    *,
    in_lists: bool = False,
) -> str:
    """Return the path, the least deep one, of the surest name under which all can be taken."""
    found = [
        (path.count("."), rank, order, path)
        for rank, name in enumerate(names)
        for order, path in enumerate(values)
        if _match(path, name, in_lists=in_lists)
        and not any(take(value) in (None, "") for value in values[path])
    ]
    return min(found, default=(0, 0, 0, ""))[-1]


def _guess_response(values: Values) -> str:
    return _choose_response([path for path in values if _has_text(values, path)], values)


def _choose_response(listed: Iterable[str], values: Values) -> str:
    """Return that of some paths whose name is the surest one of a response."""
    states_problem = any(_has_text(values, path) for path in STATEMENTS)
    # Each of them may be one text or a list of texts.
    bare = {path: path.removesuffix(paths.EACH).removesuffix(paths.EACH) for path in listed}
    found = [
        (rank, path.count("."), order, path)
        for rank, name in enumerate(RESPONSES)
        for order, path in enumerate(bare)
        if _match(bare[path], name)
        and not NOT_ANSWERED & set(bare[path].removesuffix(name).split("."))
        and not (name in OF_A_KEY and states_problem)
    ]
    return min(found, default=(0, 0, 0, ""))[-1]


def _has_text(values: Values, path: str) -> bool:
    return any(
        isinstance(value, str) or paths.join_parts(path, value) is not None
        for value in values.get(path, ())
    )


def _guess_id(values: Values, known: frozenset[str]) -> str:
    """Return the path of the surest name; of several the one whose ids are known, most of them."""
    named = [
        (rank, path.count("."), order, path)
        for rank, name in enumerate(IDS)
        for order, path in enumerate(values)
        if _names_problem(path, name) and all(take_id(value) for value in values[path])
    ]
    ranked = [path for *_rank, path in sorted(named)]
    best = max(ranked, key=lambda path: _measure_known(values[path], known), default="")
    if not known or (best and _measure_known(values[best], known)):
        return best
    # Under another name: numbers would be known by chance.
    others = [
        path
        for path in values
        if "[" not in path
        and all(isinstance(value, str) for value in values[path])
        and _measure_known(values[path], known) >= MOSTLY
    ]
    return max(others, key=lambda path: _measure_known(values[path], known), default=best)


def _names_problem(path: str, name: str) -> bool:
    before, _dot, last = path.rpartition(".")
    if path == name:
        return True
    is_named = last == name and "[" not in path
    return is_named and (name not in PLAIN or before.rpartition(".")[2] in OF_A_PROBLEM)


def _measure_known(values: Iterable[Any], known: frozenset[str]) -> float:
    """Return which part of these ids is known."""
    listed = [take_id(value) in known for value in values]
    return sum(listed) / len(listed)


def _guess_name(remarks: Mapping[str, str]) -> str:
    path = _choose({path: [text] for path, text in remarks.items()}, MODELS, take_name)
    return take_name(remarks[path])[:LONGEST_NAME] if path else ""
