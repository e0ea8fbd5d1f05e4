"""`kebab ask`: a question to an answer whose every sentence can be checked, or to an honest refusal."""

import re
import secrets
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from kebab.app.features import Cosines, cosines_by, features_of
from kebab.app.present import Presenter
from kebab.app.ranking import Ranker, Ranking
from kebab.app.recording import recorded, turns_of
from kebab.app.search import MAX_K
from kebab.app.vector_side import VectorSide
from kebab.config import Config
from kebab.core.answer import (
    Answer,
    AnswerEvent,
    AnswerReady,
    ModelRef,
    Question,
    RefusalReason,
    RetrievalSummary,
    Turn,
    Usage,
)
from kebab.core.clock import now
from kebab.core.errors import InvalidInput, NotIndexed
from kebab.core.ports import Entailment, LanguageModel
from kebab.core.query import Query
from kebab.core.text import split_lines
from kebab.rag.align import Lexicon
from kebab.rag.draft import Searched
from kebab.rag.extractive import ExtractiveModel, Reader
from kebab.rag.gate import Features
from kebab.rag.linked import LinkedModel
from kebab.rag.pack import Found
from kebab.rag.pipeline import Limits, Pipeline, Tools
from kebab.rag.support import Judge
from kebab.rag.verify import Verifier
from kebab.rag.wording import language_of, refusal
from kebab.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kebab.app.facade import App

# Of one document among the hits. What is put before a model is capped again, once neighbours are joined.
MAX_PER_DOC = 5
_SESSION_ID = re.compile(r"[\w.-]{1,64}")


class Asker:
    """Answers questions over one open index."""

    def __init__(self, store: Store, vectors: VectorSide, config: Config) -> None:
        self._store = store
        self._vectors = vectors
        self._config = config
        self._ranker = Ranker(store, vectors, config.search)
        self._model: LanguageModel | None = None
        self._entailment: Entailment | None = None

    def ask(
        self, question: Question, cancel: threading.Event | None = None, history: "Sequence[Turn]" = ()
    ) -> Iterator[AnswerEvent]:
        cosines = self._cosines(question)
        verifier = Verifier(self._entailment_model) if self._config.rag.nli_threshold > 0 else None
        lexicon = Lexicon(self._store.weights.words, self._store.weights.weight)
        canceled = (cancel or threading.Event()).is_set
        tools = Tools(
            search=lambda text: self._search(question, text, cosines),
            model=self._language_model(question, cosines, canceled),
            source_lines=self._source_lines,
            judge=Judge(lexicon, cosines, verifier.entails if verifier else None),
            trace_id=f"ret_{secrets.token_hex(8)}",
            canceled=canceled,
            verifier=verifier,
        )
        llm = self._config.llm
        limits = Limits(llm.max_tokens, llm.temperature, llm.seed)
        pipeline = Pipeline(question, tools, self._config.rag, limits)
        if question.multi_hop:
            from kebab.app.hops import in_hops

            yield from in_hops(question, pipeline, tools, self._config, self._reader(cosines)).events(history)
        else:
            yield from pipeline.events(history)

    def features(self, question: Question) -> Features:
        """What the gate would be told, without asking anything of a model, with sentences compared in any case."""
        return self._search(question, question.text, self._cosines(question), gate=0.0).features

    def _search(self, question: Question, text: str, cosines: Cosines | None, gate: float | None = None) -> Searched:
        # A question that quotes a title does not ask for passages that hold it; only a search does.
        query = Query(text.replace('"', " "), question.mode, question.k, question.filters, max_per_doc=MAX_PER_DOC)
        with self._store.snapshot():
            ranking = self._ranker.ranking(query, self._store.runs.corpus_revision())
            found = self._found(query, ranking)
            near = cosines if ranking.meaning is not None else None
            # Of what was searched for: a follow-up is on the topic of the answer it follows, a part on its own.
            threshold = self._config.rag.score_gate if gate is None else gate
            features = features_of(text, ranking, found, self._store.weights, near, threshold)
        hint = ranking.degraded or ranking.hint
        if not found and question.filters and not self._store.shelf.keys(question.filters):
            hint = "no document matches the filters"
        return Searched(found, features, self._embedding(ranking), hint)

    def _found(self, query: Query, ranking: Ranking) -> tuple[Found, ...]:
        from kebab.app.paging import capped

        keys = [each.chunk_key for each in ranking.found.ranked]
        documents = self._store.shelf.documents_of(keys) if keys else {}
        best = capped(ranking.found.ranked, documents, query.max_per_doc)[: query.k]
        presenter = Presenter(self._store, ranking, self._config.search)
        hits = presenter.hits(query, best, 0)
        passages = [presenter.shown[hit.chunk_id] for hit in hits]
        return tuple(
            Found(hit, passage.text, passage.spans[0].start, passage.spans[-1].end)
            for hit, passage in zip(hits, passages, strict=True)
        )

    def _embedding(self, ranking: Ranking) -> ModelRef | None:
        if ranking.meaning is None:
            return None
        model = ranking.meaning.embedder.model
        return ModelRef(model.model, model.provider, model.dimensions)

    def _source_lines(self, doc_id: str, first: int, last: int) -> str:
        rows = self._store.shelf.find(doc_id)
        # An ingest may have replaced the document since it was found.
        text = self._store.contents.source_text(rows[0].doc_key) if rows else ""
        return "\n".join(split_lines(text)[first - 1 : last])

    def _cosines(self, question: Question) -> Cosines | None:
        """Of the model whose vectors are searched; None when there is none, or words alone were asked for."""
        from kebab.app.vector_side import WordsOnly
        from kebab.core.query import SearchMode

        if question.mode is SearchMode.LEXICAL:
            return None
        try:
            return cosines_by(self._vectors.open(self._store).meaning.embedder)
        except WordsOnly:
            return None

    def _language_model(
        self, question: Question, cosines: Cosines | None, canceled: Callable[[], bool]
    ) -> LanguageModel:
        from kebab.app.assemble import interruptible, language_model_for

        if self._model is None:
            self._model = language_model_for(self._config.llm)
        if self._model is None:
            return (LinkedModel if question.multi_hop else ExtractiveModel)(self._reader(cosines))
        return interruptible(self._model, canceled)

    def _reader(self, cosines: Cosines | None) -> Reader:
        weights = self._store.weights
        return Reader(weights.informative, weights.words, weights.weight, cosines)

    def _entailment_model(self) -> Entailment:
        if self._entailment is None:
            from kebab.app.assemble import entailment_for

            self._entailment = entailment_for(self._config)
        return self._entailment


