"""Datasets: questions with their accepted answers, in our format, with readers and writers for public formats."""
