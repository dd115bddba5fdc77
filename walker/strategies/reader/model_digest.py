"""The digests of reader.onnx and of tokenizer.json; written by tools/reader_training/export.py."""

SHA256 = "9fb1a1c4687049705f438d3e033b252392c765ff2b6e231962aaf9fcaa7eb7cc"
TOKENIZER_SHA256 = "6abcbb885eb9aa1d38e3021b01ef0c67a5036a4eb287d7742dfe6bda429f3016"
