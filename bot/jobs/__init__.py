"""What runs by night, by day and after a reply, and what it leaves behind."""
