"""Explorer and critic that answer without a model. Read `builtin_critic` and `builtin_explorer` first."""
