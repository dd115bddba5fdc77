"""Walker for programs: settings and crawls by the names of the flags, and one browser for many calls."""
