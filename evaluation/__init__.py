"""Evaluation measures: question sets, grades and figures over many walks."""
