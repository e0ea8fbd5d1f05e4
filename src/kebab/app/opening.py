"""`kebab open`: a citation to the file on this machine, and to the command that shows it at its line or page.

Builds the command as a list of words and runs nothing. A file is always named by its absolute path, so that no name of
a file can be taken for an option.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath, PureWindowsPath
from typing import NamedTuple

from kebab.app.freshness import freshness
from kebab.app.references import Referred, citation_of, find_chunk, find_document, is_like_an_id, is_text_file
from kebab.core.asset import PAGED, Source
from kebab.core.citation import Citation, CodeCitation, LineCitation, PageCitation
from kebab.core.errors import DocNotFound, InvalidInput, IoFailure
from kebab.core.fetching import Opening
from kebab.core.query import Freshness
from kebab.store.shelf import DocumentRow
from kebab.store.store import Store

# How each editor is told the line. One that is not here is given the file alone.
_LINE_FORMS: dict[str, tuple[str, ...]] = {
    name: form
    for names, form in (
        ("vi vim nvim gvim mvim view vimx nano pico emacs emacsclient kak micro joe mg gedit", ("+{line}", "{file}")),
        ("code code-insiders codium vscodium cursor windsurf", ("--goto", "{file}:{line}")),
        ("subl sublime_text zed zeditor hx helix", ("{file}:{line}",)),
        ("idea pycharm webstorm goland clion rustrover rubymine phpstorm kate mate", ("--line", "{line}", "{file}")),
    )
    for name in names.split()
}
# Viewers of PDFs that open at a page, in the order in which they are looked for.
_PAGE_FORMS: dict[str, tuple[str, ...]] = {
    "evince": ("--page-index={page}", "{file}"),
    "okular": ("-p", "{page}", "{file}"),
    "zathura": ("-P", "{page}", "{file}"),
}
_DEFAULT_VIEWERS = {"darwin": ("open",), "win32": ("rundll32", "url.dll,FileProtocolHandler")}
_TERMINAL_EDITORS = ("nano", "vim", "vi")


class Surroundings(NamedTuple):
    """What a command is chosen by: the variables, the system, and where programs are found."""

    variables: Mapping[str, str]
    platform: str
    find: Callable[[str], str | None]

    @property
    def has_screen(self) -> bool:
        """Whether a window can be shown; only where X and Wayland are may there be none."""
        shown = self.variables.get("DISPLAY") or self.variables.get("WAYLAND_DISPLAY")
        return bool(shown) or self.platform in ("darwin", "win32")


class Command(NamedTuple):
    words: tuple[str, ...]
    waits: bool


def find_opening(
    store: Store, reference: str, sources: Iterable[Source], around: Surroundings | None = None
) -> Opening:
    """The file of a citation, a chunk or a document; `sources` are the folders as they are configured today.

    Raises IoFailure when the file is no longer there.
    """
    around = around or Surroundings(os.environ, sys.platform, shutil.which)
    with store.snapshot():
        row, place = _referred(store, reference)
    row, state = _located(row, {source.source_id: source.root for source in sources})
    if state is Freshness.MISSING:
        raise IoFailure(
            f"the file of {row.workspace_path} is gone",
            hint=f"`kebab fetch doc {shlex.quote(row.workspace_path)}` gives the text that was indexed",
            op="open",
            path=row.file_path,
        )
    file = os.path.abspath(row.file_path)  # noqa: PTH100 - a symbolic link is opened as what it is called
    if is_text_file(row):
        command = editing(file, _line(place), around)
    else:
        # Lines of any other document are those of the text that was read off it, and not of the file.
        page = place.page if isinstance(place, PageCitation) else 0
        command = viewing(file, page if row.media_type in PAGED else 0, around)
    return Opening(row.workspace_path, file, state, command.words, command.waits, place)


def _referred(store: Store, reference: str) -> Referred:
    try:
        return find_document(store, reference)
    except DocNotFound:
        if not is_like_an_id(reference):
            raise
    row, chunk = find_chunk(store, reference)
    return Referred(row, citation_of(chunk, row.workspace_path))


def _located(row: DocumentRow, roots: Mapping[str, Path]) -> tuple[DocumentRow, Freshness]:
    """Where the file was indexed, or at the same place in its folder if that has moved since."""
    state = freshness(row)
    if state is Freshness.MISSING and row.source_id in roots:
        moved = roots[row.source_id] / row.workspace_path.removeprefix(f"@{row.source_id}/")
        there = row._replace(file_path=str(moved))
        if (moved_state := freshness(there)) is not Freshness.MISSING:
            return there, moved_state
    return row, state


def _line(place: Citation | None) -> int:
    """0 when the place is no line."""
    if isinstance(place, LineCitation):
        return place.start
    return place.line_start if isinstance(place, CodeCitation) else 0


def editing(file: str, line: int, around: Surroundings) -> Command:
    """The editor of `$VISUAL` or `$EDITOR`; without one, what the system shows text with."""
    words = _chosen_editor(around)
    if not words and around.platform == "win32":
        # The default program of a script is the one that runs it.
        words = ("notepad",)
    elif not words and around.platform == "darwin":
        words = ("open", "-t")
    elif not words and not around.has_screen:
        words = next(((name,) for name in _TERMINAL_EDITORS if around.find(name)), ())
    if not words:
        return viewing(file, 0, around)
    name = (PureWindowsPath if around.platform == "win32" else PurePath)(words[0]).name.lower()
    name = name.removesuffix(".exe").removesuffix(".cmd")
    form = _LINE_FORMS.get(name) if line else None
    return Command((*words, *_filled(form or ("{file}",), file, line=line)), waits=True)


def _chosen_editor(around: Surroundings) -> tuple[str, ...]:
    for name in ("VISUAL", "EDITOR"):
        given = around.variables.get(name, "").strip()
        if not given:
            continue
        try:
            # Backslashes part folders on Windows, so there they quote nothing.
            words = shlex.split(given, posix=around.platform != "win32")
        except ValueError as error:
            raise InvalidInput(f"${name} cannot be read: {error}", hint="close its quotes", variable=name) from error
        return tuple(word.strip('"') for word in words) if around.platform == "win32" else tuple(words)
    return ()


def viewing(file: str, page: int, around: Surroundings) -> Command:
    """What the system opens such a file with, or a viewer that can go to the page."""
    if page and around.platform not in ("darwin", "win32"):
        for name, form in _PAGE_FORMS.items():
            if around.find(name):
                return Command((name, *_filled(form, file, page=page)), waits=False)
    return Command((*_DEFAULT_VIEWERS.get(around.platform, ("xdg-open",)), file), waits=False)


def _filled(form: tuple[str, ...], file: str, **numbers: int) -> tuple[str, ...]:
    return tuple(word.format(file=file, **numbers) for word in form)
