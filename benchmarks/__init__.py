"""What is measured, each with one command: `python -m benchmarks.turn`, `python -m benchmarks.kill`."""
