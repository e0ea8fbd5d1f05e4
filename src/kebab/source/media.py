"""Names to media types: the one table of what kebab can read. Looks at the name only, never at the content.

A media type is `family/kind`, or a family alone where it has one kind. A file's whole name is asked before its
extension: `Dockerfile` has none, and the one of `CMakeLists.txt` misleads.
"""


def _rows(table: dict[str, str]) -> dict[str, str]:
    return {key: media for media, keys in table.items() for key in keys.split()}


# Kinds of `code` without a grammar and without a scanner of their own are cut by paragraph, as is `shell`.
MEDIA_TYPES: dict[str, str] = _rows(
    {
        "markdown": ".md .markdown .mdown .mkd",
        "code/rust": ".rs",
        "code/python": ".py .pyi",
        "code/typescript": ".ts .mts .cts",
        "code/tsx": ".tsx",
        "code/javascript": ".js .mjs .cjs .jsx",
        "code/go": ".go",
        "code/java": ".java",
        "code/kotlin": ".kt .kts",
        "code/c": ".c .h",
        "code/cpp": ".cpp .cc .cxx .hpp .hh .hxx .ipp .inl",
        "code/yaml": ".yaml .yml",
        "code/dockerfile": ".dockerfile .containerfile",
        "code/toml": ".toml",
        "code/json": ".json .jsonc",
        "code/xml": ".xml .xsd .xsl .xslt .csproj .fsproj .vbproj",
        "code/groovy": ".gradle .groovy",
        "code/makefile": ".mk",
        "code/terraform": ".tf .hcl .tfvars",
        "code/sql": ".sql",
        "code/shell": ".sh .bash .zsh",
        "code/awk": ".awk",
        "code/batch": ".bat .cmd",
        "code/clojure": ".clj .cljs .cljc .edn",
        "code/cmake": ".cmake",
        "code/csharp": ".cs",
        "code/css": ".css",
        "code/cuda": ".cu .cuh",
        "code/dart": ".dart",
        "code/elixir": ".ex .exs",
        "code/erlang": ".erl .hrl",
        "code/fish": ".fish",
        "code/fortran": ".f90 .f95 .f03",
        "code/fsharp": ".fs .fsi .fsx",
        "code/glsl": ".glsl .vert .frag .wgsl .hlsl",
        "code/graphql": ".graphql .gql",
        "code/haskell": ".hs .lhs",
        "code/ini": ".ini .cfg .conf",
        "code/julia": ".jl",
        "code/less": ".less",
        "code/lisp": ".el .lisp .scm .rkt",
        "code/lua": ".lua",
        "code/nim": ".nim",
        "code/nix": ".nix",
        "code/objc": ".mm",
        "code/ocaml": ".ml .mli",
        "code/perl": ".pl .pm",
        "code/php": ".php",
        "code/powershell": ".ps1 .psm1 .psd1",
        "code/properties": ".properties",
        "code/protobuf": ".proto",
        "code/r": ".r",
        "code/ruby": ".rb .rake .gemspec",
        "code/scala": ".scala .sbt",
        "code/scss": ".scss .sass",
        "code/solidity": ".sol",
        "code/starlark": ".bzl .bazel",
        "code/svelte": ".svelte",
        "code/swift": ".swift",
        "code/thrift": ".thrift",
        "code/vue": ".vue",
        "code/zig": ".zig",
        "pdf": ".pdf",
        "image/png": ".png",
        "image/jpeg": ".jpg .jpeg",
        "image/webp": ".webp",
        "image/gif": ".gif",
        "image/tiff": ".tif .tiff",
        "image/heic": ".heic .heif",
        "audio/m4a": ".m4a",
        "audio/mp3": ".mp3",
        "audio/wav": ".wav",
        "audio/flac": ".flac",
        "audio/ogg": ".ogg .opus",
        "video/mp4": ".mp4 .m4v",
        "office/docx": ".docx .docm",
        "office/pptx": ".pptx .pptm",
        "office/xlsx": ".xlsx .xlsm",
        "office/odt": ".odt",
        "office/rtf": ".rtf",
        "office/hwpx": ".hwpx",
        "office/hwp": ".hwp",
        "web/html": ".html .htm .xhtml",
        "web/epub": ".epub",
        "web/eml": ".eml",
        "web/ipynb": ".ipynb",
        "text/plain": ".txt .text .adoc .asciidoc .tex",
        "text/rst": ".rst",
        "text/org": ".org",
        "text/log": ".log",
        "text/csv": ".csv .tsv",
    }
)

# Whole names, spelled as their tools spell them.
NAMES: dict[str, str] = _rows(
    {
        "code/dockerfile": "Dockerfile dockerfile Containerfile containerfile",
        "code/makefile": "Makefile makefile GNUmakefile BSDmakefile",
        "code/gomod": "go.mod go.work",
        "code/groovy": "Jenkinsfile",
        "code/cmake": "CMakeLists.txt",
        "code/toml": "Pipfile",
        "code/ruby": "Gemfile Rakefile Podfile Vagrantfile Brewfile Fastfile",
        "code/starlark": "BUILD WORKSPACE",
        "code/just": "justfile Justfile",
        "text/plain": "README CHANGELOG CHANGES NEWS TODO INSTALL HACKING CONTRIBUTING AUTHORS MAINTAINERS",
    }
)

# `Dockerfile.dev` and the like; an extension that is known (`Dockerfile.md`) says more.
_STEMS = {"Dockerfile": "code/dockerfile", "Containerfile": "code/dockerfile", "Makefile": "code/makefile"}
_NO_VARIANT = ".dockerignore"


def extension(name: str) -> str:
    """The last extension in lower case with its dot; empty when there is none, as in `Makefile` and `.profile`."""
    dot = name.rfind(".")
    return name[dot:].lower() if 0 < dot < len(name) - 1 else ""


def media_type(name: str) -> str | None:
    """What the file is, or None when no parser reads its kind."""
    if (known := NAMES.get(name)) is not None:
        return known
    suffix = extension(name)
    if (known := MEDIA_TYPES.get(suffix)) is not None or not suffix or suffix == _NO_VARIANT:
        return known
    return _STEMS.get(name.partition(".")[0])


def known_media_types() -> frozenset[str]:
    """Every media type a file can have."""
    return frozenset({*MEDIA_TYPES.values(), *NAMES.values(), *_STEMS.values()})


def family(media: str) -> str:
    """`code` of `code/rust`; a type without a kind is its own family."""
    return media.partition("/")[0]


def code_lang(media: str) -> str | None:
    """The language a person would name for a kind of code, None for everything else."""
    kind = media.removeprefix("code/")
    if kind == media:
        return None
    return "typescript" if kind == "tsx" else kind
