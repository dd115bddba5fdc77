"""Metrics from grades: success rates with confidence intervals, and costs, for every slice of the questions."""
