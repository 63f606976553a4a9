"""Tables and repositories, the same for both databases."""
