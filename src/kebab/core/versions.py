"""Labels whose change makes derived data stale and that belong to no single stage."""

INDEX_VERSION = "v1.0"
