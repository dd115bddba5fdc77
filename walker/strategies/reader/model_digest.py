"""The digests of reader.onnx and of tokenizer.json; written by tools/reader_training/export.py."""

SHA256 = "c354a23524651cc108533b6693d47813d87c16a4378ad196b0eb8408a07f1606"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
