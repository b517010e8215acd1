"""The parts of lagnet.testing.hunt: README.md says which file does what."""
