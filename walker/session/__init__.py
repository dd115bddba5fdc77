"""Sessions: a program goes through a site call by call, recorded as one run."""
