"""The digests of icons.onnx and of vocabulary.json; written by training/export.py."""

SHA256 = "10d06eda8b8bafee46a30df28031b99297bae79aaa3da85f61f852d33b30208e"
VOCABULARY_SHA256 = "937c7cfe183e0b8bc20e3bb7a87e6d4a03524ca7cbe315c24c397ccc2ffcdda2"
