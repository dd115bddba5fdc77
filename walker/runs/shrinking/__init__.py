"""From a recorded walk with a wrong decision to the smallest site that shows it, as a test case."""
