"""Answers without a model: passages, the evidence in them, spans that fit the question, lists."""
