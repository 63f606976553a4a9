"""What runs by night, and what it leaves behind."""
