"""A document's blocks, grouped by the heading they stand under."""

from typing import NamedTuple

from kebab.core.document import Block, BlockKind


class Section(NamedTuple):
    """Neighbouring blocks that may share a chunk. Positions are those of the document's block list."""

    heading_path: tuple[str, ...]
    first: int
    blocks: tuple[Block, ...]


def sections(blocks: tuple[Block, ...], *, by_heading: bool) -> list[Section]:
    """One section per heading with the text below it, up to the next heading.

    A heading with nothing below it joins the deeper section that follows, and front matter joins the first section,
    so that neither becomes a chunk that says nothing.
    """
    if not by_heading:
        return [Section(blocks[0].heading_path, 0, blocks)] if blocks else []
    groups: list[list[int]] = []
    for position, block in enumerate(blocks):
        if not groups or (block.kind is BlockKind.HEADING and not _joins_next(blocks, groups[-1], block)):
            groups.append([])
        groups[-1].append(position)
    return [
        Section(blocks[group[-1]].heading_path, group[0], tuple(blocks[position] for position in group))
        for group in groups
    ]


def _joins_next(blocks: tuple[Block, ...], group: list[int], heading: Block) -> bool:
    """Whether an open group holds only front matter or headings above `heading`."""
    last = blocks[group[-1]]
    if last.payload.get("front_matter"):
        return True
    deeper = len(heading.heading_path) > len(last.heading_path)
    return last.kind is BlockKind.HEADING and deeper and _only_headings(blocks, group)


def _only_headings(blocks: tuple[Block, ...], group: list[int]) -> bool:
    return all(
        blocks[position].kind is BlockKind.HEADING or blocks[position].payload.get("front_matter") for position in group
    )
