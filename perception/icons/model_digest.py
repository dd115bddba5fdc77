"""The digest of icons.onnx; written by training/export.py."""

SHA256 = "10d06eda8b8bafee46a30df28031b99297bae79aaa3da85f61f852d33b30208e"
