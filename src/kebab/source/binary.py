"""Files that are no text whatever their name says: told by NUL bytes among much that no encoding explains."""

# As far as this, a file that is text at all shows it.
HEAD_BYTES = 8192
# UTF-16 and UTF-32 hold NULs in plain text, and say so at their beginning.
_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SHARE = 0.2


def is_binary(raw: bytes) -> bool:
    """Whether reading it as text would put noise into the index. A stray NUL or an old encoding is no reason."""
    head = raw[:HEAD_BYTES]
    if b"\x00" not in head or head.startswith(_BOMS):
        return False
    text = head.decode("utf-8", "replace")
    noise = sum(char == "\ufffd" or (char < " " and char not in "\t\n\r\f") for char in text)
    return noise > _SHARE * len(text)
