"""kebab over HTTP: the tools of agents as a JSON API, and the MCP endpoint, behind one guard."""
