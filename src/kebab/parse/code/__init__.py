"""Source code to `Document`: one walker for all languages, one row of `LANGUAGES` for each."""
