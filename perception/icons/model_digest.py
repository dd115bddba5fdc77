"""The digest of icons.onnx; written by training/export.py."""

SHA256 = "72077d5a188d587e052609616fb2252f0485be17c7ac7aeb1ad2809c8ccec2e4"
