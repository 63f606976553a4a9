"""What is measured, each with one command, such as `python -m benchmarks.turn`."""