def ask(app: "App", question: Question, cancel: threading.Event | None = None) -> Iterator[AnswerEvent]:
    """The events of one question; its answer or refusal is recorded before the last of them is given."""
    if not question.text.strip():
        raise InvalidInput("the question is empty", hint='try `kebab ask "what you want to know"`')
    if not 1 <= question.k <= MAX_K:
        raise InvalidInput(f"--k must be from 1 to {MAX_K}, not {question.k}", k=question.k)
    if question.session_id is not None and _SESSION_ID.fullmatch(question.session_id) is None:
        raise InvalidInput(
            f"a session cannot be called {question.session_id[:80]!r}",
            hint="use 1 to 64 letters, digits, dots, dashes and underscores",
            session_id=question.session_id[:80],
        )
    try:
        asker, store = app.asker()
    except NotIndexed:
        yield AnswerReady(now(), no_index(app.config, question))
        return
    history = turns_of(store, question.session_id)
    for event in asker.ask(question, cancel, history):
        if isinstance(event, AnswerReady):
            answer = recorded(app, store, question, event.answer)
            app.journal.write("info", "ask", trace_id=answer.retrieval.trace_id, grounded=answer.grounded)
            yield AnswerReady(event.ts, answer)
        else:
            yield event


def no_index(config: Config, question: Question) -> Answer:
    """Nothing was ever indexed, so nothing can be known."""
    reason, language = RefusalReason.NO_INDEX, language_of(question.text)
    gate = config.rag.score_gate
    return Answer(
        question=question.text,
        answer=refusal(reason, language),
        citations=(),
        grounded=False,
        refusal_reason=reason,
        model=ModelRef(config.llm.model, config.llm.provider),
        embedding=None,
        prompt_template_version=config.rag.prompt_template_version,
        retrieval=RetrievalSummary(f"ret_{secrets.token_hex(8)}", question.mode, question.k, gate, 0.0, 0, 0),
        usage=Usage(),
        created_at=now(),
        hint="run `kebab ingest` first",
    )
