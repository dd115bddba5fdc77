"""The digests of reader.onnx and of tokenizer.json; written by tools/reader_training/export.py."""

SHA256 = "1ff6821f5e82440103f932293f0565d2c3e71af4ea343012c554c4a46a40aed9"
TOKENIZER_SHA256 = "6abcbb885eb9aa1d38e3021b01ef0c67a5036a4eb287d7742dfe6bda429f3016"
