"""The tests: `unit` mirrors the source, the others cut across it."""
