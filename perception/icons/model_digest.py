"""The digest of icons.onnx; written by training/export.py."""

SHA256 = "9d0a5e966f0d86f48ac4a8c9d7d629b52a9b94173b402824ec5cd4ad700d7948"
