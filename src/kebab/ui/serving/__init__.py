"""What every server of kebab stands on: TOOLS as plain values, threads with an open index each, and the guard."""
