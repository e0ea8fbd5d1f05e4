"""Nearest neighbours over vectors the store keeps. ENGINES lists every engine; what they write can be rebuilt."""
