"""Tiny but real transformers: an ONNX graph with seeded weights and a byte-level tokenizer, in a folder as pulled.

`TinyWeights.hidden` computes the same as the graph, in numpy and for one text without padding.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np  # noqa: TID253
import onnx
from numpy.typing import NDArray  # noqa: TID253
from onnx import numpy_helper, parser
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors  # noqa: TID253

WIDTH = 16
POSITIONS = 512
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
PAD = 1

_HEADER = '<ir_version: 8, opset_import: ["" : 17]>'
_ATTENTION = """
    words = Gather(W_words, input_ids)
    length = Shape<start = 1, end = 2>(input_ids)
    places = Slice(W_places, zero, length)
    x = Add(words, places)
    q = MatMul(x, W_q)
    k = MatMul(x, W_k)
    v = MatMul(x, W_v)
    k_t = Transpose<perm = [0, 2, 1]>(k)
    raw = MatMul(q, k_t)
    given = Cast<to = 1>(attention_mask)
    absent = Sub(one, given)
    minus = Mul(absent, far)
    bias = Unsqueeze(minus, one_axis)
    scores = Add(raw, bias)
    weights = Softmax<axis = -1>(scores)
    seen = MatMul(weights, v)
    hidden = Add(x, seen)
"""
_ENDINGS = {
    "tokens": (f"float[B, L, {WIDTH}] last_hidden_state", "last_hidden_state = Identity(hidden)"),
    # As exports of BERT have it: the pooler's output stands first and is no sentence embedding.
    "tokens and pooler": (
        f"float[B, {WIDTH}] pooler_output, float[B, L, {WIDTH}] last_hidden_state",
        "pooler_output = ReduceMax<axes = [1], keepdims = 0>(hidden)\n last_hidden_state = Identity(hidden)",
    ),
    "sentence": (
        f"float[B, L, {WIDTH}] token_embeddings, float[B, {WIDTH}] sentence_embedding",
        "token_embeddings = Identity(hidden)\n sentence_embedding = ReduceMax<axes = [1], keepdims = 0>(hidden)",
    ),
    "nothing": ("float[B] score", "score = ReduceMax<axes = [1, 2], keepdims = 0>(hidden)"),
}


class TinyWeights(NamedTuple):
    words: NDArray[np.float32]
    places: NDArray[np.float32]
    q: NDArray[np.float32]
    k: NDArray[np.float32]
    v: NDArray[np.float32]
    head: NDArray[np.float32]

    def hidden(self, ids: list[int]) -> NDArray[np.float32]:
        x = self.words[ids] + self.places[: len(ids)]
        scores = (x @ self.q) @ (x @ self.k).T
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(x + weights / weights.sum(axis=1, keepdims=True) @ (x @ self.v), dtype=np.float32)


def weights(classes: int = 1) -> TinyWeights:
    source = np.random.default_rng(20)

    def some(*shape: int) -> NDArray[np.float32]:
        return source.normal(0, 0.4, shape).astype(np.float32)

    size = len(SPECIAL) + 256
    square = (WIDTH, WIDTH)
    return TinyWeights(
        some(size, WIDTH), some(POSITIONS, WIDTH), some(*square), some(*square), some(*square), some(WIDTH, classes)
    )


def write_tokenizer(folder: Path) -> Tokenizer:
    """Bytes as tokens, so that any text of any language has some; a frame of special tokens as XLM-R has it."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s>:1 $B:1 </s>:1", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def write_embedder(
    folder: Path, *, gives: str = "tokens", types: bool = False, integers: str = "int64", name: str = "model.onnx"
) -> TinyWeights:
    """A model that gives vectors. With `types` it wants the tokens' types and does nothing with them."""
    outputs, ending = _ENDINGS[gives]
    extra = f", {integers}[B, L] token_type_ids" if types else ""
    _save(
        f"tiny ({integers}[B, L] input_ids, {integers}[B, L] attention_mask{extra}) => ({outputs})",
        f"{_ATTENTION}\n {ending}",
        weights(),
        folder / name,
    )
    write_tokenizer(folder)
    return weights()


def write_cross_encoder(folder: Path, *, classes: int = 1, types: bool = False) -> TinyWeights:
    """A model that reads pairs and gives `classes` logits: from its first token, or from the tokens of type 1."""
    extra = ", int64[B, L] token_type_ids" if types else ""
    ending = "first = Gather<axis = 1>(hidden, first_place)\n logits = MatMul(first, W_head)"
    if types:
        ending = """
            type = Cast<to = 1>(token_type_ids)
            kind = Unsqueeze(type, last_axis)
            second = Mul(hidden, kind)
            sum = ReduceSum<keepdims = 0>(second, one_axis)
            logits = MatMul(sum, W_head)
        """
    _save(
        f"pair (int64[B, L] input_ids, int64[B, L] attention_mask{extra}) => (float[B, {classes}] logits)",
        f"{_ATTENTION}\n {ending}",
        weights(classes),
        folder / "model.onnx",
    )
    write_tokenizer(folder)
    return weights(classes)


def spoil(model: Path) -> None:
    """Every word is not a number from now on."""
    loaded = onnx.load(model)
    (words,) = (each for each in loaded.graph.initializer if each.name == "W_words")
    words.CopyFrom(numpy_helper.from_array(np.full_like(numpy_helper.to_array(words), np.nan), "W_words"))
    onnx.save(loaded, model)


def set_facts(folder: Path, name: str, **facts: object) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(facts), encoding="utf-8")


def _save(signature: str, body: str, values: TinyWeights, path: Path) -> None:
    model = parser.parse_model(f"{_HEADER} {signature} {{ {body} }}")
    constants = {
        **{f"W_{name}": value for name, value in values._asdict().items() if f"W_{name}" in body},
        "zero": np.array([0], dtype=np.int64),
        "one": np.array(1, dtype=np.float32),
        "far": np.array(-1e9, dtype=np.float32),
        "one_axis": np.array([1], dtype=np.int64),
        "last_axis": np.array([2], dtype=np.int64),
        "first_place": np.array(0, dtype=np.int64),
    }
    used = {name for node in model.graph.node for name in node.input}
    model.graph.initializer.extend(
        numpy_helper.from_array(value, name) for name, value in constants.items() if name in used
    )
    onnx.checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path)
