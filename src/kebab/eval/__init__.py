"""Suites and results in, figures and reports out. Pure: it searches nothing and writes nothing."""
