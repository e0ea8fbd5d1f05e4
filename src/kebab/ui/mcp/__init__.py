"""kebab for agents: a server of the Model Context Protocol over stdio and HTTP. Its tools are those of `ui/serving`.

Only `server`, `messages`, `stdio` and `http` know the SDK, and load it when they are called; the rest deals in plain
values.
"""
