"""What can be pressed or typed into: names, states, groups, and what opens the closed parts of a page."""
