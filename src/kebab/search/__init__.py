"""Query -> ranked candidates, and chunk text -> snippet. Pure: it receives ports and values."""
