"""What kebab leaves alone without being told: secrets, hidden entries, and what tools generate. Knows names only.

Hidden entries (a leading dot) are skipped, `.github` and `.gitlab-ci.yml` excepted; that covers `.git`, `.hg`, `.svn`,
`.venv`, `.tox`, the `.*_cache` folders, `.obsidian`, `.trash`, `.idea`, `.vscode` and `.DS_Store`. `dist` and `build`
are not listed: people have notes of that name. Folders are also known by what is in them, see `MARKERS`.
"""

import fnmatch
import re

from kebab.source.result import Skip

SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".kube", ".password-store"})
SECRET_FILES = (
    *(".env", ".env.*", ".netrc", "_netrc", ".pgpass", ".htpasswd", ".npmrc", ".pypirc", ".git-credentials"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "*.keystore", "*.jks", "*.ppk"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"),
    *("credentials", "credentials.json", "*.tfvars"),
)
NOT_SECRET = frozenset({".env.example", ".env.sample", ".env.template"})

HIDDEN_BUT_KEPT = frozenset({".github", ".gitlab-ci.yml"})
GENERATED_FOLDERS = frozenset({"node_modules", "__pycache__"})
EDITOR_LEFTOVERS = ("*~", "#*#", "*.swp", "~$*")

# A folder that holds one of these was made by a tool: a virtual environment, a cache.
VENV_MARKER = "pyvenv.cfg"
CACHE_MARKER = "CACHEDIR.TAG"
CACHE_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"


def _any_of(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(fnmatch.translate(glob) for glob in globs), re.IGNORECASE)


_SECRET = _any_of(SECRET_FILES)
_LEFTOVER = _any_of(EDITOR_LEFTOVERS)


def is_secret(name: str, *, is_dir: bool) -> bool:
    """Whether the name says that the content is nobody's business. Such files are never opened."""
    if is_dir:
        return name.lower() in SECRET_FOLDERS
    return _SECRET.match(name) is not None and name.lower() not in NOT_SECRET


def is_hidden_or_generated(name: str, *, is_dir: bool, in_crate: bool) -> bool:
    """`in_crate`: a Cargo.toml lies beside it, which makes `target` a build folder."""
    if name.startswith("."):
        return name not in HIDDEN_BUT_KEPT
    if is_dir:
        return name in GENERATED_FOLDERS or (in_crate and name == "target")
    return _LEFTOVER.match(name) is not None


def reason(name: str, *, is_dir: bool, in_crate: bool) -> Skip | None:
    if is_secret(name, is_dir=is_dir):
        return Skip.SECRET
    return Skip.BUILTIN_BLACKLIST if is_hidden_or_generated(name, is_dir=is_dir, in_crate=in_crate) else None
