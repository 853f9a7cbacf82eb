"""
Ask a model the problems beside this file with OpenCompass. In your own configuration:

    from mmengine.config import read_base
    with read_base():
        from .{{ name }} import datasets

Upload what it writes under predictions/, or the folder as a zip. Scores are made where you upload.
"""

from opencompass.datasets import CustomDataset
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever

datasets = [
    dict(
        abbr="{{ name }}-{{ sha256|slice:':12' }}",
        type=CustomDataset,
        path="problems.jsonl",  # the whole path, if it lies elsewhere than where you start
        reader_cfg=dict(input_columns=["prompt"], output_column="id"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(round=[dict(role="HUMAN", prompt="{prompt}")]),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=32768),
        ),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator)),
    )
]
