"""The command line: one file per command family, registered in `commands.py`."""
