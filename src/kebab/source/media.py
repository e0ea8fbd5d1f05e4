"""Names to media types: the one table of what kebab can read. Looks at the name only, never at the content."""

MEDIA_TYPES: dict[str, str] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
}


def extension(name: str) -> str:
    """The last extension in lower case with its dot; empty when there is none, as in `Makefile` and `.profile`."""
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


def media_type(name: str) -> str | None:
    """What the file is, or None when no parser reads its kind."""
    return MEDIA_TYPES.get(extension(name))
