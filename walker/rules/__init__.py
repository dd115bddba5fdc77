"""Rules that decide: pure functions, no clock, no network, no disk. `policy` forbids a second visit, `gate` decides on vision."""
