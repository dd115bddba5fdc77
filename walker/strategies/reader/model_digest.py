"""The digests of reader.onnx and of tokenizer.json; written by tools/reader_training/export.py."""

SHA256 = "f0457ed14dc74479470f9eb2c550b9671270b8cae74f8273784c764d32a117e8"
TOKENIZER_SHA256 = "6abcbb885eb9aa1d38e3021b01ef0c67a5036a4eb287d7742dfe6bda429f3016"
