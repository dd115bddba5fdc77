"""Explorer and critic with a language model behind them."""
