"""Experiments: questions run with variants, stored in one folder."""
