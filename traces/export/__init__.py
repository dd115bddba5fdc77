"""Exports of a run to formats of other programs; each is a pure function of the recording, one module per format."""
