"""The database: SQLite to begin with, PostgreSQL when one machine is not enough."""
