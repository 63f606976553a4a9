"""What stands in a model's answer, read without I/O: tags, reasoning, tool calls."""
