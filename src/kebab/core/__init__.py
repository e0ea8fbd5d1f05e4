"""What things are: frozen values, ids, ports, errors and events. Knows nothing of the rest of kebab."""
