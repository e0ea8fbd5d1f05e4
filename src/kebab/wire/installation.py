"""An installation among an agent's MCP servers on the wire: which file, what belongs into it, and what became of it."""

from kebab.core.installation import Installation
from kebab.wire.value import Json, optional, plain_text


def encode_installation(installation: Installation) -> Json:
    return {
        "schema_version": "mcp_install.v1",
        "client": installation.client,
        "path": plain_text(installation.path),
        "format": str(installation.format),
        "snippet": plain_text(installation.snippet),
        **optional(
            state=None if installation.state is None else str(installation.state),
            backup=None if installation.backup is None else plain_text(installation.backup),
        ),
    }
