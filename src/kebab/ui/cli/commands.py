"""Every command, in the order of `kebab --help`: where it lives and what it does in one line.

The line is repeated here so that the overview needs no command's module; a test holds it equal to the command's own.
"""

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("kebab.ui.cli.init:init", "Write a commented config file and create the folders."),
    "ingest": ("kebab.ui.cli.ingest:ingest", "Index a folder: new and changed files in, deleted files out."),
    "ingest-file": ("kebab.ui.cli.ingest:ingest_file", "Index a single file, from anywhere."),
    "ingest-stdin": ("kebab.ui.cli.ingest:ingest_stdin", "Index text from standard input."),
    "watch": ("kebab.ui.cli.watch:watch", "Keep the index current while files change."),
    "search": ("kebab.ui.cli.search:search", "Find passages, best first, each with a citation."),
    "symbols": ("kebab.ui.cli.symbols:symbols", "Find definitions in source code by name."),
    "ask": ("kebab.ui.cli.ask:ask", "Answer a question from your documents, with citations."),
    "answers": ("kebab.ui.cli.answers:answers_group", "Show answers that were given before."),
    "verify": ("kebab.ui.cli.verify:verify", "Check an answer's citations against today's files."),
    "session": ("kebab.ui.cli.sessions:session_group", "Show and delete conversations."),
    "tui": ("kebab.ui.cli.tui:tui", "Search, ask and read in the terminal, by keyboard."),
    "serve": ("kebab.ui.cli.serve:serve", "Serve the index over HTTP, to programs and to agents."),
    "web": ("kebab.ui.cli.web:web", "Open the page: search, ask and read in a browser."),
    "list": ("kebab.ui.cli.library:list_group", "List what is indexed."),
    "inspect": ("kebab.ui.cli.library:inspect_group", "Show a document or a chunk in full, or what OCR read."),
    "fetch": ("kebab.ui.cli.fetch:fetch_group", "Print a chunk, a document, lines or a page as it was indexed."),
    "open": ("kebab.ui.cli.open:open_file", "Open a file at the line or page of a citation."),
    "eval": ("kebab.ui.cli.eval:eval_group", "Measure search and answers, compare runs, fit the gate."),
    "doctor": ("kebab.ui.cli.doctor:doctor", "Check the installation and say how to mend it."),
    "schema": ("kebab.ui.cli.introspect:schema", "Say what this kebab can do and what the index holds."),
    "mcp": ("kebab.ui.cli.mcp:mcp", "Serve agents over the Model Context Protocol."),
    "vectors": ("kebab.ui.cli.vectors:vectors_group", "Show and rebuild the vectors that searches by meaning use."),
    "cache": ("kebab.ui.cli.cache:cache_group", "Show and prune what is kept of slow readings."),
    "models": ("kebab.ui.cli.models:models_group", "List, pull and find models."),
    "jobs": ("kebab.ui.cli.jobs:jobs_group", "Show long work and stop it."),
    "config": ("kebab.ui.cli.config:config_group", "Show, change and migrate settings."),
    "export": ("kebab.ui.cli.transfer:export", "Write the whole knowledge base to one file."),
    "import": ("kebab.ui.cli.transfer:import_", "Take over an export or a backup as the index."),
    "backup": ("kebab.ui.cli.transfer:backup", "Copy the index to a file, also while it is being written."),
    "reset": ("kebab.ui.cli.reset:reset", "Remove the index, the config, or documents whose files are gone."),
    "completion": ("kebab.ui.cli.introspect:completion", "Print the completion script for bash, zsh or fish."),
}
