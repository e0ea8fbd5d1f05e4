"""Interfaces. Each knows `app`, core types and wire, and only interfaces know the user."""
