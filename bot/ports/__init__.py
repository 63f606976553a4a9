"""What the core needs of the world. Each docstring is the contract that its contract suite tests."""
