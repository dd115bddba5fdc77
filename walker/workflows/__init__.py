"""Ways to answer a task that do not walk: the model alone, retrieval, and a model that searches and opens in turns."""
