"""A model server over HTTP, for the stages that ask one: address, limits, streams and failures. Knows only `core`."""
