"""Questions with what is known of their answers: one form for all, readers and writers for those that others use."""
