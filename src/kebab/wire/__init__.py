"""Domain object -> `*.v1` dict, one module per family, and the JSON Schemas of what is sent. Knows only `core`."""
