"""The settings; the only code that reads the environment and `.env`."""
