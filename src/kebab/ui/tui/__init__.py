"""kebab in a terminal: search, ask, the library and the doctor by keyboard, over the same App as every interface."""
