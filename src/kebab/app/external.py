"""`kebab ingest-file` and `kebab ingest-stdin`: what comes from outside is kept in the workspace's `_external`."""

import json
import os
from dataclasses import replace
from pathlib import Path

from kebab.core.asset import DEFAULT_SOURCE, Source
from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.ids import content_hash
from kebab.source import ScanRequest, ScanResult, scan

FOLDER = "_external"
_IGNORE_FILE = ".kebabignore"
_NAME_DIGITS = 12


def bring_in(source: Source, raw: bytes, extension: str) -> Path:
    """Writes `raw` to `<root>/_external/<hash>.<ext>`; the same content always has the same name."""
    folder = source.root / FOLDER
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _ignore(source.root)
        target = folder / f"{content_hash(raw)[:_NAME_DIGITS]}{extension}"
        if not target.exists():
            draft = target.with_name(f".{target.name}.{os.getpid()}")
            draft.write_bytes(raw)
            draft.replace(target)
    except OSError as error:
        raise IoFailure(
            f"cannot write to {folder}: {error.strerror}", hint="check workspace.root", path=str(folder), op="write"
        ) from error
    return target


def _ignore(root: Path) -> None:
    """A walk of the workspace must not meet the folder again."""
    path = root / _IGNORE_FILE
    text = path.read_text("utf-8", "replace") if path.exists() else ""
    if f"{FOLDER}/" not in text.splitlines():
        with path.open("a", encoding="utf-8") as out:
            out.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{FOLDER}/\n")


def with_external(source: Source, result: ScanResult, request: ScanRequest) -> ScanResult:
    """A scan of the workspace, and what was brought in from outside, which its ignore file hides from the walk."""
    folder = source.root / FOLDER
    if source.source_id != DEFAULT_SOURCE or request.subtree is not None or not folder.is_dir():
        return result
    kept = scan(source, replace(request, subtree=folder, honour_ignores=False), None)
    known = {file.workspace_path for file in result.files}
    files = tuple(file._replace(standalone=True) for file in kept.files if file.workspace_path not in known)
    return replace(result, files=(*result.files, *files), scanned=result.scanned + len(files))


def as_note(text: str, title: str, source_uri: str | None) -> bytes:
    """Text from standard input as a Markdown note that remembers its title and where it came from."""
    if not title.strip():
        raise InvalidInput("--title must not be empty")
    lines = ["---", f"title: {json.dumps(title, ensure_ascii=False)}"]
    if source_uri:
        lines.append(f"source_uri: {json.dumps(source_uri, ensure_ascii=False)}")
    lines += ["source_type: inbox", "---", "", ""]
    return ("\n".join(lines) + text).encode("utf-8", "replace")
