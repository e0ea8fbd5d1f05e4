"""The qualified name of a file: what stands before the names it defines, from its path or from its package clause."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kebab.core.ports import ParseContext

# From the parts of a path below its repository, and the package a file says it belongs to.
Scope: TypeAlias = Callable[[tuple[str, ...], str], str]


def path_parts(context: "ParseContext") -> tuple[str, ...]:
    """The parts of a file's path below its repository, or below its source where there is none."""
    path, root = context.workspace_path, context.repository.root if context.repository else None
    if root and path.startswith(f"{root}/"):
        return PurePosixPath(path[len(root) + 1 :]).parts
    parts = PurePosixPath(path).parts
    return parts[1:] if len(parts) > 1 and parts[0].startswith("@") else parts


def none(_parts: tuple[str, ...], _package: str) -> str:
    """C and C++: no file has a name in the language."""
    return ""


def packaged(_parts: tuple[str, ...], package: str) -> str:
    """Go, Java and Kotlin: the package the file names."""
    return package


def dotted(parts: tuple[str, ...], _package: str) -> str:
    """Python: `src/pkg/mod.py` is `pkg.mod`, and `pkg/__init__.py` is `pkg`."""
    modules = [*parts[:-1], PurePosixPath(parts[-1]).stem]
    if modules[0] == "src" and len(modules) > 1:
        modules = modules[1:]
    return ".".join(modules[:-1] if modules[-1] == "__init__" else modules)


def slashed(parts: tuple[str, ...], _package: str) -> str:
    """TypeScript and JavaScript: the path without its extension."""
    name = parts[-1]
    stem = name[: -len(".d.ts")] if name.endswith(".d.ts") else PurePosixPath(name).stem
    return "/".join([*parts[:-1], stem])


def crate(parts: tuple[str, ...], _package: str) -> str:
    """Rust: modules are the folders below the last `src`, and a crate's or folder's root file is its folder."""
    folders, stem = parts[:-1], PurePosixPath(parts[-1]).stem
    below = folders[len(folders) - folders[::-1].index("src") :] if "src" in folders else ()
    return "::".join(["crate", *below, *([] if stem in ("lib", "main", "mod") else [stem])])
