"""Makes `wire_schemas`, which lies one folder up because other tests use it too, importable from here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
