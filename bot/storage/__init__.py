"""The database, SQLite to begin with and PostgreSQL when one machine is not enough; personas as files, cards and packs."""
