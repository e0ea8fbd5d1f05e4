"""`kebab ask --multi-hop`: who takes a question apart, and how its parts are searched for.

A language model plans where one is configured. The built-in model reads no prompt, so there the question is cut at its
conjunctions and its best sentence leads to a second search (`rag/decompose.py`); it works on a bare machine.
"""

from kebab.config import Config
from kebab.core.answer import Question
from kebab.rag.decompose import Splitter
from kebab.rag.extractive import ExtractiveModel, Reader
from kebab.rag.multihop import MultiHop, Ways
from kebab.rag.pipeline import Limits, Pipeline, Tools
from kebab.rag.planning import LlmPlanner, Planner, Writer


def in_hops(question: Question, pipeline: Pipeline, tools: Tools, config: Config, reader: Reader) -> MultiHop:
    """The question, ready to be answered in several hops."""
    planner = _planner(question, tools, config, reader)
    return MultiHop(question, pipeline, Ways(planner, tools.search, tools.canceled))


def _planner(question: Question, tools: Tools, config: Config, reader: Reader) -> Planner:
    most, llm = config.rag.max_context_tokens, config.llm
    if isinstance(tools.model, ExtractiveModel):
        return Splitter(reader, most, tools.source_lines)
    temperature = llm.temperature if question.temperature is None else question.temperature
    limits = Limits(llm.max_tokens, temperature, llm.seed if question.seed is None else question.seed)
    return LlmPlanner(Writer(tools.model, limits, most, tools.source_lines, tools.canceled))
