"""Evaluation: datasets of questions, experiments over variants, grading, metrics and reports."""
