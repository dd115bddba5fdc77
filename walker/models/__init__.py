"""Language models behind `seams.ChatModel`."""
