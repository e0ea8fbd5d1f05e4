from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_bench import make, placement

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.chunk import ChunkPolicy
from kebab.store.sql import beginning_with

if TYPE_CHECKING:
    from store_bench import Index

RICH = """---
title: "Rich: 한글"
tags: [one, 둘]
aliases: [r]
id: my-id
rating: 5
nested: {a: [1, 2.5, null, true], b: "x"}
---

# Top

Intro with a [[Wiki|link]].

## 1. Code

```py
print("hi")


print("bye")
```

| a | b |
|---|---|
| 1 | 2 |

- item
- other

![alt](pic.png)

## 2. "Quoted" \\ heading \U0001f600

> said
"""
TINY = ChunkPolicy(target_tokens=8, overlap_tokens=4, max_chunk_tokens=16)


@pytest.mark.parametrize("policy", [ChunkPolicy(), TINY], ids=["default", "tiny"])
def test_what_was_put_is_what_is_read(index: "Index", policy: ChunkPolicy) -> None:
    made = index.put("a.md", RICH, policy=policy)
    key, contents = index.key("a.md"), index.store.contents
    assert contents.source_text(key) == made.document.source_text
    assert contents.blocks(key) == made.document.blocks
    assert contents.facts(key) == (made.document.metadata, made.document.provenance, made.document.warnings)
    stored = contents.chunks_of(key)
    expected = [
        chunk._replace(policy_hash=ChunkPolicy().policy_hash()) for chunk in made.chunks
    ]  # the placement says under which policy
    assert [chunk._replace(policy_hash=ChunkPolicy().policy_hash()) for chunk in stored] == expected


def test_the_ids_of_blocks_are_recomputed_not_stored(index: "Index") -> None:
    made = index.put("a.md", RICH)
    assert "block_id" not in {row[1] for row in index.database.rows("PRAGMA table_info(blocks)")}
    blocks = index.store.contents.blocks(index.key("a.md"))
    assert [block.block_id for block in blocks] == [block.block_id for block in made.document.blocks]


def test_facts_keep_their_types(index: "Index") -> None:
    index.put("a.md", RICH, trust_level=TrustLevel.SECONDARY, source_type=SourceType.PAPER)
    metadata, provenance, warnings = index.store.contents.facts(index.key("a.md"))
    assert (metadata.trust_level, metadata.source_type) == (TrustLevel.SECONDARY, SourceType.PAPER)
    assert isinstance(metadata.trust_level, TrustLevel)
    assert (metadata.tags, metadata.aliases, metadata.user_id_alias) == (("one", "둘"), ("r",), "my-id")
    assert metadata.user == {"rating": 5, "nested": {"a": [1, 2.5, None, True], "b": "x"}}
    assert [event.kind for event in provenance] == ["parsed"]
    assert warnings == ()


def test_warnings_are_kept(index: "Index") -> None:
    made = index.put("a.md", "| a | b |\n|--|\n| c | d |\n")
    assert made.document.warnings
    assert index.store.contents.facts(index.key("a.md"))[2] == made.document.warnings


def test_a_chunk_is_found_by_id_and_by_prefix(index: "Index") -> None:
    made = index.put("a.md", RICH)
    index.put("b.md", "other\n")
    wanted = made.chunks[1]
    for reference in (wanted.chunk_id, wanted.chunk_id[:8]):
        assert index.store.contents.find_chunk(reference) == [(index.key("a.md"), wanted)]
    assert index.store.contents.find_chunk(wanted.chunk_id[:5]) == []
    for reference in ("no such chunk", "*", "??????", "[0-9a-f]*", f"{wanted.chunk_id[:6]}*", wanted.chunk_id + "0"):
        assert index.store.contents.find_chunk(reference) == [], reference


def test_chunks_from_one_place_to_another_are_those_of_the_whole(index: "Index") -> None:
    index.put("a.md", RICH)
    every = index.store.contents.chunks_of(index.key("a.md"))
    assert len(every) > 2
    for first in range(-1, len(every) + 1):
        for last in range(first, len(every) + 1):
            found = index.store.contents.chunks_of(index.key("a.md"), first, last)
            assert found == every[max(first, 0) : last + 1]


def test_an_id_is_looked_up_and_not_searched_for(index: "Index") -> None:
    for sql in ("chunk_id = '0'", beginning_with("chunk_id", "abcdef")[0].replace("?", "'abcdef'")):  # type: ignore[index]
        ((_, _, _, plan),) = index.database.rows(f"EXPLAIN QUERY PLAN SELECT doc_key FROM chunks WHERE {sql}")
        assert plan.startswith("SEARCH chunks USING INDEX"), plan


def test_a_prefix_that_fits_several_gives_several(index: "Index") -> None:
    index.put("a.md", RICH)
    index.database.run("UPDATE chunks SET chunk_id = 'abcdef' || substr(chunk_id, 7) WHERE ordinal < 2")
    assert len(index.store.contents.find_chunk("abcdef")) == 2


words = st.sampled_from(
    ["word", "한글 문장이다.", "# Heading", "## 둘", "- item", "```\ncode\n```", "\u2028", "---", "é\x0b"]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(words, max_size=12).map("\n\n".join), st.sampled_from([ChunkPolicy(), TINY]))
def test_any_note_reads_back_as_it_was_put(index: "Index", text: str, policy: ChunkPolicy) -> None:
    made = make("a.md", text, policy)
    place = placement("a.md", policy_hash=policy.policy_hash())
    index.store.documents.put(made.asset, made.document, made.chunks, place)
    key, contents = index.key("a.md"), index.store.contents
    assert contents.source_text(key) == made.document.source_text
    assert contents.blocks(key) == made.document.blocks
    assert contents.chunks_of(key) == tuple(made.chunks)
