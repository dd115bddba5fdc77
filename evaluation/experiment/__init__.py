"""An experiment: questions asked of variants, in one folder that holds all of it."""
