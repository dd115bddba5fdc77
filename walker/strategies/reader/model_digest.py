"""The digests of reader.onnx and of tokenizer.json; written by tools/reader_training/export.py."""

SHA256 = "c23abe49c4a37eb7e2acf8c81a516549adbbd000c2bcece598cd0383754ece71"
TOKENIZER_SHA256 = "6abcbb885eb9aa1d38e3021b01ef0c67a5036a4eb287d7742dfe6bda429f3016"
