"""A queue over any number of processes and machines, on PostgreSQL."""
